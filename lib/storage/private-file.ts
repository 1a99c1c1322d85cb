/** Files that nobody but their owner reads, whatever the umask says and whoever made the folder. */
import { chmodSync, closeSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/**
 * Makes an empty file where there is none, takes everybody else's rights to it, and gives back the path. A database makes its
 * journals with the rights of its file, so it is to be opened after this.
 */
export function privateFile(path: string): string {
  closeSync(openSync(path, 'a', OWNER_ONLY));
  chmodSync(path, OWNER_ONLY);
  return path;
}
