/** Finds the outcome of a run, and updates everything that depends on its chain. */

import { ledgerJson } from '../../pipeline/chain/ledger-store.ts';
import { keys } from '../../pipeline/keys.ts';
import { FIRST_ATTEMPT } from '../../pipeline/ledger/attempt.ts';
import type { Run } from '../../pipeline/model.ts';
import type { Outcome } from '../outcome.ts';
import { broken, endedOutcome, interrupted } from './ended-outcome.ts';
import type { Local } from './parts.ts';
import { ledgerIfAny } from './run-context.ts';

/**
 * Returns the outcome in the chain. Updates the page of the run and the index, and removes the held copy of mail that a later attempt
 * delivered. A process that was killed after the end of a run may not have done so.
 */
export async function outcomeAt(
  local: Pick<Local, 'blobs' | 'ctx' | 'index'>,
  label: string,
  signal: AbortSignal,
  { runId }: Run,
): Promise<Outcome> {
  const ledger = await ledgerIfAny(local.ctx, runId);
  if (ledger) await local.blobs.put('work', keys.ledgerView(runId), ledgerJson(ledger));
  await local.blobs.release(runId);
  if (ledger) await local.index.note(ledger);
  const isReplaced = ledger?.terminal?.state === 'delivered' && ledger.attempt.number > FIRST_ATTEMPT;
  if (isReplaced) await local.blobs.remove('quarantine', runId);
  if (signal.aborted && !ledger?.terminal) return interrupted(label);
  if (!ledger) return broken(label, new Error('no ledger was written'));
  return endedOutcome(local.blobs, label, ledger) ?? broken(label, new Error('it ended without a terminal state'));
}
