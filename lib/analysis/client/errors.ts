/**
 * The errors of the clients. `code` is stable and safe to branch on, facts are fields, `retryable` is decided by the class.
 *
 *   AnalysisError ── ApiError ── ReportNotReadyError (409) · RateLimitError (429) · AuthError (401, 402, 403)
 *                 │           └─ YaraRulePendingError (202)    the rule is being made
 *                 ├─ RequestTimeoutError · NetworkError        the call may succeed later
 *                 ├─ WaitTimeoutError                          the analysis took longer than the caller waits
 *                 ├─ ReportNotScheduledError                   a report that was waited for will not come
 *                 ├─ ContractError                             the call worked, its answer cannot be used
 *                 ├─ ResponseTooLargeError                     the answer is larger than the caller takes
 *                 ├─ DownloadConsumedError                     a download was read twice
 *                 ├─ UploadSourceError                         the file to upload cannot be read
 *                 └─ ClientConfigError                         the client was made or called with what it cannot use
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

/** 202 of the YARA rule download: the rule is being made. `retryAfterSeconds` says when to ask again. */
export class YaraRulePendingError extends ApiError {
  override readonly name = 'YaraRulePendingError';
  override get retryable(): boolean {
    return true;
  }
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

/** The deadline of a wait passed. The submission goes on: its id can be waited for again. */
export class WaitTimeoutError extends AnalysisError {
  override readonly name = 'WaitTimeoutError';
  readonly code = 'WAIT_TIMEOUT';
  readonly retryable = true;
  constructor(
    readonly submissionId: string,
    readonly waitedSeconds: number,
    /** The report types that were not finished when last seen. */
    readonly waitingFor: readonly string[],
    /** The last failure of a poll, if there was one. */
    override readonly cause: AnalysisError | null,
  ) {
    const missing = waitingFor.length > 0 ? ` (${waitingFor.join(', ')})` : '';
    super(`submission ${submissionId} was not finished after ${waitedSeconds.toFixed(1)} s${missing}`);
  }
}

/** Everything the submission lists has ended, and what was waited for is not in the list. */
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

/** A download is a stream: it can be read once, in one way. */
export class DownloadConsumedError extends AnalysisError {
  override readonly name = 'DownloadConsumedError';
  readonly code = 'DOWNLOAD_CONSUMED';
  readonly retryable = false;
  constructor(readonly request: string) {
    super(`this download was read already: ${request}`);
  }
}

/** The file to upload is missing, changed its size while it was sent, or is a stream that was sent already. */
export class UploadSourceError extends AnalysisError {
  override readonly name = 'UploadSourceError';
  readonly code = 'UPLOAD_SOURCE';
  readonly retryable = false;
}

/** Options that no request can be made with. */
export class ClientConfigError extends AnalysisError {
  override readonly name = 'ClientConfigError';
  readonly code = 'CLIENT_CONFIG';
  readonly retryable = false;
}
