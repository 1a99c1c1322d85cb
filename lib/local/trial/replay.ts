/**
 * Analyses the originals of past mail again, with the present policy and engines, in a separate folder. Past runs do not change, and
 * nothing is delivered.
 */

import { intakeBytes } from '../../pipeline/chain/ledger-store.ts';
import { isLostRecord } from '../../pipeline/errors.ts';
import { runIdOf, sha256Hex } from '../../pipeline/keys.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Runs } from '../../pipeline/ports.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';
import { decidedChain, rowsIn, type TrialRange, type TriedRun } from '../../pipeline/trial/policy-trial.ts';
import { endsCompared } from '../../pipeline/trial/policy-what-if.ts';
import { directoryBlobs } from '../../storage/directory/directory.ts';
import { hasRunFailed } from '../outcome.ts';
import { inOrder } from '../session/bounded-queue.ts';
import type { contextOf } from '../session/run-context.ts';
import type { Session } from '../session/session.ts';

export interface ReplayOptions {
  /** The stores of the past. */
  readonly ctx: ReturnType<typeof contextOf>;
  readonly runs: Pick<Runs, 'list'>;
  /** The folder in which the session works. */
  readonly folder: string;
  readonly session: Session;
  readonly range: TrialRange;
  readonly signal: AbortSignal;
}

/** The number of mails at the same time. */
const CONCURRENT = 4;

/**
 * Replays each run that policy decided. `unreadable`: its record or its original is damaged or missing, or its analysis failed. Ends early
 * when the signal comes.
 */
export function replay(options: ReplayOptions): AsyncGenerator<TriedRun> {
  return inOrder(untilStopped(options), CONCURRENT, (row) => replayed(options, row));
}

async function* untilStopped({ runs, range, signal }: ReplayOptions): AsyncGenerator<RunRow> {
  for await (const row of rowsIn(runs, range)) {
    if (signal.aborted) return;
    yield row;
  }
}

async function replayed(options: ReplayOptions, row: RunRow): Promise<TriedRun> {
  try {
    const before = (await decidedChain(options.ctx, row.runId))?.ledger ?? null;
    if (before === null || before.terminal === null) return { row, outcome: 'undecided' };
    const after = await analysedAgain(options, row, before);
    return after === null
      ? { row, outcome: 'unreadable' }
      : { row, outcome: 'tried', result: endsCompared(before, after) };
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    return { row, outcome: 'unreadable' };
  }
}

/** Returns null when it did not end, or when the original is not the judged one. */
async function analysedAgain(options: ReplayOptions, row: RunRow, { intake, sha256 }: Ledger): Promise<Ledger | null> {
  const { ctx, folder, session } = options;
  const bytes = await intakeBytes(ctx, intake);
  if (sha256Hex(bytes) !== sha256) return null;
  const blobs = directoryBlobs(folder);
  await blobs.put('intake', intake.untrustedKey, bytes);
  const outcome = await session.scanStored(row.reference, intake, { isOnce: false });
  const runId = runIdOf(intake);
  const ledger = 'ledger' in outcome && !hasRunFailed(outcome) ? outcome.ledger : null;
  // A thousand mails must not fill the disk.
  await session.forget(runId);
  await blobs.remove('intake', intake.untrustedKey);
  return ledger;
}
