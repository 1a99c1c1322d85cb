/** Reads the beginning of a file. */
import { open } from 'node:fs/promises';

const HEAD_BYTES = 64 * 1024;

/** Returns the first 64 KiB, or the whole file when it is shorter. Rejects when it cannot be read. */
export async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
