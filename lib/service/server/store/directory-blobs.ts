/** Blobs in a directory, each under its SHA-256. A blob is written in `incoming` until it is complete. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../service-error.ts';
import { type BlobStore, type BlobWriter, checkSha256 } from './blobs.ts';

/** Only the user of the service may read submitted files. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** The size of a piece of a download in bytes. */
const PIECE_BYTES = 64 * 1024;

/**
 * Opens the directory, and makes it when it does not exist. Deletes uploads that a crash cut off. If several processes share it, `unusedMs`
 * is the time without a write, in milliseconds, after which an upload is certainly abandoned. @default no other process has one
 */
export async function openDirectoryBlobs(directory: string, unusedMs = 0): Promise<BlobStore> {
  const incoming = join(directory, 'incoming');
  await mkdir(incoming, { recursive: true, mode: DIRECTORY_MODE });
  await removeUnused(incoming, unusedMs);
  const folderOf = (sha256: string) => join(directory, checkSha256(sha256).slice(0, 2));
  const pathOf = (sha256: string) => join(folderOf(sha256), sha256);
  return {
    create: () => fileWriter(join(incoming, randomUUID()), folderOf, pathOf),
    read: (sha256) => readFile(pathOf(sha256)).catch(nullIfMissing),
    open: async (sha256) => {
      const path = pathOf(sha256);
      const facts = await stat(path).catch(nullIfMissing);
      return facts && { size: facts.size, stream: () => ReadableStream.from(piecesOf(path)) };
    },
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
    files: { pathOf, newPath: () => join(incoming, randomUUID()) },
  };
}

async function removeUnused(folder: string, unusedMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const facts = unusedMs === 0 ? null : await stat(path).catch(nullIfMissing);
    if (facts && facts.mtimeMs > Date.now() - unusedMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

async function fileWriter(
  temporary: string,
  folderOf: (sha256: string) => string,
  pathOf: (sha256: string) => string,
): Promise<BlobWriter> {
  const file = await open(temporary, 'wx', FILE_MODE).catch(unavailable);
  let isOpen = true;
  return {
    write: async (chunk) => {
      // One write may take only a part.
      for (let at = 0; at < chunk.byteLength; ) {
        at += (await file.write(chunk, at, chunk.byteLength - at).catch(unavailable)).bytesWritten;
      }
    },
    commit: async (sha256) => {
      isOpen = false;
      await file.close();
      await mkdir(folderOf(sha256), { recursive: true, mode: DIRECTORY_MODE }).catch(unavailable);
      // A blob that exists already is replaced by the same bytes in one step.
      await rename(temporary, pathOf(sha256)).catch(unavailable);
    },
    discard: async () => {
      if (!isOpen) return;
      isOpen = false;
      await file.close();
      await rm(temporary, { force: true });
    },
  };
}

/** Reads the file piece by piece. It is opened for the first piece, and closed when its reader ends or goes away. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Throws STORAGE_UNAVAILABLE for a full disk, which is no fault of the request. Other errors are thrown as they are. */
function unavailable(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT' || error.code === 'EMFILE') {
    throw new ServiceError('STORAGE_UNAVAILABLE', { retryAfterSeconds: 30 });
  }
  throw error;
}
