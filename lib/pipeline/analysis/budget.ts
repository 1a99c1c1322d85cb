/**
 * Spends a quota of the sandbox on the files of the highest priority. An analysis that is not requested has failed with the class `not_asked`.
 * Policy reads this class, so the file is never taken for harmless.
 */

import { timestamp } from '../chain/ledger-store.ts';
import type { AnalysisContext } from '../context.ts';
import { ConfigError, TransientError } from '../errors.ts';
import { keys } from '../keys.ts';
import { type Artifact, type FileArtifact, submittedIdOf } from '../ledger/artifact.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Kind, Quota } from '../model.ts';
import type { Policy } from '../policy/policy.ts';
import { mailBudget } from './mail-budget.ts';
import { PRIORITY_WORDS, type PriorityReason, pointsNeeded, pointsOf, priorityReasonsOf } from './sandbox-priority.ts';
import { claimantOf, isShared, submissionKeyOf } from './submission-of.ts';

/** One analysis that policy wants. */
export interface Wanted {
  readonly artifact: Artifact;
  readonly kind: Kind;
}

/** The most expensive kind. Without it, a file still gets the other analyses. */
const BUDGETED: Kind = 'sandbox';

/**
 * Returns the reasons why some of these analyses are not requested, in words. Takes places in the budget of the day for the others. Throws
 * TransientError.
 */
export async function notAsked(
  ctx: AnalysisContext,
  policy: Policy,
  ledger: Ledger,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<Wanted, string>> {
  const counted = wanted.filter(({ artifact, kind }) => kind === BUDGETED && artifact.type === 'file');
  const { sandboxPerMail, sandboxPerDay } = policy.budget;
  const told = counted.length === 0 ? null : await quotaOf(ctx);
  if (counted.length === 0 || (told === null && sandboxPerMail === null && sandboxPerDay === null)) return new Map();
  const byFile = await priorityReasonsOf(
    ctx,
    ledger,
    counted.map(({ artifact }) => artifact as FileArtifact),
  );
  const reasonsFor = ({ artifact }: Wanted) => byFile.get(artifact as FileArtifact) ?? [];
  const ranked = [...counted].sort((one, other) => pointsOf(reasonsFor(other)) - pointsOf(reasonsFor(one)));
  const day = await dayBudget(ctx, ledger, sandboxPerDay);
  const mail = await mailBudget(ctx, ledger, BUDGETED, sandboxPerMail);
  const full = `of one mail, the sandbox is asked about ${sandboxPerMail} files, and others come first`;
  const why = new Map<Wanted, string>();
  let spent = 0;
  for (const one of ranked) {
    if (await isAnswered(ctx, ledger, one)) continue;
    const quota = told && { ...told, left: told.left - spent };
    const id = submittedIdOf(one.artifact, BUDGETED);
    // The place of the mail is taken last, so that it stays free when the day has none.
    const reason = !mail.hasRoom(id)
      ? full
      : ((quota && shortage(quota, 'the service', reasonsFor(one))) ??
        (await day.take(reasonsFor(one))) ??
        ((await mail.take(id)) ? null : full));
    if (reason === null) spent += 1;
    else why.set(one, `${reason}; ${inWords(reasonsFor(one))}`);
  }
  return why;
}

const inWords = (reasons: readonly PriorityReason[]) =>
  reasons.length === 0
    ? 'nothing gives this one priority'
    : `this one is ${reasons.map((each) => PRIORITY_WORDS[each]).join(', ')}`;

/** Returns the reason why a file is not analysed while the quota is this low; null when it is analysed. */
function shortage({ limit, left }: Quota, whose: string, reasons: readonly PriorityReason[]): string | null {
  if (left <= 0) return `nothing of the ${limit} submissions of today is left (${whose})`;
  if (pointsOf(reasons) >= pointsNeeded({ limit, left })) return null;
  return `${left} of the ${limit} submissions of today are left (${whose}), and they are kept for files of a higher priority`;
}

/** Returns the quota. A service that is away tells nothing. Its submissions then wait, as they would without a budget. */
async function quotaOf({ analyzer }: AnalysisContext): Promise<Quota | null> {
  try {
    return (await analyzer.quota?.(BUDGETED)) ?? null;
  } catch (error) {
    if (error instanceof TransientError || error instanceof ConfigError) return null;
    throw error;
  }
}

/** Returns whether an analysis is known or already under way. Such an analysis costs nothing. */
async function isAnswered(ctx: AnalysisContext, ledger: Ledger, { artifact, kind }: Wanted): Promise<boolean> {
  try {
    const record = await ctx.submissions.find(await submissionKeyOf(ctx, artifact, kind), ctx.clock.now() / 1000);
    return record !== null && isShared(record, claimantOf(ledger), ctx.limits);
  } catch (error) {
    if (error instanceof TransientError || error instanceof ConfigError) return false;
    throw error;
  }
}

interface DayBudget {
  /** Takes a place. If none is taken, returns the reason. */
  take(reasons: readonly PriorityReason[]): Promise<string | null>;
}

/**
 * Makes the budget that policy sets for a day. Each place is an object that is written once, so runs that end together do not overspend.
 */
async function dayBudget(ctx: AnalysisContext, { runId }: Ledger, limit: number | null): Promise<DayBudget> {
  if (limit === null) return { take: async () => null };
  const day = timestamp(ctx).slice(0, 10);
  const own = new TextEncoder().encode(runId);
  const key = (place: number) => keys.budgetPlace(BUDGETED, day, place);
  let taken = await lastPlace(limit, (place) => ctx.blobs.has('work', key(place)));
  return {
    async take(reasons) {
      for (;;) {
        const why = shortage({ limit, left: limit - taken }, 'as policy says', reasons);
        if (why !== null) return why;
        taken += 1;
        if (await ctx.blobs.put('work', key(taken), own, { ifAbsent: true })) return null;
      }
    },
  };
}

/** Returns the last taken place, of at most this many. It doubles the number until a place is free, then halves the interval. */
async function lastPlace(most: number, isTaken: (place: number) => Promise<boolean>): Promise<number> {
  let [taken, free] = [0, 1];
  while (free <= most && (await isTaken(free))) [taken, free] = [free, free * 2];
  free = Math.min(free, most + 1);
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return taken;
}
