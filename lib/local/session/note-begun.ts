/** A run that takes long is on the disk and in the index before its end. */
import { ledgerIfAny } from './run-context.ts';
import type { Local } from './session-local.ts';

/** After so many milliseconds, people who list runs see that this one is in progress. Most runs end before. */
const NOTED_AFTER_MS = 5_000;

/** Puts a run that takes long into the index. Returns what ends that: the end of the run is noted after it. */
export function noteBegun(local: Pick<Local, 'blobs' | 'ctx' | 'index'>, runId: string): () => Promise<void> {
  let noted: Promise<void> = Promise.resolve();
  const note = async () => {
    await local.blobs.release(runId);
    const ledger = await ledgerIfAny(local.ctx, runId).catch(() => null);
    if (ledger) await local.index.note(ledger);
  };
  const timer = setTimeout(() => {
    // The disk may take at the end of the run what it does not take now.
    noted = note().catch(() => undefined);
  }, NOTED_AFTER_MS);
  return () => {
    clearTimeout(timer);
    return noted;
  };
}
