/**
 * Finds the end of the run of an event. Anybody who may put events on the bus could forge one. So the chain decides, which its stages
 * signed.
 */
import type { Chain } from '../chain/chain.ts';
import { heldChain, newestChain } from '../chain/newest-chain.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord, TransientError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunEvent } from './run-event.ts';

/**
 * Returns the ledger of the attempt in an event, when its end is noted. Returns null when it is held and its chain does not say so, because
 * a lost chain has no end. Throws TransientError while a delivery is not noted yet, because nothing may count as delivered before.
 */
export async function endedRun(ctx: StoreContext, event: RunEvent): Promise<Ledger | null> {
  const ledger = (await chainOf(ctx, event))?.ledger ?? null;
  if (ledger?.terminal) return ledger;
  if (event.bucket === 'quarantine') return null;
  throw new TransientError(`the delivery of run ${event.runId} is not noted yet`);
}

/**
 * Both stages that end runs send the event before they note the end. A note that is still missing when the queue has given out the event
 * this often will not come.
 */
const LOOKS = 3;

/**
 * Does the same for work that also needs the ledger of a held run. `receipts` is how often the queue has given out the event. Throws
 * TransientError while the end is not noted yet; returns null when it will not be.
 */
export async function notedEnd(ctx: StoreContext, event: RunEvent, receipts: number): Promise<Ledger | null> {
  const ledger = await endedRun(ctx, event);
  if (ledger === null && receipts < LOOKS) throw new TransientError(`the end of run ${event.runId} is not noted yet`);
  return ledger;
}

/**
 * Returns true while another note of the same end may come. `quarantine` notes a complete delivery, and the `deliver` that made it may
 * still be about to note it, too. That second note counts from then on (newest-chain.ts).
 */
export function mayBeNotedAgain({ terminal, stages }: Ledger, receipts: number): boolean {
  return terminal?.state === 'delivered' && stages.at(-1)?.stage === 'quarantine' && receipts < LOOKS;
}

async function chainOf(ctx: StoreContext, { runId, attempt, bucket }: RunEvent): Promise<Chain | null> {
  try {
    return await (bucket === 'quarantine' ? heldChain : newestChain)(ctx, runId, attempt);
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    return null;
  }
}
