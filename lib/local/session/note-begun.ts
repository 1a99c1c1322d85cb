/** Writes a long run to the disk and to the index before its end. */

import type { Local } from './parts.ts';
import { ledgerIfAny } from './run-context.ts';

/** Milliseconds. After this time, people who list runs see that this one is in progress. Most runs end before. */
const NOTED_AFTER_MS = 5_000;

/** Puts a long run into the index. Returns a function that ends that, because the end of the run is noted after it. */
export function noteBegun(local: Pick<Local, 'blobs' | 'ctx' | 'index'>, runId: string): () => Promise<void> {
  let noted: Promise<void> = Promise.resolve();
  const note = async () => {
    await local.blobs.release(runId);
    const ledger = await ledgerIfAny(local.ctx, runId).catch(() => null);
    if (ledger) await local.index.note(ledger);
  };
  const timer = setTimeout(() => {
    // The disk may work again at the end of the run.
    noted = note().catch(() => undefined);
  }, NOTED_AFTER_MS);
  return () => {
    clearTimeout(timer);
    return noted;
  };
}
