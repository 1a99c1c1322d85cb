/** The outcome of a run that has ended, with the paths of everything that it wrote below the folder. */
import { keys } from '../../pipeline/keys.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { DirectoryBlobs } from '../../storage/directory/directory.ts';
import type { Outcome, WrittenFiles } from '../outcome.ts';

/** Returns the outcome in a ledger; null when its run has not ended, and when it was deleted. */
export function endedOutcome(
  blobs: Pick<DirectoryBlobs, 'pathOf'>,
  input: string,
  ledger: Ledger,
): Extract<Outcome, { ledger: Ledger }> | null {
  const { terminal } = ledger;
  if (terminal === null || terminal.state === 'deleted') return null;
  const bucket = terminal.state === 'delivered' ? 'clean' : 'quarantine';
  const written = writtenFiles(blobs, ledger, bucket, terminal.keys);
  return { input, state: terminal.state, runId: ledger.runId, ledger, written };
}

function writtenFiles(
  blobs: Pick<DirectoryBlobs, 'pathOf'>,
  ledger: Ledger,
  bucket: 'clean' | 'quarantine',
  written: readonly string[],
): WrittenFiles {
  const path = (key: string) => blobs.pathOf(bucket, key);
  const find = (key: string) => (written.includes(key) ? path(key) : null);
  const message = bucket === 'clean' ? find(keys.cleanMessage(ledger.runId)) : null;
  return {
    ledger: blobs.pathOf('work', keys.ledgerView(ledger.runId)),
    message,
    files: bucket === 'clean' ? written.map(path).filter((file) => file !== message) : [],
    quarantineRecord: bucket === 'quarantine' ? find(keys.quarantineRecord(ledger.runId, ledger.attempt.number)) : null,
    original: bucket === 'quarantine' ? find(keys.quarantinedOriginal(ledger.runId)) : null,
    notice: bucket === 'quarantine' ? find(keys.quarantineNotice(ledger.runId, ledger.attempt.number)) : null,
  };
}

/** Returns the outcome of an input whose scan was stopped. */
export function interrupted(input: string): Outcome {
  return {
    input,
    state: 'interrupted',
    code: 'interrupted',
    message: 'The scan was stopped before its end; nothing was delivered. Scan it again to finish it.',
  };
}

/** Returns the outcome of an input whose run failed without a ledger. */
export function broken(input: string, error: unknown): Outcome {
  const text = error instanceof Error ? error.message : String(error);
  return { input, state: 'failed', code: 'run_failed', message: `The run failed: ${text}` };
}
