/** Files that only their owner can read, with any umask and any owner of the folder. */
import { chmodSync, closeSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/**
 * Makes an empty file if there is none, removes all rights of others, and returns the path. A database gives its journals the
 * rights of its file, so call this before opening the database.
 */
export function privateFile(path: string): string {
  try {
    // An existing file is not opened, because closing it would end its locks (POSIX).
    closeSync(openSync(path, 'ax', OWNER_ONLY));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  chmodSync(path, OWNER_ONLY);
  return path;
}
