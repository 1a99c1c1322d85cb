/** A run that takes long is in the index before its end. */
import { ledgerIfAny } from './run-context.ts';
import type { Local } from './session-local.ts';

/** After so many milliseconds, people who list runs see that this one is in progress. Most runs end before. */
const NOTED_AFTER_MS = 500;

/** Puts a run that takes long into the index. Returns what ends that: the end of the run is noted after it. */
export function noteBegun(local: Pick<Local, 'ctx' | 'index'>, runId: string): () => Promise<void> {
  let noted: Promise<void> = Promise.resolve();
  const note = async () => {
    const ledger = await ledgerIfAny(local.ctx, runId).catch(() => null);
    if (ledger) await local.index.note(ledger);
  };
  const timer = setTimeout(() => {
    noted = note();
  }, NOTED_AFTER_MS);
  return () => {
    clearTimeout(timer);
    return noted;
  };
}
