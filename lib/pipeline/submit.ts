/**
 * Stage `submit`: asks the service for every analysis that policy wants for every artifact.
 *
 * When the service is away, the unsent submissions stay outstanding, and `poll` sends them.
 *
 * Safe to repeat: submissions that the ledger lists are left alone. A submission that this run sent but did not note is found
 * again by its claim.
 */
import { notAsked, type Wanted } from './analysis/budget.ts';
import { withOutstanding } from './analysis/outstanding.ts';
import { type Absence, waitOut } from './analysis/patience.ts';
import { noteQuota } from './analysis/quota-note.ts';
import { type Claimant, claimantOf, failed, obtainSubmission, unsent } from './analysis/submission-of.ts';
import { mapBounded } from './bounded.ts';
import { onLedger, timestamp } from './chain/ledger-store.ts';
import type { ChangedBy } from './chain/may-change.ts';
import type { AnalysisContext } from './context.ts';
import { isOverLimit, kindsWanted } from './judging/wanted.ts';
import type { Artifact, Submission } from './ledger/artifact.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Run } from './model.ts';
import { policyFor } from './policy/for-recipients.ts';
import type { Policy } from './policy/policy.ts';

/**
 * Writes the submissions to the ledger: sent, joined, known or still to be sent. The returned run says how long to wait. Throws
 * TransientError when the service is away and `ctx.schedule` says that nobody waits for it.
 *
 * @example
 * ```ts
 * import type { Run } from './lib/pipeline/model.ts';
 * import type { AnalysisContext } from './lib/pipeline/context.ts';
 *
 * async function secondsToWait(ctx: AnalysisContext, run: Run): Promise<number> {
 *   return (await submit(ctx, run)).waitSeconds;
 * }
 * ```
 */
export async function submit(ctx: AnalysisContext, run: Run): Promise<Run> {
  const done = await onLedger(ctx, 'submit', run, (found) => submitAll(ctx, found));
  return withOutstanding(ctx, done, run.polls, null);
}

async function submitAll(ctx: AnalysisContext, ledger: Ledger): Promise<ChangedBy<'submit'>> {
  const policy = policyFor(ctx.policy, ledger);
  const wanted = worthAnalysing(ctx, ledger).flatMap((artifact) => missingKinds(policy, artifact));
  const absence: Absence = { stage: 'submit', runId: ledger.runId, isAway: false };
  const spared = await notAsked(ctx, policy, ledger, wanted);
  const made = await mapBounded(wanted, ctx.limits.concurrentSubmissions, async (one) => {
    const detail = spared.get(one);
    if (detail === undefined) return obtainOrWait(ctx, claimantOf(ledger), one, absence);
    return failed(unsent(ctx, one.kind), timestamp(ctx), { class: 'not_asked', detail });
  });
  const sent = wanted.find((_, index) => made[index]?.source === 'submitted' && made[index]?.submissionId !== null);
  if (sent !== undefined) await noteQuota(ctx, sent.kind);
  const submissionsOf = (artifact: Artifact) => made.filter((_, index) => wanted[index]?.artifact === artifact);
  return {
    artifacts: ledger.artifacts.map((artifact) => ({
      ...artifact,
      submissions: [...artifact.submissions, ...submissionsOf(artifact)],
    })),
  };
}

async function obtainOrWait(
  ctx: AnalysisContext,
  claimant: Claimant,
  { artifact, kind }: Wanted,
  absence: Absence,
): Promise<Submission> {
  if (absence.isAway) return unsent(ctx, kind);
  try {
    return await obtainSubmission(ctx, claimant, artifact, kind);
  } catch (error) {
    waitOut(ctx, absence, error);
    return unsent(ctx, kind);
  }
}

/** A message over a limit is quarantined with any parts, and it may have thousands of them. */
function worthAnalysing(ctx: AnalysisContext, ledger: Ledger): readonly Artifact[] {
  if (ledger.failure) return [];
  return isOverLimit(ledger) ? ledger.artifacts.slice(0, ctx.limits.artifactsOfOversize) : ledger.artifacts;
}

/** Returns the analyses that policy asks for and the ledger does not list yet. An empty file has nothing to judge. */
function missingKinds(policy: Policy, artifact: Artifact): Wanted[] {
  if (artifact.type === 'file' && artifact.size === 0) return [];
  return [...new Set(kindsWanted(policy, artifact))]
    .filter((kind) => !artifact.submissions.some((submission) => submission.kind === kind))
    .map((kind) => ({ artifact, kind }));
}
