/**
 * Keeps exactly one terminal state per attempt. A stage that wants to end it first claims the end, with a write that succeeds once. A stage
 * that finds another claim does not end the attempt a second time. To take over from a failed delivery, `quarantine` first stops it, and
 * waits for as long as a begun delivery can go on.
 */
import * as z from 'zod/mini';
import type { StoreContext } from '../context.ts';
import { CorruptDataError } from '../errors.ts';
import { keys } from '../keys.ts';
import type { Run } from '../model.ts';
import { parseStored, timestamp } from './ledger-store.ts';

const Claim = z.object({
  state: z.enum(['delivered', 'quarantined']),
  at: z.iso.datetime(),
  /** Since this time, no delivery begins. A delivery that had begun may still be writing. */
  stoppedAt: z.optional(z.iso.datetime()),
});
export type TerminalClaim = z.infer<typeof Claim>;

const MAX_CLAIM_BYTES = 1_000;

/** An attempt of a run. */
type Attempted = Pick<Run, 'runId' | 'attempt'>;

/** Claims the end of an attempt. Returns the valid claim: this one, or an earlier one. */
export async function claimEnd(
  ctx: StoreContext,
  { runId, attempt }: Attempted,
  state: TerminalClaim['state'],
): Promise<TerminalClaim> {
  const key = keys.terminal(runId, attempt);
  const claim: TerminalClaim = { state, at: timestamp(ctx) };
  const bytes = new TextEncoder().encode(JSON.stringify(claim));
  if (await ctx.blobs.put('work', key, bytes, { contentType: 'application/json', ifAbsent: true })) return claim;
  const found = await ctx.blobs.get('work', key, { maxBytes: MAX_CLAIM_BYTES });
  const parsed = Claim.safeParse(parseStored(found, `the terminal claim of run ${runId}`));
  if (!parsed.success) throw new CorruptDataError(`the terminal claim of run ${runId} cannot be read`);
  return parsed.data;
}

/** Notes on a claim that no delivery may begin any more. A later stop of another caller only makes everybody wait longer. */
export async function stopDelivery(ctx: StoreContext, of: Attempted, claim: TerminalClaim): Promise<void> {
  await replaceClaim(ctx, of, { ...claim, stoppedAt: timestamp(ctx) });
}

/** Takes over a claim whose holder no longer works. */
export async function overrideEnd(ctx: StoreContext, of: Attempted, state: TerminalClaim['state']): Promise<void> {
  await replaceClaim(ctx, of, { state, at: timestamp(ctx) });
}

async function replaceClaim(ctx: StoreContext, { runId, attempt }: Attempted, claim: TerminalClaim): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(claim));
  await ctx.blobs.put('work', keys.terminal(runId, attempt), bytes, { contentType: 'application/json' });
}
