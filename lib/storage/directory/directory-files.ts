/** How one file, or a folder of files, gets to its place below a directory of ours: whole, or not at all. No link is followed. */
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
 * Bytes that are read and written without the thread pool: a mail has dozens of small objects, and the way there and back costs more than the
 * work. A larger object would keep everything else waiting.
 */
const SMALL_BYTES = 128 * 1024;
/** Windows has no such flag. */
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
/** A file that is used again counts as new, so that nobody removes it for its age. Milliseconds. */
const TOUCHED_MS = 3_600_000;
const readPiece = promisify(read);

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const isThere = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** The name of a file or folder until all of it is written. No key becomes such a path. */
export const partialOf = (path: string) => `${path}.${randomUUID()}.partial`;

/** Makes a folder and then a file in it. Another process may have removed the folder since it was looked at. */
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

/** Files that this process has compared with what they are named after, and how each of them looked then. */
const COMPARED = new Map<string, string>();
const MOST_COMPARED = 2_000;
/** The clock of a file system stands still for some milliseconds, in which a change of a file could not be seen. */
const SETTLED_MS = 1_000;

/** Every change to a file changes the last of these, or makes it another file. */
const looksOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats) => [dev, ino, size, mtimeMs, ctimeMs].join(' ');

/**
 * True when exactly these bytes are in the file already, which is named after them. Reading them costs a tenth of writing them, and is left out
 * for a file that is as it was when this process read it.
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
    if (COMPARED.size >= MOST_COMPARED) COMPARED.clear();
    COMPARED.set(path, looksOf(found));
    return true;
  } catch {
    // A file in its place is replaced, and a fault that prevents it is reported then.
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
  /** The path of a file of ours with the same bytes; null when there is none. */
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

/** Gives a file a second name, and says whether it did: not every file system can, and some file has as many names as it may. */
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

/** Writes a new file for its owner alone. Rejects when there is one. */
export async function writeNew(path: string, body: Uint8Array): Promise<void> {
  const how = { mode: 0o600, flag: 'wx' };
  if (body.length <= SMALL_BYTES) writeFileSync(path, body, how);
  else await writeFile(path, body, how);
}

/** Gives a file its name unless that is taken, and says whether it did. A hard link fails when the name is taken. It is the only atomic "create with content" of a file system. */
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

/** Reads a file of at most `maxBytes`. Throws LimitExceededError, PlantedLinkError, or what `missing` makes. */
export async function readBounded(path: string, maxBytes: number, missing: () => Error): Promise<Uint8Array> {
  const file = openNoLink(path, missing);
  try {
    const { size } = fstatSync(file);
    if (size > maxBytes) throw new LimitExceededError('maxBytes', maxBytes, size);
    // One byte more than the size, so that a file that grows while it is read cannot exceed the limit unnoticed.
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
