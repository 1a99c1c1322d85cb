/** The submissions of a ledger that are still outstanding, and the run state that counts them. */

import type { Done } from '../chain/ledger-store.ts';
import type { AnalysisContext } from '../context.ts';
import type { Artifact, Submission } from '../ledger/artifact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Failure, Run } from '../model.ts';
import { nextWaitSeconds } from './poll-schedule.ts';

/** Returns true while a submission has no report to fetch. */
export function isOutstanding(submission: Submission): boolean {
  return submission.status === 'accepted';
}

/** Returns the run after its submissions changed: how many are outstanding, and how long to wait for them. */
export function withOutstanding(
  ctx: AnalysisContext,
  { run, ledger }: Done,
  polls: number,
  retryAfterSeconds: number | null,
): Run {
  const outstanding = ledger.artifacts.flatMap((artifact) => artifact.submissions).filter(isOutstanding);
  const waitSeconds = nextWaitSeconds(ctx.schedule, {
    outstandingKinds: outstanding.map((submission) => submission.kind),
    polls,
    retryAfterSeconds,
    remainingSeconds: (Date.parse(ledger.deadlineAt) - ctx.clock.now()) / 1000,
  });
  return { ...run, outstanding: outstanding.length, waitSeconds, polls };
}

/**
 * Returns the number of polls for an entry. An execution that follows another one of its run counts from 0, but the numbers of entries
 * continue.
 */
export function notFewer(ledger: Ledger, polls: number): number {
  return Math.max(ledger.polls, polls);
}

/** Replaces submissions of a ledger. `replace` gets each submission with its artifact and returns it, changed or unchanged. */
export function mapSubmissions(
  ledger: Ledger,
  replace: (submission: Submission, artifact: Artifact) => Submission,
): Pick<Ledger, 'artifacts'> {
  const artifacts = ledger.artifacts.map((artifact) => ({
    ...artifact,
    submissions: artifact.submissions.map((submission) => replace(submission, artifact)),
  }));
  return { artifacts };
}

/** Returns the reason why a submission failed that has no report at the run's deadline. */
export function timedOut({ attempt, deadlineAt }: Ledger): Failure {
  const seconds = Math.round((Date.parse(deadlineAt) - Date.parse(attempt.begunAt)) / 1000);
  return { class: 'timeout', detail: `no report within ${seconds} seconds` };
}

/** Returns true when the time of the run for its analyses is over. */
export function isPastDeadline(ctx: AnalysisContext, { deadlineAt }: Ledger): boolean {
  return ctx.clock.now() >= Date.parse(deadlineAt);
}
