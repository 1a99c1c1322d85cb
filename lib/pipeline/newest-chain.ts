/** Finds the newest entry of a run when nobody says which it is. */
import { type Chain, readChain } from './chain.ts';
import type { StoreContext } from './context.ts';
import { NotFoundError } from './errors.ts';
import { entryName, keys } from './keys.ts';
import { NUMBERED_STAGES, STAGE_NAMES, type StageName } from './model.ts';

/**
 * The chain of an attempt up to its newest entry. An end counts more than what another stage wrote meanwhile. Throws NotFoundError when
 * there is no entry, and what `readChain` throws.
 */
export async function newestChain(ctx: StoreContext, runId: string, attempt: number): Promise<Chain> {
  for (const stage of ENDS_FIRST) {
    const name = await newestName(ctx, runId, attempt, stage);
    if (name !== null) return await readChain(ctx, runId, attempt, name);
  }
  throw new NotFoundError('work', keys.entry(runId, attempt, 'parse'));
}

const ENDS: readonly StageName[] = ['deliver', 'quarantine'];
const ENDS_FIRST = [...ENDS, ...STAGE_NAMES.filter((stage) => !ENDS.includes(stage)).reverse()];

/** The name of the newest entry of a stage, or null. */
async function newestName(ctx: StoreContext, runId: string, attempt: number, stage: StageName): Promise<string | null> {
  const has = (number: number) => ctx.blobs.has('work', keys.entry(runId, attempt, entryName(stage, number)));
  if (!(await has(1))) return null;
  if (!NUMBERED_STAGES.includes(stage)) return entryName(stage, 1);
  // There is no gap in the numbers: twice as far until one is missing, then halfway between.
  let [there, missing] = [1, 2];
  while (missing <= ctx.limits.chainEntries && (await has(missing))) [there, missing] = [missing, missing * 2];
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    if (await has(middle)) there = middle;
    else missing = middle;
  }
  return entryName(stage, there);
}
