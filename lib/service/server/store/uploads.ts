/** Writes uploads into the blob store. They are hashed on the way, and cannot be deleted while their request lasts. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Hashes } from '../../../engines/engine.ts';
import type { UploadedFile } from '../../contract/common.ts';
import type { FileSink } from '../http/multipart.ts';
import type { BlobStore } from './blobs.ts';

export interface Uploads {
  /** Returns the files of one request. */
  begin(): UploadBatch;
  /** Returns true when a running request has just stored these bytes. */
  isHeld(sha256: string): boolean;
}

export interface UploadBatch {
  readonly sink: FileSink;
  /** Releases the files. Those that no submission needs are removed. */
  end(): Promise<void>;
}

export interface UploadDeps {
  readonly blobs: BlobStore;
  /** Returns true when a stored submission needs the blob. */
  readonly needs: (sha256: string) => Promise<boolean>;
}

/** Returns all uploads of one store. */
export function createUploads({ blobs, needs }: UploadDeps): Uploads {
  const holders = new Map<string, number>();
  const hold = (sha256: string, change: 1 | -1) => {
    const count = (holders.get(sha256) ?? 0) + change;
    if (count > 0) holders.set(sha256, count);
    else holders.delete(sha256);
  };
  const begin = (): UploadBatch => {
    const received: string[] = [];
    return {
      sink: (untrustedName, pieces) =>
        receive(blobs, untrustedName, pieces, (sha256) => {
          hold(sha256, 1);
          received.push(sha256);
        }),
      end: async () => {
        for (const sha256 of received) {
          hold(sha256, -1);
          if (!holders.has(sha256) && !(await needs(sha256))) await blobs.remove(sha256);
        }
      },
    };
  };
  return { begin, isHeld: (sha256) => holders.has(sha256) };
}

async function receive(
  blobs: BlobStore,
  untrustedName: string,
  pieces: AsyncIterable<Uint8Array>,
  hold: (sha256: string) => void,
): Promise<UploadedFile> {
  // The blob is held before it exists. It is thus never considered unneeded in between.
  const { size, hashes } = await storePieces(blobs, pieces, hold);
  return { untrustedName, size, hashes };
}

/** Stores bytes that an engine made, from memory or from a file. The file stays, because the caller may have to try again. */
export async function storeContent(
  blobs: BlobStore,
  content: Uint8Array | { readonly path: string },
): Promise<StoredContent> {
  return await storePieces(blobs, content instanceof Uint8Array ? [content] : createReadStream(content.path));
}

interface StoredContent {
  /** The name of the blob. */
  readonly sha256: string;
  readonly hashes: Hashes;
  readonly size: number;
}

/** Writes the pieces as one blob under its SHA-256. `beforeCommit` is called when the hash is known. */
async function storePieces(
  blobs: BlobStore,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  beforeCommit: (sha256: string) => void = () => undefined,
): Promise<StoredContent> {
  const digests = { md5: createHash('md5'), sha1: createHash('sha1'), sha256: createHash('sha256') };
  const writer = await blobs.create();
  let size = 0;
  try {
    for await (const piece of pieces) {
      for (const digest of Object.values(digests)) digest.update(piece);
      await writer.write(piece);
      size += piece.byteLength;
    }
    const hashes = {
      md5: digests.md5.digest('hex'),
      sha1: digests.sha1.digest('hex'),
      sha256: digests.sha256.digest('hex'),
    };
    beforeCommit(hashes.sha256);
    await writer.commit(hashes.sha256);
    return { sha256: hashes.sha256, hashes, size };
  } finally {
    await writer.discard();
  }
}
