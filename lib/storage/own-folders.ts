/**
 * The folders below our root. If one of them were a link, its author would choose where files are written, read or removed, so no
 * link is followed. A person named the root itself, so the root may be a link.
 *
 * The calls of the file system are synchronous: a mail makes hundreds of them, each takes microseconds, and the way through the thread pool
 * and back costs ten times that.
 */
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Only the owner may read what is being judged. */
const DIRECTORY_MODE = 0o700;

/** Something else is in the place of one of our folders. */
export class PlantedLinkError extends Error {
  override readonly name = 'PlantedLinkError';
  readonly code = 'planted_link';
  constructor(path: string) {
    super(`${path} is a link, or not a folder, and is not followed. Remove it, or choose another folder`);
  }
}

/**
 * Makes a folder and the missing ones above it. Throws what the file system says. `recursive` of Node is not used: where the system
 * refuses a folder with ENOENT although the one above it is there, as below /proc, it asks again without end.
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
    missing.unshift(at);
  for (const each of missing) makeUnlessThere(each);
}

/** Makes the missing folders from `root` down to `folder`. Throws PlantedLinkError. */
export async function makeOwnFolders(root: string, folder: string): Promise<void> {
  makeFolders(root);
  for (const path of stepsBetween(root, folder))
    if (kindOf(path) === 'missing') {
      makeUnlessThere(path, DIRECTORY_MODE);
      // Another process may have made it meanwhile. It is then checked like any other.
      if (kindOf(path) !== 'folder') throw new PlantedLinkError(path);
    }
}

function makeUnlessThere(path: string, mode?: number): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Checks the folders from `root` down to `folder`. Throws PlantedLinkError. A missing folder is not an error. */
export async function checkOwnFolders(root: string, folder: string): Promise<void> {
  for (const path of stepsBetween(root, folder)) if (kindOf(path) === 'missing') return;
}

function kindOf(path: string): 'folder' | 'missing' {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'missing';
  if (!found.isDirectory()) throw new PlantedLinkError(path);
  return 'folder';
}

/** For `a/b` below the root: the paths of `a` and of `a/b`. */
function stepsBetween(root: string, folder: string): string[] {
  const names = relative(root, folder).split(sep).filter(Boolean);
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}
