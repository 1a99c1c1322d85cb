/** Blobs in memory, with a limit. For a service that keeps nothing after its process ends. */

import { ServiceError } from '../service-error.ts';
import { type BlobStore, type BlobWriter, checkSha256 } from './blobs.ts';

/** The size of a piece of a download in bytes. */
const PIECE_BYTES = 64 * 1024;

/** Returns a store of at most `maxBytes`. A write beyond that is refused with STORAGE_UNAVAILABLE. */
export function createMemoryBlobs(maxBytes: number): BlobStore {
  const blobs = new Map<string, Uint8Array>();
  let used = 0;
  const take = (bytes: number) => {
    if (used + bytes > maxBytes) throw new ServiceError('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 });
    used += bytes;
  };
  return {
    create: async () =>
      memoryWriter(take, (sha256, bytes) => {
        if (blobs.has(sha256)) used -= bytes.byteLength;
        else blobs.set(sha256, bytes);
      }),
    read: async (sha256) => blobs.get(checkSha256(sha256)) ?? null,
    open: async (sha256) => {
      const bytes = blobs.get(checkSha256(sha256));
      return bytes ? { size: bytes.byteLength, stream: () => piecesOf(bytes) } : null;
    },
    remove: async (sha256) => {
      used -= blobs.get(checkSha256(sha256))?.byteLength ?? 0;
      blobs.delete(sha256);
    },
  };
}

function memoryWriter(take: (bytes: number) => void, keep: (sha256: string, bytes: Uint8Array) => void): BlobWriter {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isOpen = true;
  return {
    write: async (chunk) => {
      take(chunk.byteLength);
      size += chunk.byteLength;
      chunks.push(new Uint8Array(chunk));
    },
    commit: async (sha256) => {
      isOpen = false;
      keep(checkSha256(sha256), new Uint8Array(Buffer.concat(chunks, size)));
    },
    discard: async () => {
      if (isOpen) take(-size);
      isOpen = false;
      chunks.length = 0;
    },
  };
}

function piecesOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    },
  });
}
