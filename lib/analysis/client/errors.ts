/**
 * The errors of the clients. `code` is stable and safe to branch on, facts are fields, `retryable` is decided by the class.
 *
 *   AnalysisError ── ApiError ── ReportNotReadyError (409) · RateLimitError (429) · AuthError (401, 402, 403)
 *                 ├─ RequestTimeoutError · NetworkError        the call may succeed later
 *                 ├─ ContractError                             the call worked, its answer cannot be used
 *                 ├─ ResponseTooLargeError                     the answer is larger than the caller takes
 *                 └─ ClientConfigError                         the client was made with options it cannot use
 */
import type { ReportUnavailableDetails } from '../contract/errors.ts';

export abstract class AnalysisError extends Error {
  abstract readonly code: string;
  /** Whether the same call can succeed later without anybody changing anything. */
  abstract readonly retryable: boolean;
}

export interface ApiErrorFacts {
  readonly status: number;
  /** Of the envelope; `HTTP_<status>` when the answer had none. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What the service asked us to wait, or null. */
  readonly retryAfterSeconds: number | null;
}

/** The service answered with an error. */
export class ApiError extends AnalysisError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
  constructor(message: string, facts: ApiErrorFacts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
  get retryable(): boolean {
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** 409: the report behind this route is not completed. `currentStatus` null means that it was never scheduled. */
export class ReportNotReadyError extends ApiError {
  override readonly name = 'ReportNotReadyError';
  constructor(
    message: string,
    facts: ApiErrorFacts,
    readonly report: ReportUnavailableDetails | null,
  ) {
    super(message, facts);
  }
}

/** 429: too many requests or submissions. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 401, 402, 403: the key, the plan or the workspace. */
export class AuthError extends ApiError {
  override readonly name = 'AuthError';
}

/** No whole answer within the deadline of the request. */
export class RequestTimeoutError extends AnalysisError {
  override readonly name = 'RequestTimeoutError';
  readonly code = 'REQUEST_TIMEOUT';
  readonly retryable = true;
  constructor(
    readonly request: string,
    readonly timeoutMs: number,
  ) {
    super(`no answer within ${timeoutMs} ms: ${request}`);
  }
}

/** The connection failed. `reachedService` false: the request was certainly not seen. */
export class NetworkError extends AnalysisError {
  override readonly name = 'NetworkError';
  readonly code = 'NETWORK';
  readonly retryable = true;
  constructor(
    readonly request: string,
    readonly causeCode: string,
    readonly reachedService: boolean,
    cause: unknown,
  ) {
    super(`connection failed (${causeCode}): ${request}`, { cause });
  }
}

/** The answer is not what the contract says; each issue names the field and what stood there. */
export class ContractError extends AnalysisError {
  override readonly name = 'ContractError';
  readonly code = 'CONTRACT';
  readonly retryable = false;
  constructor(
    readonly request: string,
    readonly issues: readonly string[],
  ) {
    super(`the answer does not follow the contract: ${request}: ${issues.join('; ')}`);
  }
}

/** More bytes than the caller allowed. */
export class ResponseTooLargeError extends AnalysisError {
  override readonly name = 'ResponseTooLargeError';
  readonly code = 'RESPONSE_TOO_LARGE';
  readonly retryable = false;
  constructor(
    readonly request: string,
    readonly maxBytes: number,
  ) {
    super(`the answer is larger than ${maxBytes} bytes: ${request}`);
  }
}

/** Options that no request can be made with. */
export class ClientConfigError extends AnalysisError {
  override readonly name = 'ClientConfigError';
  readonly code = 'CLIENT_CONFIG';
  readonly retryable = false;
}
