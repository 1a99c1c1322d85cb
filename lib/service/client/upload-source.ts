/** The source of an upload: a path, bytes, a Blob, or a stream. Only one piece at a time is in memory. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UploadSourceError } from './errors.ts';

/** Bytes without a name. Streams of Node and of the web are async iterables of bytes. */
export type UploadContent = Uint8Array | Blob | AsyncIterable<Uint8Array>;

/** A file to upload. A string is a path, never content. */
export type FileToAnalyse =
  | string
  | URL
  | UploadContent
  | {
      readonly path: string | URL;
      /** @default the last segment of the path */
      readonly filename?: string;
    }
  | {
      readonly bytes: UploadContent;
      /** @default the name of a File; `file` otherwise */
      readonly filename?: string;
      /** The length of a stream, when it is known. The upload announces it, so that a stream that is too large is refused at once. */
      readonly sizeBytes?: number;
    };

/** A file to upload, ready to be read. */
export interface UploadSource {
  readonly filename: string;
  /** Null when it is not known. */
  readonly size: number | null;
  /** Starts to read the bytes. Throws UploadSourceError, also during the reading. */
  open(): AsyncIterable<Uint8Array>;
  /** Returns whether `open` may be called (again). */
  canOpen(): boolean;
  /** Returns the digest of the whole content; null when it was not read to its end and cannot be read again. */
  sha256(): Promise<string | null>;
}

/** Small pieces keep the garbage of a large upload small: each piece stays in memory until it is collected. */
const READ_BYTES = 16 * 1024;

/** The name that public clients send for a file without a name. */
const NO_NAME = 'file';

/**
 * Makes a source. Rejects with UploadSourceError when there is no readable file at the path.
 *
 * @example
 * ```ts
 * (await uploadSource({ bytes: Buffer.from('hello'), filename: 'hello.txt' })).size; // => 5
 * ```
 */
export async function uploadSource(file: FileToAnalyse): Promise<UploadSource> {
  if (typeof file === 'string' || file instanceof URL) return await pathSource(file, undefined);
  if (isContent(file)) return contentSource(file, undefined, undefined);
  if ('path' in file) return await pathSource(file.path, file.filename);
  return contentSource(file.bytes, file.filename, file.sizeBytes);
}

const isContent = (file: object): file is UploadContent =>
  file instanceof Uint8Array || file instanceof Blob || Symbol.asyncIterator in file;

async function pathSource(given: string | URL, filename: string | undefined): Promise<UploadSource> {
  const path = given instanceof URL ? fileURLToPath(given) : given;
  const facts = await stat(path).catch((error: unknown) => {
    throw new UploadSourceError(`the file to upload cannot be read: ${path}`, { cause: error });
  });
  // A device or a pipe has no size and may never end. It can be sent as a stream.
  if (!facts.isFile()) throw new UploadSourceError(`the file to upload is not a regular file: ${path}`);
  const open = () => counted(createReadStream(path, { highWaterMark: READ_BYTES }), facts.size, path);
  return { ...replayable(open), filename: filename ?? (basename(path) || NO_NAME), size: facts.size };
}

function contentSource(content: UploadContent, name: string | undefined, sizeBytes: number | undefined): UploadSource {
  const filename = name ?? (content instanceof File ? content.name : NO_NAME);
  if (content instanceof Uint8Array) {
    return { ...replayable(() => slices(content)), filename, size: content.byteLength };
  }
  if (content instanceof Blob) {
    const open = () => counted(content.stream() as AsyncIterable<Uint8Array>, content.size, filename);
    return { ...replayable(open), filename, size: content.size };
  }
  return streamSource(content, filename, sizeBytes ?? null);
}

function replayable(open: () => AsyncIterable<Uint8Array>): Pick<UploadSource, 'open' | 'canOpen' | 'sha256'> {
  const sha256 = async () => {
    const hash = createHash('sha256');
    for await (const piece of open()) hash.update(piece);
    return hash.digest('hex');
  };
  return { open, canOpen: () => true, sha256 };
}

/** A stream can be read only once, so its hash is computed while it is sent. */
function streamSource(stream: AsyncIterable<Uint8Array>, filename: string, size: number | null): UploadSource {
  let isOpened = false;
  let sha256: string | null = null;
  async function* pass() {
    const hash = createHash('sha256');
    for await (const piece of counted(stream, size, filename)) {
      hash.update(piece);
      yield piece;
    }
    sha256 = hash.digest('hex');
  }
  return {
    filename,
    size,
    canOpen: () => !isOpened,
    open() {
      if (isOpened) throw new UploadSourceError(`a stream can be uploaded once: ${filename}`);
      isOpened = true;
      return pass();
    },
    sha256: async () => sha256,
  };
}

/** Returns the pieces of a stream. They must be bytes and have the announced length: a wrong length would make the request hang. */
async function* counted(stream: AsyncIterable<unknown>, size: number | null, name: string): AsyncGenerator<Uint8Array> {
  let seen = 0;
  try {
    for await (const piece of stream) {
      if (!(piece instanceof Uint8Array)) throw new UploadSourceError(`a stream of bytes is needed: ${name}`);
      seen += piece.byteLength;
      if (size !== null && seen > size) break;
      yield piece;
    }
  } catch (error) {
    if (error instanceof UploadSourceError) throw error;
    throw new UploadSourceError(`the file to upload could not be read to its end: ${name}`, { cause: error });
  }
  if (size !== null && seen !== size) throw new UploadSourceError(`the file changed while it was uploaded: ${name}`);
}

const SLICE_BYTES = 256 * 1024;

/** Yields slices, so that a slow socket holds one slice and not a copy of the whole. */
async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
