/**
 * The analysis service behind the pipeline's Analyzer port. Only this file and `analyzer-reports.ts` translate the words of the wire
 * (uuid, level, report type) into the words of the pipeline (submission id, verdict, kind).
 */

import { ConfigError } from '../pipeline/errors.ts';
import { hashOf } from '../pipeline/ledger/artifact-id.ts';
import { assertNever, type Kind, type Progress } from '../pipeline/model.ts';
import type { AnalysisRequest, Analyzer } from '../pipeline/ports.ts';
import { CALL_MS, type Call, pollable, sentFile, translated } from './analyzer-call.ts';
import { isFinished, isUsable, reportOf } from './analyzer-reports.ts';
import type { AnalysisClient } from './client/analysis-client.ts';
import { ApiError, ContractError } from './client/errors.ts';
import { serviceQuota } from './service-quota.ts';
import { serviceVersions } from './service-versions.ts';

export interface AnalyzerOptions {
  readonly client: AnalysisClient;
  /** Ends every call, for example on Ctrl-C. @default none does */
  readonly signal?: AbortSignal;
  /** The longest one call may take with all its repeats, in milliseconds. @default 60000 */
  readonly callMs?: number;
  /** Returns milliseconds since any fixed time. @default Date.now */
  readonly now?: () => number;
}

/**
 * Makes the analyzer. Every method rejects with AnalyzerRefusal (final), TransientError (try later) or ConfigError (the service refuses the
 * key, or is no analysis service), or with the reason of the caller's signal.
 */
export function createAnalyzer(options: AnalyzerOptions): Analyzer {
  const { client, signal, callMs = CALL_MS, now = Date.now } = options;
  const call = <T>(work: (call: Call) => Promise<T>) => translated(work, callMs, signal);
  const versionOf = serviceVersions(client, now, signal);
  const quota = serviceQuota(client, now, signal);
  return {
    scope: (kind) => call(async () => [client.baseUrl, (await versionOf(kind)) ?? ''].join(' ').trim()),
    submit: (request) =>
      call(async (options) => {
        const id = await submit(client, request, options).catch(asNoService);
        quota.used();
        return id;
      }),
    quota: () => call(() => quota.left()),
    find: (request) => call((options) => find(client, request, options)),
    progress: (kind, id) => call((options) => progress(client, kind, id, options)),
    report: (kind, id) => call(async (options) => reportOf(kind, await client.getSubmission(id, options))),
    disarmedFile: (id, maxBytes) =>
      call(async (options) => await (await client.downloadCdrSanitized(id, options)).buffer(maxBytes)),
  };
}

async function submit(client: AnalysisClient, request: AnalysisRequest, call: Call): Promise<string> {
  // Mail is confidential: no submission is ever visible to other workspaces.
  const password = request.kind === 'url_analysis' ? null : request.password;
  const options = { private: true, ...(password === null ? {} : { password }), group: request.group, ...call };
  switch (request.kind) {
    case 'static':
      return (await client.createStaticSubmission(await sentFile(request), options)).uuid;
    case 'sandbox':
      return (await client.createSandboxSubmission(await sentFile(request), options)).uuid;
    case 'cdr':
      return (await client.createCdrSubmission(await sentFile(request), options)).uuid;
    case 'url_analysis':
      return (await client.createUrlSubmission(request.url, options)).uuid;
    default:
      return assertNever(request);
  }
}

/** Handles an answer that does not come from an analysis service. It would be the same for any artifact. */
function asNoService(error: unknown): never {
  const isNone = error instanceof ContractError || (error instanceof ApiError && error.status === 404);
  if (!isNone) throw error;
  throw new ConfigError('the analysis service', [`${error.message}; check its URL: this is no analysis service`]);
}

async function find(client: AnalysisClient, request: AnalysisRequest, call: Call): Promise<string | null> {
  // URLs cannot be searched by hash.
  if (request.kind === 'url_analysis') return null;
  const usable = (await client.searchBySha256(hashOf(request.id), call)).filter((submission) => {
    // The same bytes may be read as another type when their name is different.
    return submission.filename === request.filename && isUsable(request.kind, submission);
  });
  usable.sort((a, b) => (Date.parse(b.createdAt) || 0) - (Date.parse(a.createdAt) || 0));
  return usable[0]?.uuid ?? null;
}

async function progress(client: AnalysisClient, kind: Kind, submissionId: string, call: Call): Promise<Progress> {
  return await pollable(async () => {
    const submission = await client.getSubmission(submissionId, call);
    return isFinished(kind, submission) ? reportOf(kind, submission) : null;
  });
}
