/**
 * Stage `submit`: asks the service for every analysis that policy wants for every artifact.
 *
 * Safe to repeat: submissions that the ledger lists are left alone. A submission that this run sent but did not note is found
 * again by its claim.
 */
import { mapBounded } from './bounded.ts';
import type { AnalysisContext } from './context.ts';
import type { Artifact, Ledger } from './ledger.ts';
import { onLedger } from './ledger-store.ts';
import type { Kind, Run } from './model.ts';
import { withOutstanding } from './outstanding.ts';
import { obtainSubmission } from './submission-of.ts';
import { kindsWanted } from './wanted.ts';

/**
 * Writes the submissions to the ledger: sent, joined or known. The returned run says how long to wait. Throws TransientError.
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
  const ledger = await onLedger(ctx, 'submit', run.runId, (found) => submitAll(ctx, found));
  return withOutstanding(ctx, run, ledger, null);
}

async function submitAll(ctx: AnalysisContext, ledger: Ledger): Promise<Ledger> {
  const wanted = worthAnalysing(ctx, ledger).flatMap((artifact) => missingKinds(ctx, artifact));
  const made = await mapBounded(wanted, ctx.limits.concurrentSubmissions, ({ artifact, kind }) =>
    obtainSubmission(ctx, ledger.runId, artifact, kind),
  );
  const submissionsOf = (artifact: Artifact) => made.filter((_, index) => wanted[index]?.artifact === artifact);
  return {
    ...ledger,
    artifacts: ledger.artifacts.map((artifact) => ({
      ...artifact,
      submissions: [...artifact.submissions, ...submissionsOf(artifact)],
    })),
  };
}

/** A message over a limit is quarantined whatever its parts are, and it may have thousands of them. */
function worthAnalysing(ctx: AnalysisContext, { failure, warnings, artifacts }: Ledger): readonly Artifact[] {
  if (failure) return [];
  const isOverLimit = warnings.some(({ code }) => code === 'limit_exceeded');
  return isOverLimit ? artifacts.slice(0, ctx.limits.artifactsOfOversize) : artifacts;
}

/** The analyses that policy asks for and the ledger does not list yet. An empty file has nothing to judge. */
function missingKinds(ctx: AnalysisContext, artifact: Artifact): { artifact: Artifact; kind: Kind }[] {
  if (artifact.type === 'file' && artifact.size === 0) return [];
  return [...new Set(kindsWanted(ctx.policy, artifact))]
    .filter((kind) => !artifact.submissions.some((submission) => submission.kind === kind))
    .map((kind) => ({ artifact, kind }));
}
