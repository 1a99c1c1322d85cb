/**
 * The disk of the spool, as a port: tests replace it by a full disk, or by the end of the process at any call. Paths are below the root of
 * the spool, with forward slashes.
 */
import {
  closeSync,
  fsync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  unlink,
  unlinkSync,
  write,
  writeFileSync,
} from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LimitExceededError } from '../pipeline/errors.ts';
import { makeOwnFolders } from '../storage/directory/own-folders.ts';

export interface OpenFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the bytes are on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  /** Resolves when the folder, and those above it, are on the disk. */
  makeFolder(path: string): Promise<void>;
  /** Writes a new file that only its owner may read. Rejects when there is one. */
  create(path: string): Promise<OpenFile>;
  /** Reads a file. Returns null when there is none. Throws LimitExceededError. */
  read(path: string, maxBytes: number): Promise<Uint8Array | null>;
  rename(from: string, to: string): Promise<void>;
  /** Resolves when the names in a folder are on the disk. */
  syncFolder(path: string): Promise<void>;
  /** Removes a file or a folder. It is not an error if there is none. */
  remove(path: string): Promise<void>;
  /** Returns the names in a folder, sorted; none when there is no folder. */
  list(path: string): Promise<string[]>;
  /** Returns when it was last written, in milliseconds since the epoch, or null when there is none. */
  modifiedAt(path: string): Promise<number | null>;
  /** Returns the number of bytes that this user may still write. */
  freeBytes(): Promise<number>;
}

const OWNER_ONLY = 0o600;
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const onDisk = promisify(fsync);
const writePiece = promisify(write);
const removeFile = promisify(unlink);

/** Bytes that are written without the thread pool. */
const SMALL_BYTES = 64 * 1024;

/**
 * Returns the disk below `root`. Only slow calls (reading, syncing, writing much and removing) use the thread pool. For a name and for a
 * few bytes, the way there and back costs more than the work.
 */
export function nodeFiles(root: string): Files {
  const at = (path: string) => join(root, ...path.split('/'));
  const syncFolder = shared(async (path) => {
    const folder = openSync(at(path), 'r');
    try {
      await onDisk(folder);
    } finally {
      closeSync(folder);
    }
  });
  return {
    async makeFolder(path) {
      await makeOwnFolders(root, at(path));
      for (let above = path; above !== '.'; ) {
        above = dirname(above);
        await syncFolder(above);
      }
    },
    async create(path) {
      const file = openSync(at(path), 'wx', OWNER_ONLY);
      return {
        async write(bytes) {
          if (bytes.length <= SMALL_BYTES) return writeFileSync(file, bytes);
          for (let done = 0; done < bytes.length; )
            done += (await writePiece(file, bytes, done, bytes.length - done, null)).bytesWritten;
        },
        sync: () => onDisk(file),
        close: async () => closeSync(file),
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
    rename: async (from, to) => renameSync(at(from), at(to)),
    syncFolder,
    remove: (path) => removeAt(at(path)),
    list: async (path) => ((await readdir(at(path)).catch(nullIfMissing)) ?? []).sort(),
    modifiedAt: async (path) => lstatSync(at(path), { throwIfNoEntry: false })?.mtimeMs ?? null,
    async freeBytes() {
      const { bavail, bsize } = statfsSync(root);
      return bavail * bsize;
    },
  };
}

/**
 * Removes a file. Most such files do not exist, and a look costs a tenth of the error that says so. Removing a file whose bytes are on the
 * disk waits while the file system writes its journal, which every sync begins. This thread would wait as long.
 */
async function removeAt(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  try {
    if (found.size === 0) unlinkSync(path);
    else await removeFile(path);
  } catch (error) {
    if (!isMissing(error)) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Does the same work once for all callers that ask while it waits for its turn. Each gets the end of work that began after its request. So
 * messages that arrive together share the sync of their folder.
 */
function shared(work: (path: string) => Promise<void>): (path: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();
  const begin = (path: string): Promise<void> => {
    waiting.delete(path);
    const done = work(path).finally(() => {
      if (running.get(path) === done) running.delete(path);
    });
    running.set(path, done);
    return done;
  };
  return (path) => {
    const current = running.get(path);
    if (current === undefined) return begin(path);
    const next =
      waiting.get(path) ??
      current.then(
        () => begin(path),
        () => begin(path),
      );
    waiting.set(path, next);
    return next;
  };
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** The end of the name of a file while it is written. */
export const PARTIAL = '.partial';

/** Writes a whole file so that it is there completely or not at all, also after a cut of the power. The folder must exist. */
export async function writeDurably(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}${PARTIAL}`;
  await files.remove(temporary);
  await writeNew(files, temporary, bytes);
  await files.rename(temporary, path);
  await files.syncFolder(dirname(path));
}

/** Writes a new file, which a cut of the power may leave in part until this resolves. */
export async function writeSynced(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await writeNew(files, path, bytes);
  await files.syncFolder(dirname(path));
}

async function writeNew(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  const file = await files.create(path);
  try {
    await file.write(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
