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

/** Returns the number of the newest attempt of a run; 1 when nothing is known of it. */
export async function newestAttempt(ctx: StoreContext, runId: string): Promise<number> {
  for (let number = FIRST_ATTEMPT; ; number += 1) {
    const next = number + 1;
    const isThere = await Promise.all(BEGINNINGS.map((name) => ctx.blobs.has('work', keys.entry(runId, next, name))));
    if (!isThere.includes(true) || next > ctx.limits.attempts) return number;
  }
}

/** The entries that can be the first of a later attempt. `quarantine` writes the first one when the mail could not be read again. */
const BEGINNINGS = [entryName('redrive', 1), 'parse', 'quarantine'] as const;
