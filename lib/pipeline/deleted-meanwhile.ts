/**
 * A message that a person deletes while a function is still filing it: another function of the same attempt had filed it before, or nobody could have
 * deleted it. What is written then is taken back. Whoever looks after its own write sees the decision, or wrote before whoever deletes looks for
 * what to remove.
 */
import type { StoreContext } from './context.ts';
import { isLostRecord } from './errors.ts';
import type { Run } from './model.ts';
import { newestAttempt, newestChain } from './newest-chain.ts';

/** True when a person deleted the message after this attempt. Throws TransientError. */
export async function isDeletedSince(
  ctx: StoreContext,
  { runId, attempt }: Pick<Run, 'runId' | 'attempt'>,
): Promise<boolean> {
  const newest = await newestAttempt(ctx, runId);
  if (newest <= attempt) return false;
  try {
    return (await newestChain(ctx, runId, newest)).ledger.terminal?.state === 'deleted';
  } catch (error) {
    // Nobody knows of a decision: what is held stays.
    if (!isLostRecord(error)) throw error;
    return false;
  }
}

/**
 * Takes back what was written under these keys of the quarantine bucket. Only `review` may remove anything there, so the objects stay, with nothing
 * in them. Throws TransientError.
 */
export async function takeBack(
  ctx: StoreContext,
  { runId }: Pick<Run, 'runId'>,
  written: readonly string[],
): Promise<void> {
  for (const key of written) await ctx.blobs.put('quarantine', key, new Uint8Array(0));
  ctx.log.warn('a person deleted the message while it was filed', { runId });
}
