/** Sorts the errors of the AWS SDK by what the pipeline can do about them. */
import { TransientError } from '../pipeline/errors.ts';

/** Names of temporary faults, as the services and the SDK's HTTP layer spell them. */
const TRANSIENT_NAMES = new Set([
  'ConditionalRequestConflict',
  'InternalError',
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestTimeout',
  'RequestTimeoutException',
  'ServiceUnavailable',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TimeoutError',
  'TooManyRequestsException',
  'TransactionConflictException',
]);
const TRANSIENT_CODES = new Set(['EAI_AGAIN', 'ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const CONFLICT = 409;
const TOO_MANY_REQUESTS = 429;

/** Returns the HTTP status of a failed AWS call, or null when there was no answer. */
export function httpStatusOf(error: unknown): number | null {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : null;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return null;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : null;
}

/**
 * Awaits an AWS call. Throws TransientError (with the cause) for throttling, 5xx answers, write conflicts and broken connections. Throws
 * every other error unchanged.
 */
export async function awsCall<T>(what: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && isTransient(error)) {
      throw new TransientError(`${what} failed for now: ${error.name}`, { cause: error });
    }
    throw error;
  }
}

function isTransient(error: Error): boolean {
  const status = httpStatusOf(error);
  if (status !== null && (status >= 500 || status === TOO_MANY_REQUESTS || status === CONFLICT)) return true;
  return TRANSIENT_NAMES.has(error.name) || ('code' in error && TRANSIENT_CODES.has(String(error.code)));
}
