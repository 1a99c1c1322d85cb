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
export const DIRECTORY_MODE = 0o700;

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
  ownFolders(root).make(folder);
}

/** Checks the folders from `root` down to `folder`. Throws PlantedLinkError. A missing folder is not an error. */
export async function checkOwnFolders(root: string, folder: string): Promise<void> {
  ownFolders(root).check(folder);
}

/**
 * A folder that was looked at is not looked at again for so many milliseconds. A mail asks for the same few folders hundreds of times, and
 * between a look and the write behind it there is always a moment in which a folder could be replaced.
 */
const TRUSTED_MS = 1_000;
/** The most folders that are remembered. */
const MOST_FOLDERS = 2_000;

/** The folders below one root. */
export interface OwnFolders {
  /** Makes the missing folders down to this one. Throws PlantedLinkError. */
  make(folder: string): void;
  /** Checks the folders down to this one. Throws PlantedLinkError. A missing folder is not an error. */
  check(folder: string): void;
  /** Looks at every folder again. Called when something was removed. */
  forget(): void;
}

/** The folders below `root`, each of which is looked at once in a while. */
export function ownFolders(root: string): OwnFolders {
  const lookedAt = new Map<string, number>();
  const isTrusted = (path: string) => performance.now() - (lookedAt.get(path) ?? Number.NEGATIVE_INFINITY) < TRUSTED_MS;
  const trust = (path: string) => {
    if (lookedAt.size >= MOST_FOLDERS) lookedAt.clear();
    lookedAt.set(path, performance.now());
  };
  return {
    make(folder) {
      if (isTrusted(folder)) return;
      makeFolders(root);
      for (const path of stepsBetween(root, folder)) {
        // Another process may make it meanwhile. It is then checked like any other.
        if (!isTrusted(path) && kindOf(path) === 'missing' && !makeUnlessThere(path, DIRECTORY_MODE)) kindOf(path);
        trust(path);
      }
    },
    check(folder) {
      if (isTrusted(folder)) return;
      for (const path of stepsBetween(root, folder)) {
        if (!isTrusted(path) && kindOf(path) === 'missing') return;
        trust(path);
      }
    },
    forget: () => lookedAt.clear(),
  };
}

/** True when this call made it. */
function makeUnlessThere(path: string, mode?: number): boolean {
  try {
    mkdirSync(path, mode);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return false;
  }
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
