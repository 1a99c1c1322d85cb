/** One call of the Analyzer port over HTTP: its deadline, and its failure in the errors of the port. */
import { AnalyzerRefusal, ConfigError, TransientError } from '../pipeline/errors.ts';
import type { Progress, Report } from '../pipeline/model.ts';
import type { AnalysisRequest } from '../pipeline/ports.ts';
import { AnalysisError, ApiError, AuthError, RateLimitError, ResponseTooLargeError } from './client/errors.ts';

/**
 * The longest time of one call of the port, with all its repeats, in milliseconds. A service that accepts connections and never answers
 * must not hold a stage until its Lambda is killed.
 */
export const CALL_MS = 60_000;

/** Ends every call: the caller's own signal, and the deadline of the call. */
export interface Call {
  readonly signal: AbortSignal;
}

/** Runs a call under its deadline and translates its failure into the errors of the port. */
export async function translated<T>(
  work: (call: Call) => Promise<T>,
  callMs: number,
  cancelled: AbortSignal | undefined,
): Promise<T> {
  const deadline = AbortSignal.timeout(callMs);
  try {
    return await work({ signal: cancelled ? AbortSignal.any([cancelled, deadline]) : deadline });
  } catch (error) {
    cancelled?.throwIfAborted();
    if (deadline.aborted) throw new TransientError(`the analysis service did not answer within ${callMs / 1000} s`);
    throw error instanceof AnalysisError ? translation(error) : error;
  }
}

function translation(error: AnalysisError): AnalyzerRefusal | TransientError | ConfigError {
  if (error.retryable) return new TransientError(error.message, { cause: error });
  if (error instanceof ResponseTooLargeError) return new AnalyzerRefusal('oversize', error.message);
  // This refusal says nothing about the artifact, because every other mail would meet it, too.
  if (error instanceof AuthError)
    return new ConfigError('the analysis service', [
      `${error.message}; check the API key, its plan and the service's URL`,
    ]);
  if (!(error instanceof ApiError)) return new AnalyzerRefusal('service_error', error.message);
  if (error.status === 413) return new AnalyzerRefusal('oversize', error.message);
  if (error.status === 415 || error.status === 422) return new AnalyzerRefusal('unsupported', error.message);
  return new AnalyzerRefusal('service_error', error.message);
}

/** Returns the file of a request, as the clients send it. Throws the errors of the store. */
export async function sentFile({ bytes, filename }: FileRequest): Promise<{ bytes: Uint8Array; filename: string }> {
  return { bytes: await bytes(), filename };
}

type FileRequest = Exclude<AnalysisRequest, { readonly kind: 'url_analysis' }>;

/**
 * Turns a report that may be missing, or a request to ask less often, into an answer to "is it done yet?": not yet, with the time to ask
 * again.
 */
export async function pollable(reportIfDone: () => Promise<Report | null>): Promise<Progress> {
  try {
    const report = await reportIfDone();
    return report === null ? { state: 'pending', retryAfterSeconds: null } : { state: 'finished', report };
  } catch (error) {
    if (!(error instanceof RateLimitError) || error.retryAfterSeconds === null) throw error;
    return { state: 'pending', retryAfterSeconds: error.retryAfterSeconds };
  }
}
