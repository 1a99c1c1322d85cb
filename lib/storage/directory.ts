/**
 * Blobs in a directory with the same tree as the buckets. Writes are atomic: an object is there completely or not at all, also after
 * a crash or Ctrl-C. A sender may choose intake keys, so every segment of a key is encoded into a plain file name. No link below
 * the root is followed.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  read,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LimitExceededError, NotFoundError } from '../pipeline/errors.ts';
import type { Blobs, Bucket, GetOptions, PutOptions } from '../pipeline/ports.ts';
import { type OwnFolders, ownFolders, PlantedLinkError } from './own-folders.ts';

/** Longest encoded segment. File systems allow 255 bytes, and a temporary name is longer than the final one. */
const MAX_SEGMENT_LENGTH = 200;

/**
 * Bytes that are read and written without the thread pool: a mail has dozens of small objects, and the way there and back costs more than the
 * work. A larger object would keep everything else waiting.
 */
const SMALL_BYTES = 128 * 1024;
const readPiece = promisify(read);

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const isThere = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EEXIST';

export interface DirectoryBlobs extends Blobs {
  /** Moves a finished file of any size to its place as an object. It must be on the same file system. */
  adopt(bucket: Bucket, key: string, path: string): Promise<void>;
  /** Removes an object, or all objects below a key. It is not an error if there are none. */
  remove(bucket: Bucket, key: string): Promise<void>;
  /** The path of an object, for people who open it. */
  pathOf(bucket: Bucket, key: string): string;
}

/** Blobs below `root`, which the first write creates. Content types, tags and versions are not kept. */
export function directoryBlobs(root: string): DirectoryBlobs {
  const folders = ownFolders(root);
  return {
    async put(bucket, key, body, options: PutOptions = {}) {
      const path = pathOf(root, bucket, key);
      const temporary = `${path}.${randomUUID()}.partial`;
      await inFolder(folders, dirname(path), () => writeNew(temporary, body));
      if (options.ifAbsent) return publishIfAbsent(temporary, path);
      renameSync(temporary, path);
      return true;
    },
    async get(bucket, key, { maxBytes }: GetOptions) {
      const path = pathOf(root, bucket, key);
      folders.check(dirname(path));
      return readBounded(path, maxBytes, () => new NotFoundError(bucket, key));
    },
    async has(bucket, key) {
      const path = pathOf(root, bucket, key);
      folders.check(dirname(path));
      return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    },
    async copy(source, target) {
      const from = pathOf(root, source.bucket, source.key);
      folders.check(dirname(from));
      const path = pathOf(root, target.bucket, target.key);
      const temporary = `${path}.${randomUUID()}.partial`;
      try {
        if (lstatSync(from).isSymbolicLink()) throw new PlantedLinkError(from);
        await inFolder(folders, dirname(path), () => copyFile(from, temporary, constants.COPYFILE_FICLONE));
      } catch (error) {
        if (isMissing(error)) throw new NotFoundError(source.bucket, source.key);
        throw error;
      }
      renameSync(temporary, path);
    },
    async adopt(bucket, key, path) {
      const place = pathOf(root, bucket, key);
      await inFolder(folders, dirname(place), () => renameSync(path, place));
    },
    async remove(bucket, key) {
      const path = pathOf(root, bucket, key);
      folders.check(dirname(path));
      await rm(path, { recursive: true, force: true });
      folders.forget();
    },
    pathOf: (bucket, key) => pathOf(root, bucket, key),
  };
}

/** The path of an object, always below the root: no segment can leave its folder, be hidden, or name a device. */
function pathOf(root: string, bucket: Bucket, key: string): string {
  return join(root, bucket, ...key.split('/').map(fileNameOf));
}

/** What the segments of our own keys look like. */
const PLAIN_SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/;

/** A key segment as a file name: plain letters, digits, `-`, `_` and inner dots stay; every other byte becomes `%XX`. */
function fileNameOf(segment: string): string {
  if (PLAIN_SEGMENT.test(segment)) return segment;
  const name = [...Buffer.from(segment, 'utf8')]
    .map((byte, index) => {
      const character = String.fromCharCode(byte);
      const isPlain = /[A-Za-z0-9_-]/.test(character) || (character === '.' && index > 0);
      return isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
  // `//` in a key is a segment too. A percent sign of the key itself becomes `%25`, so no other segment looks like this.
  if (name === '') return '%';
  if (name.length > MAX_SEGMENT_LENGTH)
    throw new TypeError(`a key segment of ${segment.length} characters cannot be a file name`);
  return name;
}

/** Makes a folder and then a file in it. Another process may have removed the folder since it was looked at. */
async function inFolder(folders: OwnFolders, folder: string, write: () => void | Promise<void>): Promise<void> {
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

async function writeNew(path: string, body: Uint8Array): Promise<void> {
  const how = { mode: 0o600, flag: 'wx' };
  if (body.length <= SMALL_BYTES) writeFileSync(path, body, how);
  else await writeFile(path, body, how);
}

/** A hard link fails when the name is taken. It is the only atomic "create with content" of a file system. */
function publishIfAbsent(temporary: string, path: string): boolean {
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

/** Windows has no such flag. */
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

async function readBounded(path: string, maxBytes: number, missing: () => Error): Promise<Uint8Array> {
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
