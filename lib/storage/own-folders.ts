/**
 * The folders below a root that is ours. A link among them would lead what is written, read or removed to a place that whoever
 * planted it chose, so none is followed. The root itself is what a person named, and may be a link.
 */
import { lstat, mkdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Only the owner looks into what is being judged. */
const DIRECTORY_MODE = 0o700;

/** Something that is no folder of ours stands where one must be. */
export class PlantedLinkError extends Error {
  override readonly name = 'PlantedLinkError';
  readonly code = 'planted_link';
  constructor(path: string) {
    super(`${path} is a link or no folder, and is not followed. Remove it, or choose another folder`);
  }
}

/** Makes the folders from `root` down to `folder`, as far as they are missing. Throws PlantedLinkError. */
export async function makeOwnFolders(root: string, folder: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const path of stepsBetween(root, folder))
    if ((await kindOf(path)) === 'missing') {
      // Somebody else may have made it in between: then it is looked at like any other.
      await mkdir(path, { mode: DIRECTORY_MODE }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      if ((await kindOf(path)) !== 'folder') throw new PlantedLinkError(path);
    }
}

/** Looks at the folders from `root` down to `folder`. Throws PlantedLinkError; that one is missing is no fault. */
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

/** `a/b` below the root gives the paths of `a` and of `a/b`. */
function stepsBetween(root: string, folder: string): string[] {
  const names = relative(root, folder).split(sep).filter(Boolean);
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}
