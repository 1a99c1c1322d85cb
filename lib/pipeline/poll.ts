/**
 * Stage `poll`: asks once for every outstanding submission and never sleeps; the state machine does the waiting.
 *
 * When the service does not answer for a moment, the submission stays outstanding until the run's deadline. After the deadline,
 * every submission without a report is a timeout. So no answer, and no missing answer, can keep a run open for ever.
 */

import {
  isOutstanding,
  isPastDeadline,
  mapSubmissions,
  notFewer,
  timedOut,
  withOutstanding,
} from './analysis/outstanding.ts';
import { type Absence, noteAbsence, waitOut } from './analysis/patience.ts';
import { type Claimant, claimantOf, failed, obtainSubmission, submissionKeyOf } from './analysis/submission-of.ts';
import { taken } from './analysis/taken-report.ts';
import { mapBounded } from './bounded.ts';
import { onLedger, timestamp } from './chain/ledger-store.ts';
import type { ChangedBy } from './chain/may-change.ts';
import type { AnalysisContext } from './context.ts';
import { AnalyzerRefusal, TransientError } from './errors.ts';
import type { Artifact, Submission } from './ledger/artifact.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Report, Run } from './model.ts';

/**
 * Polls. The returned run says how many submissions are outstanding and how long to wait for them.
 *
 * @example
 * ```ts
 * import type { Run } from './lib/pipeline/model.ts';
 * import type { AnalysisContext } from './lib/pipeline/context.ts';
 *
 * async function isReady(ctx: AnalysisContext, run: Run): Promise<boolean> {
 *   return (await poll(ctx, run)).outstanding === 0;
 * }
 * ```
 */
export async function poll(ctx: AnalysisContext, run: Run): Promise<Run> {
  const answers: Answers = { stage: 'poll', runId: run.runId, isAway: false, retryAfterSeconds: [] };
  const polls = run.polls + 1;
  const done = await onLedger(ctx, 'poll', run, async (found) => ({
    ...(await pollAll(ctx, found, answers)),
    polls: notFewer(found, polls),
  }));
  const { retryAfterSeconds } = answers;
  return withOutstanding(ctx, done, polls, retryAfterSeconds.length > 0 ? Math.max(...retryAfterSeconds) : null);
}

/** The waits that the service asked for, besides its absence. */
interface Answers extends Absence {
  readonly retryAfterSeconds: number[];
}

async function pollAll(ctx: AnalysisContext, ledger: Ledger, answers: Answers): Promise<ChangedBy<'submit'>> {
  const outstanding = ledger.artifacts.flatMap((artifact) =>
    artifact.submissions.filter(isOutstanding).map((submission) => ({ artifact, submission })),
  );
  const polled = await mapBounded(outstanding, ctx.limits.concurrentSubmissions, async ({ artifact, submission }) => {
    const answer = await pollOne(ctx, claimantOf(ledger), artifact, submission, answers);
    return [submission, expire(ctx, ledger, answer)] as const;
  });
  const changed = new Map(polled);
  return mapSubmissions(ledger, (submission) => changed.get(submission) ?? submission);
}

async function pollOne(
  ctx: AnalysisContext,
  claimant: Claimant,
  artifact: Artifact,
  submission: Submission,
  answers: Answers,
): Promise<Submission> {
  if (answers.isAway) return submission;
  try {
    if (submission.submissionId === null) return await lookAgain(ctx, claimant, artifact, submission);
    const progress = await ctx.analyzer.progress(submission.kind, submission.submissionId);
    if (progress.state === 'finished') return await finished(ctx, claimant, artifact, submission, progress.report);
    if (progress.retryAfterSeconds !== null) answers.retryAfterSeconds.push(progress.retryAfterSeconds);
    return submission;
  } catch (error) {
    if (error instanceof AnalyzerRefusal)
      return failed(submission, timestamp(ctx), { class: error.failureClass, detail: error.message });
    // The service can still answer a submission that it has accepted. So everybody waits for it, even a person.
    if (error instanceof TransientError) noteAbsence(ctx, answers, error);
    else waitOut(ctx, answers, error);
    return submission;
  }
}

/** Takes the report that the answer had. `fetch` reads the others, and every report with a disarmed file, which it also reads. */
async function finished(
  ctx: AnalysisContext,
  { name }: Claimant,
  artifact: Artifact,
  submission: Submission,
  report: Report | undefined,
): Promise<Submission> {
  const ended = { ...submission, status: 'completed', finishedAt: timestamp(ctx) } as const;
  return report === undefined || report.hasDisarmedFile ? ended : taken(ctx, name, artifact, ended, report, null);
}

/**
 * This run could not send it yet, or joined before the other run had an id. If the other run gave up or crashed meanwhile, this one
 * takes over.
 */
async function lookAgain(
  ctx: AnalysisContext,
  claimant: Claimant,
  artifact: Artifact,
  waiting: Submission,
): Promise<Submission> {
  const key = await submissionKeyOf(ctx, artifact, waiting.kind);
  const record = await ctx.submissions.find(key, ctx.clock.now() / 1000);
  if (record && record.submissionId === null && record.claimedBy !== claimant.name) return waiting;
  return obtainSubmission(ctx, claimant, artifact, waiting.kind);
}

function expire(ctx: AnalysisContext, ledger: Ledger, submission: Submission): Submission {
  if (!isOutstanding(submission) || !isPastDeadline(ctx, ledger)) return submission;
  return failed(submission, timestamp(ctx), timedOut(ledger));
}
