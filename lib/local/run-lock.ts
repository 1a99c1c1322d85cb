/**
 * Only one process works on a run at a time. A file that is scanned twice at once into one folder is one run, and without the
 * lock the second scan would delete the ledger that the first still writes.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeOwnFolders } from '../storage/own-folders.ts';
import { holdLock, type Lock } from '../storage/sqlite-lock.ts';

/** Wait between two attempts to take the lock. */
const RETRY_MS = 50;

/** Waits until nobody else works on this run, then does the work. Rejects when `signal` ends the waiting. */
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
    // The file is not deleted: another process may have it open, and would hold a lock that the next process does not see.
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
