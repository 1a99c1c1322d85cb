/** Reads a file that somebody else may have put there: a pipe, a device or a file without end makes nobody wait and fills no memory. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { LimitExceededError } from '../../pipeline/errors.ts';

/** Returns the bytes. Throws LimitExceededError over `maxBytes`, and the errors of the file system; what is no file has the code `ENOTFILE`. */
export async function readBoundedFile(path: string, limit: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw Object.assign(new Error(`${path} is no file`), { code: 'ENOTFILE' });
    if (found.size > maxBytes) throw new LimitExceededError(`${limit} (${path})`, maxBytes, found.size);
    // One byte more than the size is read. A file that grows meanwhile is then noticed.
    const buffer = Buffer.alloc(found.size + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read)
      read = (await handle.read(buffer, length, buffer.length - length, length)).bytesRead;
    if (length > found.size) throw new LimitExceededError(`${limit} (${path})`, found.size, null);
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}
