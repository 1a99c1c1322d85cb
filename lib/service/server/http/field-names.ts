/**
 * Refuses fields that look like known ones. Unknown fields are ignored, because clients of later versions send them. A caller who writes
 * `Private` would have a public submission then, and one who writes `Password` an archive that nobody opens.
 */
import type * as z from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import { ServiceError } from '../service-error.ts';

/** Spellings of the wish to hide a submission, in small letters without signs. */
const PRIVACY = new Set(['private', 'isprivate', 'public', 'ispublic', 'privacy', 'visibility', 'privat']);
const MAX_ISSUES = 10;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Returns whether a metafield of any spelling asks to hide the submission. */
export function asksToHide({
  key,
  value,
}: {
  readonly key: string;
  readonly value: string | number | boolean;
}): boolean {
  if (!PRIVACY.has(plain(key))) return false;
  const isNo = String(value).trim().toLowerCase() === 'false';
  return plain(key).endsWith('public') ? isNo : !isNo;
}

/**
 * Checks the names of a body, and of the query beside it, where `private` has no effect. Throws ServiceError with the code for an invalid
 * body. The message repeats no text of the caller.
 */
export function checkFieldNames(schema: z.ZodType, body: unknown, query: readonly string[], code: ErrorCode): void {
  const known = knownFields(schema);
  if (typeof body !== 'object' || body === null || known.length === 0) return;
  if (known.includes('private') && query.some((name) => PRIVACY.has(plain(name)))) {
    const message = 'it was sent in the address; write it into the body';
    throw new ServiceError(code, {
      message: `private: ${message}`,
      details: { issues: [{ field: 'private', message }] },
    });
  }
  const issues = Object.keys(body).flatMap((name) => {
    const field = known.includes(name) ? undefined : meantBy(name, known);
    return field === undefined ? [] : [{ field, message: `a name that is nearly this one was sent; write ${field}` }];
  });
  if (issues.length === 0) return;
  const message = issues.map(({ field, message }) => `${field}: ${message}`);
  throw new ServiceError(code, {
    message: message.slice(0, MAX_ISSUES).join('; '),
    details: { issues: issues.slice(0, MAX_ISSUES) },
  });
}

function knownFields(schema: z.ZodType): readonly string[] {
  return 'shape' in schema && typeof schema.shape === 'object' && schema.shape !== null
    ? Object.keys(schema.shape)
    : [];
}

/** Returns the field that the caller meant: the same letters, or, where a submission is public by default, any word for privacy. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const letters = name.trim().toLowerCase();
  const same = known.find((field) => field.toLowerCase() === letters);
  return same ?? (known.includes('private') && PRIVACY.has(plain(name)) ? 'private' : undefined);
}
