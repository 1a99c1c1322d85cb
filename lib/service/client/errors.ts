/**
 * The errors of the clients. `code` is stable and safe to branch on, facts are fields, and the class decides `retryable`.
 *
 *   AnalysisError ── ApiError ── ReportNotReadyError (409) · RateLimitError (429) · AuthError (401, 402, 403)
 *                 │           └─ YaraRulePendingError (202)    the rule is being made
 *                 ├─ RequestTimeoutError · NetworkError        the call may succeed later
 *                 ├─ WaitTimeoutError                          the analysis took longer than the caller waits
 *                 ├─ ReportNotScheduledError                   a report that was waited for will not come
 *                 ├─ ContractError                             the call worked, but its answer cannot be used
 *                 ├─ ResponseTooLargeError                     the answer is larger than the caller accepts
 *                 ├─ DownloadConsumedError                     a download was read twice
 *                 ├─ UploadSourceError                         the file to upload cannot be read
 *                 └─ ClientConfigError                         the client was made or called with unusable options
 */
import type { ReportUnavailableDetails } from '../contract/errors.ts';

/** The base class of all errors of the clients. */
export abstract class AnalysisError extends Error {
  abstract readonly code: string;
  /** Whether the same call can succeed later without any change. */
  abstract readonly retryable: boolean;
}

/** The facts of an error answer of the service. */
export interface ApiErrorFacts {
  readonly status: number;
  /** The code of the envelope; `HTTP_<status>` when the answer had no envelope. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The wait that the service asked for, or null. */
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

/** 401, 402, 403: the key, the plan or the workspace does not allow the call. */
export class AuthError extends ApiError {
  override readonly name = 'AuthError';
}

/** 202 of the YARA rule download: the rule is being made. `retryAfterSeconds` says when to ask again. */
export class YaraRulePendingError extends ApiError {
  override readonly name = 'YaraRulePendingError';
  override get retryable(): boolean {
    return true;
  }
}

/** The answer was not complete within the deadline of the request. */
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

/** The connection failed. When `reachedService` is false, the service has certainly not seen the request. */
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

/** The deadline of a wait has passed. The analysis continues, and another wait for the same id is possible. */
export class WaitTimeoutError extends AnalysisError {
  override readonly name = 'WaitTimeoutError';
  readonly code = 'WAIT_TIMEOUT';
  readonly retryable = true;
  constructor(
    readonly submissionId: string,
    readonly waitedSeconds: number,
    /** The report types that were not finished at the last poll. */
    readonly waitingFor: readonly string[],
    /** The last failure of a poll, if there was one. */
    override readonly cause: AnalysisError | null,
  ) {
    const missing = waitingFor.length > 0 ? ` (${waitingFor.join(', ')})` : '';
    super(`submission ${submissionId} was not finished after ${waitedSeconds.toFixed(1)} s${missing}`);
  }
}

/** All reports of the submission have ended, and the awaited report is not among them. */
export class ReportNotScheduledError extends AnalysisError {
  override readonly name = 'ReportNotScheduledError';
  readonly code = 'REPORT_NOT_SCHEDULED';
  readonly retryable = false;
  constructor(
    readonly submissionId: string,
    readonly missing: readonly string[],
    readonly scheduled: readonly string[],
  ) {
    super(`submission ${submissionId} has no ${missing.join(', ')} report; it has ${scheduled.join(', ') || 'none'}`);
  }
}

/** The answer does not follow the contract. Each issue names a field and its value. */
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

/** The answer has more bytes than the caller allowed. */
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

/** The download was read already. It is a stream, so it can be read only once. */
export class DownloadConsumedError extends AnalysisError {
  override readonly name = 'DownloadConsumedError';
  readonly code = 'DOWNLOAD_CONSUMED';
  readonly retryable = false;
  constructor(readonly request: string) {
    super(`this download was already read: ${request}`);
  }
}

/** The file to upload is missing, has changed its size while it was sent, or is a stream that was already sent. */
export class UploadSourceError extends AnalysisError {
  override readonly name = 'UploadSourceError';
  readonly code = 'UPLOAD_SOURCE';
  readonly retryable = false;
}

/** No request can be made with these options. */
export class ClientConfigError extends AnalysisError {
  override readonly name = 'ClientConfigError';
  readonly code = 'CLIENT_CONFIG';
  readonly retryable = false;
}
