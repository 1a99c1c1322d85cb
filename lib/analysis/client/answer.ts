/** Reading a JSON answer through its schema of the contract. */
import type * as z from 'zod';
import { ContractError } from './errors.ts';

const MAX_ISSUES = 10;
const MAX_SHOWN_LENGTH = 80;

/** The answer as the contract types it. Throws ContractError naming each field and the value that stood there. */
export function parseAnswer<S extends z.ZodType>(schema: S, bytes: Uint8Array, label: string): z.output<S> {
  const value = parseJson(bytes, label);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, MAX_ISSUES)
    .map(
      (issue) => `${issue.path.map(String).join('.') || 'body'}: ${issue.message}, got ${shown(at(value, issue.path))}`,
    );
  throw new ContractError(label, issues);
}

function parseJson(bytes: Uint8Array, label: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ContractError(label, ['body: expected JSON']);
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** JSON escapes what a terminal would act on. */
const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, MAX_SHOWN_LENGTH);
