/**
 * The end of the run of an event. Anybody who may put events on the bus could forge one, so the chain is asked, which its stages signed.
 */
import type { Chain } from '../chain/chain.ts';
import { newestChain } from '../chain/newest-chain.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord, TransientError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunEvent } from './run-event.ts';

/**
 * The ledger of the attempt that an event tells of, once its end is noted. Null when it is held and its chain does not say so: the end of a run
 * whose chain is lost is in no chain. Throws TransientError while a delivery is not noted yet, because nothing may count as delivered before.
 */
export async function endedRun(ctx: StoreContext, event: RunEvent): Promise<Ledger | null> {
  const ledger = (await chainOf(ctx, event))?.ledger ?? null;
  if (ledger?.terminal) return ledger;
  if (event.bucket === 'quarantine') return null;
  throw new TransientError(`the delivery of run ${event.runId} is not noted yet`);
}

/** Both stages that end runs tell of an end before they note it. A note that is not there after so many hand-outs of the event will not come. */
const LOOKS = 3;

/**
 * The same for work that needs the ledger of a held run, too. `receipts` says how often the queue has handed out the event. Throws TransientError while
 * the end is not noted yet; null when it will not be.
 */
export async function notedEnd(ctx: StoreContext, event: RunEvent, receipts: number): Promise<Ledger | null> {
  const ledger = await endedRun(ctx, event);
  if (ledger === null && receipts < LOOKS) throw new TransientError(`the end of run ${event.runId} is not noted yet`);
  return ledger;
}

/**
 * True while another note of the same end may come: `quarantine` notes a delivery that is complete, and the `deliver` that made it may still be
 * about to note it, too. That one counts from then on (newest-chain.ts).
 */
export function mayBeNotedAgain({ terminal, stages }: Ledger, receipts: number): boolean {
  return terminal?.state === 'delivered' && stages.at(-1)?.stage === 'quarantine' && receipts < LOOKS;
}

async function chainOf(ctx: StoreContext, { runId, attempt }: RunEvent): Promise<Chain | null> {
  try {
    return await newestChain(ctx, runId, attempt);
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    return null;
  }
}
