/**
 * Begins many runs again: named runs, or runs that are held for a temporary fault. One request is bounded, and its result tells where to
 * continue.
 */
import { mapBounded } from '../bounded.ts';
import type { RedriveContext } from '../context.ts';
import { FilesAwaitedError, LimitExceededError, NotFoundError } from '../errors.ts';
import type { HeldRun, HeldRuns } from '../ports.ts';
import type { PassingReason } from '../reason-codes.ts';
import { type LastAttempt, lastAttempt, obstacleTo, redrive, startedAgain } from './redrive.ts';

/** The runs to begin again. */
export type RedriveRequest = {
  /** Only reports the runs that would be begun. */
  readonly dryRun: boolean;
} & (
  | { readonly runs: readonly string[] }
  | {
      readonly reason: PassingReason | null;
      /** Held at this time or later, and before `until`. Milliseconds since the epoch. */
      readonly since: number | null;
      readonly until: number | null;
      /** The place at which the earlier request ended. */
      readonly after: string | null;
    }
);

/** The result for one run. */
export type Redriven =
  | { readonly runId: string; readonly attempt: number; readonly obstacle: null }
  | { readonly runId: string; readonly attempt: null; readonly obstacle: string };

export interface RedriveAnswer {
  /** The results. Of runs that were not named, it lists only those that were begun. */
  readonly runs: readonly Redriven[];
  /** The start of the next request; null when no run is left. */
  readonly next: string | null;
}

/** Does a request. Safe to repeat. Throws LimitExceededError over `redriveRuns`, TransientError. */
export async function redriveHeld(
  ctx: RedriveContext,
  heldRuns: HeldRuns,
  request: RedriveRequest,
): Promise<RedriveAnswer> {
  const most = ctx.limits.redriveRuns;
  const { dryRun } = request;
  if ('runs' in request) {
    if (request.runs.length > most) throw new LimitExceededError('redriveRuns', most, request.runs.length);
    const named = { isForced: true, reason: null, dryRun };
    return { runs: await each(ctx, request.runs, named), next: null };
  }
  const { reason, since, until, after } = request;
  const isInTime = ({ heldAt }: HeldRun) =>
    heldAt >= (since ?? Number.NEGATIVE_INFINITY) && heldAt < (until ?? Number.POSITIVE_INFINITY);
  const { runs, next } = await heldRuns.list(after, most);
  const wanted = runs.filter(isInTime).map(({ runId }) => runId);
  const looked = await each(ctx, wanted, { isForced: false, reason, dryRun });
  return { runs: looked.filter(({ obstacle }) => obstacle === null), next };
}

interface Wanted {
  readonly isForced: boolean;
  readonly reason: PassingReason | null;
  readonly dryRun: boolean;
}

function each(ctx: RedriveContext, runs: readonly string[], wanted: Wanted): Promise<Redriven[]> {
  return mapBounded([...new Set(runs)], ctx.limits.concurrentSubmissions, (runId) => one(ctx, runId, wanted));
}

async function one(ctx: RedriveContext, runId: string, { isForced, reason, dryRun }: Wanted): Promise<Redriven> {
  const last = await lastAttempt(ctx, runId);
  const begun = (attempt: number): Redriven => ({ runId, attempt, obstacle: null });
  if (!dryRun && (await startedAgain(ctx, last))) return begun(last.number);
  const obstacle = obstacleTo(last, isForced) ?? otherReason(last, reason);
  if (obstacle !== null) return { runId, attempt: null, obstacle };
  if (dryRun) return begun(last.number + 1);
  try {
    return begun((await redrive(ctx, last)).attempt);
  } catch (error) {
    // If one of many runs cannot be begun, the others still are.
    const isOfOne = [LimitExceededError, NotFoundError, FilesAwaitedError].some((kind) => error instanceof kind);
    if (!isOfOne) throw error;
    return { runId, attempt: null, obstacle: (error as Error).message };
  }
}

function otherReason({ chain }: LastAttempt, reason: PassingReason | null): string | null {
  const isSame = reason === null || chain?.ledger.reasons.some(({ code }) => code === reason);
  return isSame ? null : `it was not held as ${reason}`;
}
