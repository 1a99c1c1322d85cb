/** The entry of a run in the index, with the use of all its attempts. */

import { heldChain } from '../chain/newest-chain.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord } from '../errors.ts';
import { FIRST_ATTEMPT } from '../ledger/attempt.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type IndexedRun, indexedRun } from './row.ts';

/** Reads the chains of earlier attempts, if there are any. A lost chain counts for nothing. Throws TransientError. */
export async function indexedRunOf(ctx: StoreContext, ledger: Ledger): Promise<IndexedRun> {
  const earlier: Ledger[] = [];
  for (let number = FIRST_ATTEMPT; number < ledger.attempt.number; number += 1) {
    try {
      earlier.push((await heldChain(ctx, ledger.runId, number)).ledger);
    } catch (error) {
      if (!isLostRecord(error)) throw error;
    }
  }
  return indexedRun(ledger, earlier);
}
