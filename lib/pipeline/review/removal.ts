/**
 * What a person deleted is removed once more when no function can be filing it any more. A function of `quarantine` that its caller has given up may write
 * behind the first removal, and be killed before it looks. A removal whose process was killed is made up for, too.
 */
import * as z from 'zod/mini';
import { RunId } from '../ledger/run-id.ts';
import { lastAttempt } from './redrive.ts';
import type { CarryOutContext } from './review-request.ts';

const Removal = z.object({ remove: z.object({ runId: RunId }) });

/** A request to remove what is held of a run, if it was deleted. */
export function removalRequest(runId: string): z.infer<typeof Removal> {
  return { remove: { runId } };
}

/** The run in the body of a message. Throws ZodError when the message is something else. */
export function removalOf(body: unknown): string {
  return Removal.parse(body).remove.runId;
}

/** Removes what is held of the run, and has the index look, if a person deleted it: the signed chain says so. Throws TransientError. */
export async function removeDeleted(ctx: CarryOutContext, runId: string): Promise<void> {
  const { chain, number } = await lastAttempt(ctx, runId);
  if (chain?.ledger.terminal?.state !== 'deleted') return;
  await ctx.removeHeld(runId, chain.ledger.intake);
  await ctx.noted(runId, number);
}
