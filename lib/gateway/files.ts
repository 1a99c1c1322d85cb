/**
 * What the spool needs of a disk, as a port: tests put a full disk, or the end of the process at any call, in its place. Paths are below
 * the root of the spool, with forward slashes.
 */
import { lstat, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LimitExceededError } from '../pipeline/errors.ts';
import { makeOwnFolders } from '../storage/own-folders.ts';

export interface OpenFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the bytes are on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  /** Resolves when the folder, and those above it, are on the disk. */
  makeFolder(path: string): Promise<void>;
  /** A new file that only its owner may read. Rejects when there is one. */
  create(path: string): Promise<OpenFile>;
  /** Null when there is none. Throws LimitExceededError. */
  read(path: string, maxBytes: number): Promise<Uint8Array | null>;
  rename(from: string, to: string): Promise<void>;
  /** Resolves when the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** Removes a file or a folder. It is not an error if there is none. */
  remove(path: string): Promise<void>;
  /** The names in a folder, sorted; none when there is no folder. */
  list(path: string): Promise<string[]>;
  /** When it was last written, in milliseconds since the epoch; null when there is none. */
  modifiedAt(path: string): Promise<number | null>;
  /** Bytes that this user may still write. */
  freeBytes(): Promise<number>;
}

const OWNER_ONLY = 0o600;
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The disk below `root`. */
export function nodeFiles(root: string): Files {
  const at = (path: string) => join(root, ...path.split('/'));
  const syncFolder = async (path: string) => {
    const folder = await open(at(path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  };
  return {
    async makeFolder(path) {
      await makeOwnFolders(root, at(path));
      for (let above = path; above !== '.'; ) {
        above = dirname(above);
        await syncFolder(above);
      }
    },
    async create(path) {
      const file = await open(at(path), 'wx', OWNER_ONLY);
      return {
        write: (bytes) => file.writeFile(bytes),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
    async read(path, maxBytes) {
      const file = await open(at(path), 'r').catch(nullIfMissing);
      if (file === null) return null;
      try {
        const { size } = await file.stat();
        if (size > maxBytes) throw new LimitExceededError('maxBytes', maxBytes, size);
        return new Uint8Array(await file.readFile());
      } finally {
        await file.close();
      }
    },
    rename: (from, to) => rename(at(from), at(to)),
    syncFolder,
    remove: (path) => rm(at(path), { recursive: true, force: true }),
    list: async (path) => ((await readdir(at(path)).catch(nullIfMissing)) ?? []).sort(),
    modifiedAt: async (path) => (await lstat(at(path)).catch(nullIfMissing))?.mtimeMs ?? null,
    async freeBytes() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
  };
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** How the name of a file ends while it is written. */
export const PARTIAL = '.partial';

/** Writes a whole file so that it is there completely, or not at all, also after the power was cut. The folder must exist. */
export async function writeDurably(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}${PARTIAL}`;
  await files.remove(temporary);
  const file = await files.create(temporary);
  try {
    await file.write(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await files.rename(temporary, path);
  await files.syncFolder(dirname(path));
}
