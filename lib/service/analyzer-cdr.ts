/**
 * The CDR service behind the pipeline's Analyzer port. It only disarms. `analyzerByKind` combines it with the analyzers of the other kinds.
 */
import { AnalyzerRefusal } from '../pipeline/errors.ts';
import type { AnalysisRequest, Analyzer } from '../pipeline/ports.ts';
import { CALL_MS, type Call, pollable, sentFile, translated } from './analyzer-call.ts';
import { cdrReport } from './analyzer-reports.ts';
import type { CdrClient } from './client/cdr-client.ts';

export interface CdrAnalyzerOptions {
  readonly client: CdrClient;
  /** The analysis service beside it, which can tell the version of the disarm. @default none: the version is not known */
  readonly beside?: Pick<Analyzer, 'scope'>;
  /** Ends every call, for example on Ctrl-C. @default none does */
  readonly signal?: AbortSignal;
  /** The longest one call may take with all its repeats, in milliseconds. @default 60000 */
  readonly callMs?: number;
}

/** Makes the analyzer. It rejects as `createAnalyzer` does, and with TypeError for another kind than `cdr`. */
export function createCdrAnalyzer({ client, beside, signal, callMs = CALL_MS }: CdrAnalyzerOptions): Analyzer {
  const call = <T>(work: (call: Call) => Promise<T>) => translated(work, callMs, signal);
  return {
    scope: async () => (beside ? `${client.baseUrl} ${await beside.scope('cdr')}` : client.baseUrl),
    submit: (request) => call((options) => start(client, request, options)),
    // The service cannot be searched by hash.
    find: async () => null,
    progress: (_kind, id) =>
      call((options) =>
        pollable(async () => {
          const record = await client.listen(id, options);
          return record.status === 2 ? cdrReport(record) : null;
        }),
      ),
    report: (_kind, id) => call(async (options) => cdrReport(await client.listen(id, options))),
    disarmedFile: (id, maxBytes) => call((options) => disarmedFile(client, id, maxBytes, options)),
  };
}

async function start(client: CdrClient, request: AnalysisRequest, call: Call): Promise<string> {
  if (request.kind !== 'cdr') throw new TypeError(`a CDR service does no ${request.kind}`);
  return (await client.start(await sentFile(request), { group: request.group, ...call })).resultId;
}

async function disarmedFile(client: CdrClient, resultId: string, maxBytes: number, call: Call): Promise<Uint8Array> {
  const { status, files, result, error } = await client.listen(resultId, call);
  const file = files.find(({ name }) => name === result?.filename) ?? files[0];
  if (status !== 2 || error !== null || !file) {
    throw new AnalyzerRefusal('service_error', 'the CDR service has no sanitized file for this submission');
  }
  return await (await client.download(file.id, call)).buffer(maxBytes);
}
