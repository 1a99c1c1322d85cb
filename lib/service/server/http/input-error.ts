/** Chooses the code of the contract for refused input. */
import type * as z from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import { ServiceError } from '../service-error.ts';

/** Most issues in one answer: a crafted body can have thousands. */
const MAX_ISSUES = 10;
const ID_PARAMS = new Set(['uuid', 'resultId', 'fileId']);

/** Returns the refusal for a part of a request that does not fit its schema. It repeats no value of the caller. */
export function inputError(
  where: 'params' | 'query' | 'body',
  issues: readonly z.core.$ZodIssue[],
  invalidBody: ErrorCode = 'INVALID_BODY',
): ServiceError {
  const named = issues.slice(0, MAX_ISSUES).map((issue) => {
    const field = issue.path.map(String).join('.').slice(0, 100);
    return { field, message: issue.message.slice(0, 200) };
  });
  // For a list, the answer names the parameter and not the item.
  const field = named[0]?.field.replace(/\.\d+$/, '') ?? '';
  if (where === 'params' && ID_PARAMS.has(field)) return new ServiceError('INVALID_UUID');
  const message = named.map((issue) => (issue.field ? `${issue.field}: ${issue.message}` : issue.message)).join('; ');
  if (where === 'body') return new ServiceError(invalidBody, { message, details: { issues: named } });
  return new ServiceError('INVALID_QUERY_PARAM', { message, details: { param: field } });
}
