/**
 * The analysis service behind the pipeline's Analyzer port. Only this file and `analyzer-reports.ts` translate the words of the wire
 * (uuid, level, report type) into the words of the pipeline (submission id, verdict, kind).
 */

import { hashOf } from '../pipeline/artifact-id.ts';
import { AnalyzerRefusal, ConfigError, TransientError } from '../pipeline/errors.ts';
import { assertNever, type Kind, type Progress } from '../pipeline/model.ts';
import type { AnalysisRequest, Analyzer } from '../pipeline/ports.ts';
import { cdrReport, isFinished, isUsable, reportOf } from './analyzer-reports.ts';
import type { AnalysisClient } from './client/analysis-client.ts';
import type { CdrClient } from './client/cdr-client.ts';
import {
  AnalysisError,
  ApiError,
  AuthError,
  ContractError,
  RateLimitError,
  ResponseTooLargeError,
} from './client/errors.ts';
import { toldVersions } from './told-versions.ts';

export interface AnalyzerOptions {
  readonly client: AnalysisClient;
  /** The CDR service that disarms. @default the analysis service disarms too */
  readonly cdrClient?: CdrClient;
  /** Ends every call, for example on Ctrl-C. @default none does */
  readonly signal?: AbortSignal;
  /** The longest one call may take with all its repeats, in milliseconds. @default 60000 */
  readonly callMs?: number;
  /** Milliseconds since any fixed time. @default Date.now */
  readonly now?: () => number;
}

/**
 * The longest one call of the port may take, with all its repeats, in milliseconds: a service that accepts connections and
 * never answers must not hold a stage until its Lambda is killed.
 */
const CALL_MS = 60_000;

/** Ends every call: the caller's own signal, and the deadline of the call. */
interface Call {
  readonly signal: AbortSignal;
}

/**
 * Every method rejects with AnalyzerRefusal (for good), TransientError (try later) or ConfigError (the service refuses the key, or
 * is none), or with the reason of the caller's signal.
 */
export function createAnalyzer(options: AnalyzerOptions): Analyzer {
  const { client, cdrClient, signal, callMs = CALL_MS, now = Date.now } = options;
  const call = <T>(work: (call: Call) => Promise<T>) => translated(work, callMs, signal);
  const versionOf = toldVersions(client, now, signal);
  const services = cdrClient ? [client.baseUrl, cdrClient.baseUrl] : [client.baseUrl];
  return {
    scope: (kind) => call(async () => [...services, (await versionOf(kind)) ?? ''].join(' ').trim()),
    submit: (request) => call((options) => submit(client, cdrClient, request, options).catch(asNoService)),
    find: (request) => call((options) => find(client, cdrClient, request, options)),
    progress: (kind, id) =>
      call((options) =>
        kind === 'cdr' && cdrClient ? cdrProgress(cdrClient, id, options) : progress(client, kind, id, options),
      ),
    report: (kind, id) =>
      call(async (options) =>
        kind === 'cdr' && cdrClient
          ? cdrReport(await cdrClient.listen(id, options))
          : reportOf(kind, await client.getSubmission(id, options)),
      ),
    disarmedFile: (id, maxBytes) =>
      call(async (options) =>
        cdrClient
          ? await cdrFile(cdrClient, id, maxBytes, options)
          : await (await client.downloadCdrSanitized(id, options)).buffer(maxBytes),
      ),
  };
}

async function submit(
  client: AnalysisClient,
  cdrClient: CdrClient | undefined,
  request: AnalysisRequest,
  call: Call,
): Promise<string> {
  // Mail is confidential: no submission is ever visible to other workspaces.
  const password = request.kind === 'url_analysis' ? null : request.password;
  const options = { private: true, ...(password === null ? {} : { password }), group: request.group, ...call };
  switch (request.kind) {
    case 'static':
      return (await client.createStaticSubmission(request, options)).uuid;
    case 'sandbox':
      return (await client.createSandboxSubmission(request, options)).uuid;
    case 'cdr':
      if (cdrClient) return (await cdrClient.start(request, { group: request.group, ...call })).resultId;
      return (await client.createCdrSubmission(request, options)).uuid;
    case 'url_analysis':
      return (await client.createUrlSubmission(request.url, options)).uuid;
    default:
      return assertNever(request);
  }
}

/** Something that is not an analysis service answered. It would answer any other artifact in the same way. */
function asNoService(error: unknown): never {
  const isNone = error instanceof ContractError || (error instanceof ApiError && error.status === 404);
  if (!isNone) throw error;
  throw new ConfigError('the analysis service', [`${error.message}; check its URL: this is no analysis service`]);
}

async function find(
  client: AnalysisClient,
  cdrClient: CdrClient | undefined,
  request: AnalysisRequest,
  call: Call,
): Promise<string | null> {
  // Neither URLs nor submissions of the CDR service can be searched by hash.
  if (request.kind === 'url_analysis' || (request.kind === 'cdr' && cdrClient)) return null;
  const usable = (await client.searchBySha256(hashOf(request.id), call)).filter((submission) => {
    // The same bytes may be read as another type when their name is different.
    return submission.filename === request.filename && isUsable(request.kind, submission);
  });
  usable.sort((a, b) => (Date.parse(b.createdAt) || 0) - (Date.parse(a.createdAt) || 0));
  return usable[0]?.uuid ?? null;
}

async function progress(client: AnalysisClient, kind: Kind, submissionId: string, call: Call): Promise<Progress> {
  return await pollable(async () => isFinished(kind, await client.getSubmission(submissionId, call)));
}

async function cdrProgress(cdrClient: CdrClient, resultId: string, call: Call): Promise<Progress> {
  return await pollable(async () => (await cdrClient.listen(resultId, call)).status === 2);
}

/** A request to ask less often also answers "is it done yet?": not yet, and this is when to ask again. */
async function pollable(isDone: () => Promise<boolean>): Promise<Progress> {
  try {
    return (await isDone()) ? { state: 'finished' } : { state: 'pending', retryAfterSeconds: null };
  } catch (error) {
    if (!(error instanceof RateLimitError) || error.retryAfterSeconds === null) throw error;
    return { state: 'pending', retryAfterSeconds: error.retryAfterSeconds };
  }
}

async function cdrFile(cdrClient: CdrClient, resultId: string, maxBytes: number, call: Call): Promise<Uint8Array> {
  const { status, files, result, error } = await cdrClient.listen(resultId, call);
  const file = files.find(({ name }) => name === result?.filename) ?? files[0];
  if (status !== 2 || error !== null || !file) {
    throw new AnalyzerRefusal('service_error', 'the CDR service has no sanitized file for this submission');
  }
  return await (await cdrClient.download(file.id, call)).buffer(maxBytes);
}

/** Runs a call under its deadline and translates its failure into the errors of the port. */
async function translated<T>(
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
  // This says nothing about the artifact: every other mail would meet the same refusal.
  if (error instanceof AuthError)
    return new ConfigError('the analysis service', [
      `${error.message}; check the API key, its plan and the service's URL`,
    ]);
  if (!(error instanceof ApiError)) return new AnalyzerRefusal('service_error', error.message);
  if (error.status === 413) return new AnalyzerRefusal('oversize', error.message);
  if (error.status === 415 || error.status === 422) return new AnalyzerRefusal('unsupported', error.message);
  return new AnalyzerRefusal('service_error', error.message);
}
