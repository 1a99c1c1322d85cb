/** Reads a JSON answer through its schema in the contract. */
import type * as z from 'zod';
import { ContractError } from './errors.ts';

const MAX_ISSUES = 10;
const MAX_SHOWN_LENGTH = 80;

/**
 * Returns the answer with the type of the contract. Throws a ContractError that names each wrong field and its value.
 *
 * @example
 * ```ts
 * import * as z from 'zod';
 *
 * parseAnswer(z.object({ total: z.number() }), Buffer.from('{"total":2}'), 'GET /submissions'); // => { total: 2 }
 * ```
 */
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
    // Null and absent mean the same on this wire. An answer must not fail because its schema allows only one of them.
    return result.success ? result : schema.safeParse(withoutNulls(value));
  } catch (error) {
    // Deeply nested JSON of a hundred thousand levels is parsed without recursion, but walked with recursion.
    if (error instanceof RangeError) throw new ContractError(label, ['body: nested too deep']);
    throw error;
  }
}

/** Removes keys whose value is null, at any depth. */
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
    // The URL that people know often leads to the web pages of a service, while its API has another URL.
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

/** JSON escapes the characters that act on a terminal. */
const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, MAX_SHOWN_LENGTH);
