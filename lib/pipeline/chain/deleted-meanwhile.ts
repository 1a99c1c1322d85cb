/**
 * A message that a person deletes while a function is still filing it: another function of the same attempt had filed it before, or nobody could have
 * deleted it. Such a write is taken back. A process that looks after its own write sees the decision, or it wrote before the
 * deleting one looked for objects to remove.
 */
import type { StoreContext } from '../context.ts';
import { isLostRecord } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Run } from '../model.ts';
import { newestAttempt, newestChain } from './newest-chain.ts';

/** True when a person deleted the message after this attempt. Throws TransientError. */
async function isDeletedSince(ctx: StoreContext, { runId, attempt }: Pick<Run, 'runId' | 'attempt'>): Promise<boolean> {
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
 * When a person deleted the message after this attempt: takes back whatever `quarantine` may have written of it, in this try or in one that was
 * killed before it looked. Only `review` may remove anything in that bucket, so the objects stay, with nothing in them. True when it was
 * deleted. Throws TransientError.
 */
export async function isTakenBack(ctx: StoreContext, run: Pick<Run, 'runId' | 'attempt'>): Promise<boolean> {
  const { runId, attempt } = run;
  if (!(await isDeletedSince(ctx, run))) return false;
  for (const name of HELD) await ctx.blobs.put('quarantine', keys[name](runId, attempt), new Uint8Array(0));
  ctx.log.warn('a person deleted the message while it was filed', { runId });
  return true;
}

const HELD = ['quarantinedOriginal', 'quarantineRecord', 'quarantineNotice'] as const;
