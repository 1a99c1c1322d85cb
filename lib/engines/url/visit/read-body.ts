/** Reads the body of an answer. Its packed and its unpacked size both have a limit. */

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { BODY_BYTES, WIRE_BYTES } from './limits.ts';

/** The body is larger than the limit. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}
/** The body is not packed as its header says, or in an unknown way. */
export class BodyUnreadableError extends Error {
  override readonly name = 'BodyUnreadableError';
}

/** Reads and unpacks a body. Rejects with BodyTooLargeError, BodyUnreadableError, or the error of the connection. */
export async function readBody(body: Readable, contentEncoding: string): Promise<Uint8Array> {
  const packed = await collected(body, WIRE_BYTES);
  const unpacker = unpackerOf(contentEncoding.trim().toLowerCase());
  if (unpacker === null || packed.byteLength === 0) return packed;
  unpacker.end(packed);
  return await collected(unpacker, BODY_BYTES).catch((error: unknown) => {
    throw error instanceof BodyTooLargeError ? error : new BodyUnreadableError('the body does not unpack');
  });
}

/** Makes the unpacker. Only one encoding is allowed, because only bombs use two. */
function unpackerOf(encoding: string) {
  switch (encoding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new BodyUnreadableError('the body has an encoding that was not asked for');
  }
}

async function collected(source: Readable, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  await pipeline(source, async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new BodyTooLargeError(`the body has more than ${maxBytes} bytes`);
      pieces.push(chunk);
    }
  });
  return new Uint8Array(Buffer.concat(pieces));
}
