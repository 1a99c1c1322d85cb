/**
 * Only one process works on a run at a time. A file that is scanned twice at once into one folder is one run, and without the
 * lock the second scan would delete the ledger that the first still writes.
 *
 * A session has one file, which is locked while its process lives. It locks a run by giving that file the name of the run. Only one session
 * can do that. The name of a dead process leads to a file without a lock, and the next session removes it.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownFolders } from '../../storage/directory/own-folders.ts';
import { holdLock, type Lock } from '../../storage/sqlite/lock.ts';

export interface RunLocks {
  /** Waits until nobody else works on this run, then does the work. Rejects when `signal` ends the waiting. */
  inLock<T>(runId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The wait between two attempts to take a lock. */
const RETRY_MS = 50;
/** Somebody may remove old files, so the file of a session is kept new. */
const RENEWED_MS = 3_600_000;

/**
 * The names that this process has given. Opening one of them would end its lock, because a POSIX lock ends when its process closes the
 * file.
 */
const TAKEN = new Set<string>();

/** Makes the locks of the runs below a folder. Nothing is written yet. */
export function openRunLocks(out: string): RunLocks {
  const folder = join(out, 'locks');
  let own: { readonly path: string; readonly lock: Lock; renewedAt: number } | null = null;
  const ownPath = (): string => {
    const now = Date.now();
    if (own !== null && inodeOf(own.path) === null) {
      void own.lock.close();
      own = null;
    }
    if (own === null) {
      ownFolders(out).make(folder);
      const path = join(folder, `session-${randomUUID()}`);
      const lock = holdLock(path);
      if (lock === null) throw new Error(`${path} is locked although it is new`);
      own = { path, lock, renewedAt: now };
    }
    if (now - own.renewedAt > RENEWED_MS) {
      utimesSync(own.path, new Date(now), new Date(now));
      own.renewedAt = now;
    }
    return own.path;
  };
  return {
    async inLock(runId, signal, work) {
      const path = join(folder, runId);
      while (!isTaken(ownPath(), path)) await sleep(RETRY_MS, undefined, { signal });
      try {
        return await work();
      } finally {
        TAKEN.delete(path);
        rmSync(path, { force: true });
      }
    },
    async close() {
      await own?.lock.close();
      if (own !== null) rmSync(own.path, { force: true });
      own = null;
    },
  };
}

/** Returns true when the name of the run is ours now. */
function isTaken(own: string, path: string): boolean {
  if (TAKEN.has(path)) return false;
  try {
    linkSync(own, path);
    TAKEN.add(path);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    // Somebody removed our own file because it was old. The next attempt makes another.
    if (error.code === 'ENOENT') return false;
    if (error.code !== 'EEXIST') throw error;
    removeIfLeft(path);
    return false;
  }
}

/** Removes a name without an owner. The removing process locks its file first, and checks whether the name still leads there. */
function removeIfLeft(path: string): void {
  const inode = inodeOf(path);
  if (inode === null) return;
  const lock = holdLock(path);
  if (lock === null) return;
  if (inodeOf(path) === inode) rmSync(path, { force: true });
  void lock.close();
}

function inodeOf(path: string): bigint | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
