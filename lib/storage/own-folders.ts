/**
 * The folders below our root. If one of them were a link, its author would choose where files are written, read or removed, so no
 * link is followed. A person named the root itself, so the root may be a link.
 */
import { lstat, mkdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

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

/** Makes the missing folders from `root` down to `folder`. Throws PlantedLinkError. */
export async function makeOwnFolders(root: string, folder: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const path of stepsBetween(root, folder))
    if ((await kindOf(path)) === 'missing') {
      // Another process may have made it meanwhile. It is then checked like any other.
      await mkdir(path, { mode: DIRECTORY_MODE }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      if ((await kindOf(path)) !== 'folder') throw new PlantedLinkError(path);
    }
}

/** Checks the folders from `root` down to `folder`. Throws PlantedLinkError. A missing folder is not an error. */
export async function checkOwnFolders(root: string, folder: string): Promise<void> {
  for (const path of stepsBetween(root, folder)) if ((await kindOf(path)) === 'missing') return;
}

async function kindOf(path: string): Promise<'folder' | 'missing'> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return 'missing';
  if (!found.isDirectory()) throw new PlantedLinkError(path);
  return 'folder';
}

/** For `a/b` below the root: the paths of `a` and of `a/b`. */
function stepsBetween(root: string, folder: string): string[] {
  const names = relative(root, folder).split(sep).filter(Boolean);
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}
