/** Finds the newest entry of a run when nobody says which it is. */

import type { StoreContext } from '../context.ts';
import { NotFoundError } from '../errors.ts';
import { entryName, keys } from '../keys.ts';
import { FIRST_ATTEMPT } from '../ledger/attempt.ts';
import { NUMBERED_STAGES, WRITERS, type Writer } from '../model.ts';
import { type Chain, findChain, readChain } from './chain.ts';

/**
 * The chain of an attempt up to its newest entry. An end counts more than what another stage wrote meanwhile. Throws NotFoundError when
 * there is no entry, and what `readChain` throws.
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
 * How far a run has come with the entry of each writer. Those of one number stand behind each other in any order, so the longest chain
 * counts. An entry that began a chain stands behind `parse` and before every other stage; all of them have one name.
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

/** The chain up to the newest entry of a stage, or null. */
async function newestOf(ctx: StoreContext, runId: string, attempt: number, stage: Writer): Promise<Chain | null> {
  // Most runs that are looked for have ended, so the first entry that is asked for is mostly there.
  if (!NUMBERED_STAGES.includes(stage)) return findChain(ctx, runId, attempt, entryName(stage, 1));
  const has = (number: number) => ctx.blobs.has('work', keys.entry(runId, attempt, entryName(stage, number)));
  if (!(await has(1))) return null;
  // There is no gap in the numbers: twice as far until one is missing, then halfway between.
  let [there, missing] = [1, 2];
  while (missing <= ctx.limits.chainEntries && (await has(missing))) [there, missing] = [missing, missing * 2];
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (await has(middle)) there = middle;
    else missing = middle;
  }
  return readChain(ctx, runId, attempt, entryName(stage, there));
}

/** The number of the newest attempt of a run; 1 when nothing is known of it. */
export async function newestAttempt(ctx: StoreContext, runId: string): Promise<number> {
  for (let number = FIRST_ATTEMPT; ; number += 1) {
    const next = number + 1;
    const isThere = await Promise.all(BEGINNINGS.map((name) => ctx.blobs.has('work', keys.entry(runId, next, name))));
    if (!isThere.includes(true) || next > ctx.limits.attempts) return number;
  }
}

/** The first entries of an attempt after the first. That of `quarantine` is one when the mail could not be read again. */
const BEGINNINGS = [entryName('redrive', 1), 'parse', 'quarantine'] as const;
