/**
 * Stage `fetch`: stores the disarmed files of finished submissions in the work bucket, and in the ledger the reports that `poll` did not get.
 * It also remembers each report for the next mail with the same hash.
 */

import { isOutstanding, isPastDeadline, mapSubmissions, notFewer, timedOut } from './analysis/outstanding.ts';
import { type Absence, waitOut } from './analysis/patience.ts';
import { claimantOf, failed } from './analysis/submission-of.ts';
import { taken } from './analysis/taken-report.ts';
import { mapBounded } from './bounded.ts';
import { onLedger, timestamp } from './chain/ledger-store.ts';
import type { ChangedBy } from './chain/may-change.ts';
import type { AnalysisContext } from './context.ts';
import { AnalyzerRefusal, LimitExceededError, ServiceAwayError } from './errors.ts';
import { keys, sha256Hex } from './keys.ts';
import type { Artifact, Submission } from './ledger/artifact.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Run } from './model.ts';
import type { SubmissionRecord } from './ports.ts';

/**
 * Fetches every report that was not fetched yet. Throws ServiceAwayError when the service gives some of them only later. The ledger then
 * has the others, and the state machine waits and runs the stage again. After the run's deadline, a missing report is a timeout. Throws
 * TransientError when the service is away and `ctx.schedule` says that nobody waits for it.
 *
 * @example
 * ```ts
 * import { decide } from './lib/pipeline/decide.ts';
 * import type { Context } from './lib/pipeline/context.ts';
 * import type { Run } from './lib/pipeline/model.ts';
 *
 * async function judge(ctx: Context, run: Run): Promise<Run> {
 *   let judged = run;
 *   for (const stage of [fetch, decide]) judged = await stage(ctx, judged);
 *   return judged;
 * }
 * ```
 */
export async function fetch(ctx: AnalysisContext, run: Run): Promise<Run> {
  const absence: Absence = { stage: 'fetch', runId: run.runId, isAway: false };
  let done = { run, missing: 0 };
  let { last } = run;
  do {
    last = done.run.last;
    done = await fetchMissing(ctx, done.run, absence);
    // A new entry may come from an earlier try, which is behind. The next entry has everything that it lacks.
  } while (done.missing > 0 && done.run.last !== last);
  if (done.missing > 0) throw new ServiceAwayError(`the service does not hand out ${done.missing} reports for now`);
  return { ...done.run, outstanding: 0, waitSeconds: 0 };
}

/**
 * Fetches the available reports of finished submissions, while other submissions are outstanding. Throws TransientError as `fetch` does.
 *
 * @example
 * ```ts
 * import type { AnalysisContext } from './lib/pipeline/context.ts';
 * import type { Run } from './lib/pipeline/model.ts';
 * import { poll } from './lib/pipeline/poll.ts';
 *
 * async function known(ctx: AnalysisContext, run: Run): Promise<Run> {
 *   return await fetchEnded(ctx, await poll(ctx, run));
 * }
 * ```
 */
export async function fetchEnded(ctx: AnalysisContext, run: Run): Promise<Run> {
  return (await fetchMissing(ctx, run, { stage: 'fetch', runId: run.runId, isAway: false })).run;
}

/** Writes one entry with the available reports. Writes none when there are no new reports. */
async function fetchMissing(ctx: AnalysisContext, run: Run, absence: Absence) {
  const { ledger, run: next } = await onLedger(ctx, 'fetch', run, async (found) => ({
    ...(await fetchAll(ctx, found, absence)),
    polls: notFewer(found, run.polls),
  }));
  const missing = ledger.artifacts.flatMap(({ submissions }) => submissions.filter(isFinished)).length;
  return { run: next, missing };
}

/** Returns true for a submission that has ended and whose report is still with the service. */
const isFinished = (submission: Submission): boolean => !isOutstanding(submission) && !submission.fetched;

async function fetchAll(ctx: AnalysisContext, ledger: Ledger, absence: Absence): Promise<ChangedBy<'submit'>> {
  const finished = ledger.artifacts.flatMap((artifact) =>
    artifact.submissions.filter(isFinished).map((submission) => ({ artifact, submission })),
  );
  const fetched = await mapBounded(finished, ctx.limits.concurrentSubmissions, async ({ artifact, submission }) => {
    return [submission, await fetchOrWait(ctx, ledger, artifact, submission, absence)] as const;
  });
  const changed = new Map(fetched);
  return mapSubmissions(ledger, (submission) => changed.get(submission) ?? submission);
}

async function fetchOrWait(
  ctx: AnalysisContext,
  ledger: Ledger,
  artifact: Artifact,
  submission: Submission,
  absence: Absence,
): Promise<Submission> {
  const missing = () =>
    isPastDeadline(ctx, ledger) ? failed(submission, timestamp(ctx), timedOut(ledger)) : submission;
  if (absence.isAway) return missing();
  try {
    return await fetchOne(ctx, claimantOf(ledger).name, artifact, submission);
  } catch (error) {
    waitOut(ctx, absence, error);
    return missing();
  }
}

async function fetchOne(
  ctx: AnalysisContext,
  runId: string,
  artifact: Artifact,
  submission: Submission,
): Promise<Submission> {
  const submissionId = submission.submissionId as string;
  try {
    const report = await ctx.analyzer.report(submission.kind, submissionId);
    const disarmed = report.hasDisarmedFile ? await fetchDisarmed(ctx, submissionId) : null;
    return await taken(ctx, runId, artifact, submission, report, disarmed);
  } catch (error) {
    if (error instanceof AnalyzerRefusal)
      return failed(submission, timestamp(ctx), { class: error.failureClass, detail: error.message });
    if (error instanceof LimitExceededError)
      return failed(submission, timestamp(ctx), { class: 'oversize', detail: `the disarmed file: ${error.message}` });
    throw error;
  }
}

async function fetchDisarmed(ctx: AnalysisContext, submissionId: string): Promise<SubmissionRecord['disarmed']> {
  const bytes = await ctx.analyzer.disarmedFile(submissionId, ctx.limits.disarmedBytes);
  const sha256 = sha256Hex(bytes);
  await ctx.blobs.put('work', keys.disarmed(sha256), bytes);
  return { sha256, size: bytes.length };
}
