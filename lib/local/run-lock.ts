/**
 * One run at a time, between processes too: a file that is scanned twice at once into one folder is one run, and the second scan
 * would take away the ledger that the first still writes.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeOwnFolders } from '../storage/own-folders.ts';
import { holdLock, type Lock } from '../storage/sqlite-lock.ts';

/** Between two tries to take the lock. */
const RETRY_MS = 50;

/** Does the work while this run is nobody else's, after waiting for whoever has it. Rejects when `signal` ends the waiting. */
export async function inRunLock<T>(
  out: string,
  runId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const folder = join(out, 'locks');
  await makeOwnFolders(out, folder);
  const lock = await take(join(folder, runId), signal);
  try {
    return await work();
  } finally {
    // The file stays: somebody may have it open, and would hold a lock that the next one does not see.
    await lock.close();
  }
}

async function take(path: string, signal: AbortSignal): Promise<Lock> {
  for (;;) {
    const lock = holdLock(path);
    if (lock) return lock;
    await sleep(RETRY_MS, undefined, { signal });
  }
}
