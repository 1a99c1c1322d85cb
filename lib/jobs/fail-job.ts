/** Ends a job that no engine could do. It reads nothing of the artifact. */
import type { Failure } from '../pipeline/model.ts';
import type { Blobs } from '../pipeline/ports.ts';
import type { Job } from './job.ts';
import { writeReport } from './stored-report.ts';

/**
 * Writes the report that the engine failed, unless there is a report already. Later runs ask again after such a failure, so it holds no
 * later mail.
 */
export async function failJob(blobs: Pick<Blobs, 'put'>, { kind, question, versions }: Job): Promise<void> {
  const failure: Failure = { class: 'service_error', detail: `${kind}: engine_failed: the engine ended each time` };
  const nothing = { score: null, reasons: [], removed: [], sanitized: [], readAs: null, hasDisarmedFile: false };
  const report = { verdict: 'unknown', failure, ...nothing } as const;
  await writeReport(blobs, kind, question, { versions, report, fileSha256: null });
}
