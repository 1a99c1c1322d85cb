/** Files that only their owner can read, whatever the umask is and whoever made the folder. */
import { chmodSync, closeSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/**
 * Makes an empty file if there is none, removes all rights of others, and returns the path. A database gives its journals the
 * rights of its file, so call this before opening the database.
 */
export function privateFile(path: string): string {
  closeSync(openSync(path, 'a', OWNER_ONLY));
  chmodSync(path, OWNER_ONLY);
  return path;
}
