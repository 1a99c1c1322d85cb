/**
 * Blobs in a directory with the same tree as the buckets. Writes are atomic: an object exists completely or not at all, even after a crash
 * or Ctrl-C. A sender may choose intake keys, so every segment of a key is encoded into a plain file name. No link below the root is
 * followed.
 */
import { constants, lstatSync, renameSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NotFoundError } from '../../pipeline/errors.ts';
import type { Blobs, Bucket, GetOptions, PutOptions } from '../../pipeline/ports.ts';
import { inFolder, isWritten, partialOf, publishIfAbsent, readBounded, writeFolder, writeNew } from './files.ts';
import { ownFolders, PlantedLinkError } from './own-folders.ts';

/** Longest encoded segment. File systems allow 255 bytes, and a temporary name is longer than the final one. */
const MAX_SEGMENT_LENGTH = 200;

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Keys that contain the hash of the object. The same mail, picture or signature comes in again and again. */
const NAMED_BY_CONTENT = /(?:^|\/)[0-9a-f]{64}$/;

export interface ObjectPlace {
  readonly bucket: Bucket;
  readonly key: string;
}

export interface DirectoryBlobs extends Blobs {
  /**
   * Writes the objects below one key, each under its own name, in this order. If nothing exists below that key yet, all of them appear at
   * once, or none. `twins` names objects with the same bytes that the caller has just put elsewhere. Both share their room on the disk if
   * the file system can do that. No object is ever overwritten, so neither name changes with the other.
   */
  putBelow(
    bucket: Bucket,
    key: string,
    objects: ReadonlyMap<string, Uint8Array>,
    twins?: ReadonlyMap<string, ObjectPlace | null>,
  ): Promise<void>;
  /** Moves a finished file of any size to its place as an object. It must be on the same file system. */
  adopt(bucket: Bucket, key: string, path: string): Promise<void>;
  /** Returns true when an object has this key, or a key below it. */
  hasBelow(bucket: Bucket, key: string): Promise<boolean>;
  /** Removes an object, or all objects below a key. A missing object is no error. */
  remove(bucket: Bucket, key: string): Promise<void>;
  /** Returns the path of an object, for people who open it. */
  pathOf(bucket: Bucket, key: string): string;
}

/** Makes blobs below `root`, which the first write creates. Content types, tags and versions are not kept. */
export function directoryBlobs(root: string): DirectoryBlobs {
  const folders = ownFolders(root);
  const put: Blobs['put'] = async (bucket, key, body, options: PutOptions = {}) => {
    const path = pathOf(root, bucket, key);
    if (!options.ifAbsent && NAMED_BY_CONTENT.test(key) && (await isWritten(folders, path, body))) return true;
    const temporary = partialOf(path);
    await inFolder(folders, dirname(path), () => writeNew(temporary, body));
    if (options.ifAbsent) return publishIfAbsent(temporary, path);
    renameSync(temporary, path);
    return true;
  };
  return {
    put,
    async putBelow(bucket, key, objects, twins) {
      const place = pathOf(root, bucket, key);
      folders.check(dirname(place));
      const fileOf = ([name, body]: readonly [string, Uint8Array]) => {
        const twin = twins?.get(name) ?? null;
        return { names: name.split('/').map(fileNameOf), body, twin: twin && pathOf(root, twin.bucket, twin.key) };
      };
      if (lstatSync(place, { throwIfNoEntry: false }) === undefined)
        return writeFolder(folders, place, [...objects].map(fileOf));
      for (const [name, body] of objects) await put(bucket, `${key}/${name}`, body);
    },
    async get(bucket, key, { maxBytes }: GetOptions) {
      const path = pathOf(root, bucket, key);
      // A look costs a tenth of the error of a failed opening, and a mail asks for several objects in folders that do not exist.
      if (!folders.check(dirname(path))) throw new NotFoundError(bucket, key);
      return readBounded(path, maxBytes, () => new NotFoundError(bucket, key));
    },
    async has(bucket, key) {
      const path = pathOf(root, bucket, key);
      if (!folders.check(dirname(path))) return false;
      return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    },
    async copy(source, target) {
      const from = pathOf(root, source.bucket, source.key);
      folders.check(dirname(from));
      const path = pathOf(root, target.bucket, target.key);
      const temporary = partialOf(path);
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
    async hasBelow(bucket, key) {
      const path = pathOf(root, bucket, key);
      return folders.check(dirname(path)) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    },
    async remove(bucket, key) {
      const path = pathOf(root, bucket, key);
      // Most objects to be removed never existed.
      if (!folders.check(dirname(path)) || lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
      await rm(path, { recursive: true, force: true });
      folders.forget();
    },
    pathOf: (bucket, key) => pathOf(root, bucket, key),
  };
}

/** Returns the path of an object, which is always below the root: no segment can leave its folder, be hidden, or name a device. */
function pathOf(root: string, bucket: Bucket, key: string): string {
  return join(root, bucket, ...key.split('/').map(fileNameOf));
}

/** The form of the segments of our own keys. */
const PLAIN_SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/;

/** Encodes a key segment as a file name: plain letters, digits, `-`, `_` and inner dots stay; every other byte becomes `%XX`. */
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
