/** Puts one file, or a folder of files, in its place below a directory of ours: completely, or not at all. No link is followed. */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  read,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LimitExceededError } from '../../pipeline/errors.ts';
import { DIRECTORY_MODE, type OwnFolders, PlantedLinkError } from './own-folders.ts';

/**
 * The size up to which the thread pool is not used, in bytes. A mail has dozens of small objects, and the way to the pool and back costs
 * more than the work. A larger object would make everything else wait.
 */
const SMALL_BYTES = 128 * 1024;
/** A pipe of that name must not make us wait. Windows lacks these flags. */
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Milliseconds. A file that is used again counts as new, so nobody removes it for its age. */
const TOUCHED_MS = 3_600_000;
const readPiece = promisify(read);

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const isThere = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Returns the name of a file or folder until it is written completely. No key becomes such a path. */
export const partialOf = (path: string) => `${path}.${randomUUID()}.partial`;

/** Makes a folder and then a file in it. Another process may have removed the folder since the last check. */
export async function inFolder(folders: OwnFolders, folder: string, write: () => void | Promise<void>): Promise<void> {
  folders.make(folder);
  try {
    await write();
  } catch (error) {
    if (!isMissing(error)) throw error;
    folders.forget();
    folders.make(folder);
    await write();
  }
}

/** Files that this process has compared with the hash in their name, and the state of each at that time. */
const COMPARED = new Map<string, string>();
const MAX_COMPARED = 2_000;
/** The clock of a file system stops for some milliseconds at a time. A change of a file within them is invisible. */
const SETTLED_MS = 1_000;

/** Every change to a file changes its change time, or makes another file of it. */
const looksOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats) => [dev, ino, size, mtimeMs, ctimeMs].join(' ');

/**
 * Returns true when the file that is named after these bytes already has exactly them. Reading them costs a tenth of writing them. A file
 * that has not changed since this process read it is not read again.
 */
export async function isWritten(folders: OwnFolders, path: string, body: Uint8Array): Promise<boolean> {
  folders.check(dirname(path));
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size !== body.length) return false;
  try {
    const isOld = Date.now() - found.mtimeMs > TOUCHED_MS;
    if (COMPARED.get(path) === looksOf(found) && !isOld) return true;
    if (Buffer.compare(await readBounded(path, body.length, () => new Error('it was removed')), body) !== 0)
      return false;
    if (isOld) touch(path);
    if (Date.now() - found.ctimeMs < SETTLED_MS) return true;
    if (COMPARED.size >= MAX_COMPARED) COMPARED.clear();
    COMPARED.set(path, looksOf(found));
    return true;
  } catch {
    // A file that is already there is replaced. A fault that prevents this is reported then.
    return false;
  }
}

function touch(path: string): void {
  const file = openSync(path, READ_NO_LINK);
  try {
    futimesSync(file, new Date(), new Date());
  } finally {
    closeSync(file);
  }
}

/** A file of a new folder. */
export interface NewFile {
  /** Its path in the folder. */
  readonly names: readonly string[];
  readonly body: Uint8Array;
  /** Returns the path of a file of ours with the same bytes; null when there is none. */
  readonly twin: string | null;
}

/** Makes a folder with all of its files, and gives it its name last. */
export async function writeFolder(folders: OwnFolders, place: string, files: readonly NewFile[]): Promise<void> {
  const partial = partialOf(place);
  try {
    await inFolder(folders, dirname(place), () => mkdirSync(partial, DIRECTORY_MODE));
    const made = new Set([partial]);
    for (const { names, body, twin } of files) {
      const path = join(partial, ...names);
      makeBelow(made, dirname(path));
      if (twin === null || !isLinked(twin, path)) await writeNew(path, body);
    }
    renameSync(partial, place);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Gives a file a second name, and returns whether that worked. Some file systems cannot do it, and a file may have its maximum of names.
 */
function isLinked(from: string, path: string): boolean {
  try {
    linkSync(from, path);
    return true;
  } catch {
    return false;
  }
}

function makeBelow(made: Set<string>, folder: string): void {
  if (made.has(folder)) return;
  makeBelow(made, dirname(folder));
  mkdirSync(folder, DIRECTORY_MODE);
  made.add(folder);
}

/** Writes a new file that only its owner can read. Rejects when the file exists. */
export async function writeNew(path: string, body: Uint8Array): Promise<void> {
  const how = { mode: 0o600, flag: 'wx' };
  if (body.length <= SMALL_BYTES) writeFileSync(path, body, how);
  else await writeFile(path, body, how);
}

/**
 * Gives a file its name unless the name is taken, and returns whether it did. Making a hard link fails when the name is taken. No other
 * operation of a file system creates a file with its content atomically.
 */
export function publishIfAbsent(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Reads a file of at most `maxBytes`. Throws LimitExceededError, PlantedLinkError, or the error that `missing` makes. */
export async function readBounded(path: string, maxBytes: number, missing: () => Error): Promise<Uint8Array> {
  const file = openNoLink(path, missing);
  try {
    const found = fstatSync(file);
    // The read of a folder fails with a code of its own.
    if (!found.isFile() && !found.isDirectory()) throw new PlantedLinkError(path);
    const { size } = found;
    if (size > maxBytes) throw new LimitExceededError('maxBytes', maxBytes, size);
    // One byte more than the size is read. A file that grows meanwhile is then noticed.
    const buffer = Buffer.alloc(size + 1);
    const bytesRead =
      size <= SMALL_BYTES
        ? readSync(file, buffer, 0, size + 1, 0)
        : (await readPiece(file, buffer, 0, size + 1, 0)).bytesRead;
    if (bytesRead > size) throw new LimitExceededError('maxBytes', size, null);
    return new Uint8Array(buffer.buffer, buffer.byteOffset, bytesRead);
  } finally {
    closeSync(file);
  }
}

function openNoLink(path: string, missing: () => Error): number {
  try {
    return openSync(path, READ_NO_LINK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOOP') throw new PlantedLinkError(path);
    throw isMissing(error) ? missing() : error;
  }
}
