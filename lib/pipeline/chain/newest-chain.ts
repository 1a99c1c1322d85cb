/** Finds the newest entry of a run when its name is not known. */

import type { StoreContext } from '../context.ts';
import { NotFoundError } from '../errors.ts';
import { entryName, keys } from '../keys.ts';
import { FIRST_ATTEMPT } from '../ledger/attempt.ts';
import { NUMBERED_STAGES, WRITERS, type Writer } from '../model.ts';
import { type Chain, findChain, readChain } from './chain.ts';

/**
 * Returns the chain of an attempt up to its newest entry. An end counts more than an entry that another stage wrote meanwhile. Throws
 * NotFoundError when there is no entry, and the errors of `readChain`.
 */
export async function newestChain(ctx: StoreContext, runId: string, attempt: number): Promise<Chain> {
  for (const stages of FURTHEST_FIRST) {
    const found = await Promise.all(stages.map((stage) => newestOf(ctx, runId, attempt, stage)));
    const chains = found.filter((chain) => chain !== null);
    const [longest] = chains.sort((one, other) => other.lines.length - one.lines.length);
    if (longest !== undefined) return longest;
  }
  throw new NotFoundError('work', keys.entry(runId, attempt, 'parse'));
}

/**
 * The progress of a run with the entry of each writer. Entries with one number follow each other in any order, so the longest chain counts.
 * An entry that began a chain comes after `parse` and before every other stage. All of these entries have one name.
 */
const HOW_FAR: Readonly<Record<Exclude<Writer, 'review'>, number>> = {
  parse: 0,
  redrive: 1,
  submit: 2,
  poll: 3,
  fetch: 3,
  early: 3,
  decide: 4,
  rebuild: 5,
  quarantine: 6,
  deliver: 7,
};

const FURTHEST_FIRST: readonly (readonly Writer[])[] = [...new Set(Object.values(HOW_FAR))]
  .sort((one, other) => other - one)
  .map((far) => WRITERS.filter((writer) => writer !== 'review' && HOW_FAR[writer] === far));

/** Returns the chain up to the newest entry of a stage, or null. */
async function newestOf(ctx: StoreContext, runId: string, attempt: number, stage: Writer): Promise<Chain | null> {
  // Most of these runs have ended, so the first entry that is requested usually exists.
  if (!NUMBERED_STAGES.includes(stage)) return findChain(ctx, runId, attempt, entryName(stage, 1));
  const has = (number: number) => ctx.blobs.has('work', keys.entry(runId, attempt, entryName(stage, number)));
  if (!(await has(1))) return null;
  // The numbers have no gap. It doubles the number until an entry is missing, then halves the interval.
  let [there, missing] = [1, 2];
  while (missing <= ctx.limits.chainEntries && (await has(missing))) [there, missing] = [missing, missing * 2];
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (await has(middle)) there = middle;
    else missing = middle;
  }
  return readChain(ctx, runId, attempt, entryName(stage, there));
}

/**
 * Returns the chain of an attempt that is said to be held. It looks for the end in the quarantine first, because nearly all of these
 * attempts have one. Throws as `newestChain` does.
 */
export async function heldChain(ctx: StoreContext, runId: string, attempt: number): Promise<Chain> {
  const held = await findChain(ctx, runId, attempt, entryName('quarantine', 1));
  return held?.ledger.terminal?.state === 'quarantined' ? held : newestChain(ctx, runId, attempt);
}

/** Returns the number of the newest attempt of a run; 1 when nothing is known of it. */
export async function newestAttempt(ctx: StoreContext, runId: string): Promise<number> {
  let newest = FIRST_ATTEMPT;
  while (newest < ctx.limits.attempts && (await hasBegun(ctx, runId, newest + 1))) newest += 1;
  return newest;
}

/**
 * Returns true when a later attempt has begun. Nobody writes its first entry without a note (beginning.ts), so one question is enough for
 * nearly all runs. A note alone is no beginning, because its process may have been killed before it wrote the entry.
 */
async function hasBegun({ blobs }: StoreContext, runId: string, attempt: number): Promise<boolean> {
  if (!(await blobs.has('work', keys.beginning(runId, attempt)))) return false;
  for (const name of BEGINNINGS) if (await blobs.has('work', keys.entry(runId, attempt, name))) return true;
  return false;
}

/** The entries that can be the first of a later attempt. `quarantine` writes the first one when the mail could not be read again. */
const BEGINNINGS = [entryName('redrive', 1), 'parse', 'quarantine'] as const;
