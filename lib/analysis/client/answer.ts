/** Reading a JSON answer through its schema of the contract. */
import type * as z from 'zod';
import { ContractError } from './errors.ts';

const MAX_ISSUES = 10;
const MAX_SHOWN_LENGTH = 80;

/** The answer as the contract types it. Throws ContractError naming each field and the value that stood there. */
export function parseAnswer<S extends z.ZodType>(schema: S, bytes: Uint8Array, label: string): z.output<S> {
  const value = parseJson(bytes, label);
  const again = checked(schema, value, label);
  if (again.success) return again.data;
  const issues = again.error.issues
    .slice(0, MAX_ISSUES)
    .map(
      (issue) => `${issue.path.map(String).join('.') || 'body'}: ${issue.message}, got ${shown(at(value, issue.path))}`,
    );
  throw new ContractError(label, issues);
}

function checked<S extends z.ZodType>(schema: S, value: unknown, label: string) {
  try {
    const result = schema.safeParse(value);
    // Null and absent mean the same on this wire; a schema that has only the one in mind must not cost the answer.
    return result.success ? result : schema.safeParse(withoutNulls(value));
  } catch (error) {
    // JSON nested a hundred thousand deep is read without recursion, and walked with it.
    if (error instanceof RangeError) throw new ContractError(label, ['body: nested too deep']);
    throw error;
  }
}

/** Takes keys with null away, at any depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function parseJson(bytes: Uint8Array, label: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The web pages of a service often live under the URL that people know, and its interface elsewhere.
    const hint =
      bytes[0] === '<'.charCodeAt(0) ? ', got a page; is this the base URL of the interface (…/public-api)?' : '';
    throw new ContractError(label, [`body: expected JSON${hint}`]);
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
