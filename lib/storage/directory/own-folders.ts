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

/** Something else has the place of one of our folders. */
export class PlantedLinkError extends Error {
  override readonly name = 'PlantedLinkError';
  readonly code = 'planted_link';
  constructor(path: string) {
    super(
      `${path} is a link, or of another kind than what belongs there, and is not followed. Remove it, or choose another folder`,
    );
  }
}

/**
 * Makes a folder and the missing folders above it. Throws the errors of the file system. `recursive` of Node is not used, because it can
 * repeat its request without end. That happens where the system answers ENOENT although the parent folder exists, as below /proc.
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
 * A folder is not checked again within this time, in milliseconds. A mail needs the same few folders hundreds of times. A check cannot
 * exclude a change anyway: a folder can always be replaced between the check and the write.
 */
const TRUSTED_MS = 1_000;
/** The most folders that are remembered. */
const MAX_FOLDERS = 2_000;

/** The folders below one root. */
export interface OwnFolders {
  /** Makes the missing folders down to this one. Throws PlantedLinkError. */
  make(folder: string): void;
  /** Checks the folders down to this one, and returns whether they exist. Throws PlantedLinkError. */
  check(folder: string): boolean;
  /** Every folder is checked again. Called when something was removed. */
  forget(): void;
}

/** Returns the folders below `root`. Each is checked from time to time. */
export function ownFolders(root: string): OwnFolders {
  const lookedAt = new Map<string, number>();
  const isTrusted = (path: string) => performance.now() - (lookedAt.get(path) ?? Number.NEGATIVE_INFINITY) < TRUSTED_MS;
  const trust = (path: string) => {
    if (lookedAt.size >= MAX_FOLDERS) lookedAt.clear();
    lookedAt.set(path, performance.now());
  };
  return {
    make(folder) {
      if (isTrusted(folder)) return;
      makeFolders(root);
      for (const path of stepsBetween(root, folder)) {
        // Another process may make the folder meanwhile. It is then checked like any other.
        if (!isTrusted(path) && kindOf(path) === 'missing' && !makeUnlessThere(path, DIRECTORY_MODE)) kindOf(path);
        trust(path);
      }
    },
    check(folder) {
      if (isTrusted(folder)) return true;
      for (const path of stepsBetween(root, folder)) {
        if (!isTrusted(path) && kindOf(path) === 'missing') return false;
        trust(path);
      }
      return true;
    },
    forget: () => lookedAt.clear(),
  };
}

/** Returns true when this call made it. */
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

/** Returns the paths of `a` and of `a/b` for `a/b` below the root. */
function stepsBetween(root: string, folder: string): string[] {
  const names = relative(root, folder).split(sep).filter(Boolean);
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}
