/** A refusal, and the envelope that is made of it. */
import { ERRORS, type ErrorCode, type ErrorEnvelope, REASON_PHRASES } from '../contract/errors.ts';

export interface ServiceErrorOptions {
  /** @default the message in the contract */
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds; sent as Retry-After. Always delta-seconds: public clients fail on the date form. */
  readonly retryAfterSeconds?: number;
}

/** Handlers and the code below them throw this to end a request with a code of the contract. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  constructor(
    readonly code: ErrorCode,
    readonly options: ServiceErrorOptions = {},
  ) {
    super(options.message ?? ERRORS[code].message);
  }
}

/**
 * Returns the answer for anything thrown. Anything but a ServiceError is our own fault, and the answer does not tell its cause. `phrases`:
 * the `error` of codes for which an interface has its own word.
 */
export function errorResponse(thrown: unknown, phrases: Readonly<Partial<Record<ErrorCode, string>>> = {}): Response {
  const error = thrown instanceof ServiceError ? thrown : new ServiceError('INTERNAL_ERROR');
  const { status } = ERRORS[error.code];
  const envelope: ErrorEnvelope = {
    statusCode: status,
    error: phrases[error.code] ?? REASON_PHRASES[status],
    message: error.message,
    code: error.code,
    ...(error.options.details && { details: error.options.details }),
  };
  const headers = new Headers({ 'content-type': 'application/json' });
  if (error.options.retryAfterSeconds !== undefined) {
    headers.set('retry-after', String(error.options.retryAfterSeconds));
  }
  if (status === 415) headers.set('accept-encoding', 'identity');
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  return new Response(JSON.stringify(envelope), { status, headers });
}
