/**
 * A person may delete a message while a function is still filing it, because another function of the same attempt had filed it before. Such
 * a late write is undone. A process that checks after its own write sees the decision. Otherwise it wrote before the deleting process
 * looked for objects to remove.
 */
import type { StoreContext } from '../context.ts';
import { isLostRecord } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Run } from '../model.ts';
import { newestAttempt, newestChain } from './newest-chain.ts';

/** Returns true when a person deleted the message after this attempt. Throws TransientError. */
async function isDeletedSince(ctx: StoreContext, { runId, attempt }: Pick<Run, 'runId' | 'attempt'>): Promise<boolean> {
  const newest = await newestAttempt(ctx, runId);
  if (newest <= attempt) return false;
  try {
    return (await newestChain(ctx, runId, newest)).ledger.terminal?.state === 'deleted';
  } catch (error) {
    // Nobody knows of a decision, so the held message stays.
    if (!isLostRecord(error)) throw error;
    return false;
  }
}

/**
 * If a person deleted the message after this attempt, undoes everything that `quarantine` may have written of it. That includes a try that
 * was killed before its check. Only `review` may remove objects of that bucket, so the objects stay, but empty. Returns true when the
 * message was deleted. Throws TransientError.
 */
export async function isTakenBack(ctx: StoreContext, run: Pick<Run, 'runId' | 'attempt'>): Promise<boolean> {
  const { runId, attempt } = run;
  if (!(await isDeletedSince(ctx, run))) return false;
  for (const name of HELD) await ctx.blobs.put('quarantine', keys[name](runId, attempt), new Uint8Array(0));
  ctx.log.warn('a person deleted the message while it was filed', { runId });
  return true;
}

const HELD = ['quarantinedOriginal', 'quarantineRecord', 'quarantineNotice'] as const;
