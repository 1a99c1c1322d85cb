/**
 * Deleted mail is removed once more when no function can be filing it any more. A function of `quarantine` may write after the first
 * removal, although its caller has given it up, and be killed before its check. This removal also completes one whose process was killed.
 */
import * as z from 'zod/mini';
import { RunId } from '../ledger/run-id.ts';
import { lastAttempt } from './redrive.ts';
import type { CarryOutContext } from './request.ts';

const Removal = z.object({ remove: z.object({ runId: RunId }) });

/** Returns a request to remove the stored objects of a run, if it was deleted. */
export function removalRequest(runId: string): z.infer<typeof Removal> {
  return { remove: { runId } };
}

/** Reads the run in the body of a message. Throws ZodError when the message is something else. */
export function removalOf(body: unknown): string {
  return Removal.parse(body).remove.runId;
}

/**
 * Removes the stored objects of the run, and updates the index, if a person deleted it. The signed chain tells that. Throws TransientError.
 */
export async function removeDeleted(ctx: CarryOutContext, runId: string): Promise<void> {
  const { chain, number } = await lastAttempt(ctx, runId);
  if (chain?.ledger.terminal?.state !== 'deleted') return;
  await ctx.removeHeld(runId, chain.ledger.intake);
  await ctx.noted(runId, number);
}
