/** The layout of a gzip file (RFC 1952): its header, and whether one stream fills it to the last byte. */
import { crc32, inflateRawSync } from 'node:zlib';

const FIXED_BYTES = 10;
/** The checksum and the size behind the stream. */
const TRAILER_BYTES = 8;
const DEFLATE = 8;
const HEADER_CHECKSUM_FLAG = 0x02;
const EXTRA_FLAG = 0x04;
const NAME_FLAG = 0x08;
const COMMENT_FLAG = 0x10;
/** Flags that determine the start of the stream. With any other flag nobody knows the start. */
const KNOWN_FLAGS = 0x1f;

export interface GzipHeader {
  /** The original name, latin1; null without one. Untrusted. */
  readonly storedName: string | null;
  /** The start of the compressed stream. */
  readonly streamAt: number;
  /** True when the header has only a name. */
  readonly isPlain: boolean;
}

/** Returns the header of a gzip file. Returns null for bytes that do not begin with a whole one. */
export function gzipHeader(bytes: Uint8Array): GzipHeader | null {
  const flags = bytes[3] ?? 0;
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === DEFLATE && (flags & ~KNOWN_FLAGS) === 0;
  if (!isGzip || bytes.length < FIXED_BYTES) return null;
  let at = FIXED_BYTES;
  if ((flags & EXTRA_FLAG) !== 0) at += 2 + (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8);
  let storedName: string | null = null;
  for (const flag of [NAME_FLAG, COMMENT_FLAG]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return null;
    if (flag === NAME_FLAG) storedName = Buffer.from(bytes.subarray(at, end)).toString('latin1');
    at = end + 1;
  }
  if ((flags & HEADER_CHECKSUM_FLAG) !== 0) at += 2;
  const isPlain = (flags & (EXTRA_FLAG | COMMENT_FLAG | HEADER_CHECKSUM_FLAG)) === 0;
  return at <= bytes.length ? { storedName, streamAt: at, isPlain } : null;
}

/** The number of bytes that zlib read. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/**
 * Returns the content of a gzip file that consists of a plain header and one stream with the right checksum and size. Returns null for
 * every other file. Throws RangeError when it unpacks to more than `maxBytes`.
 */
export function singleStream(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  const header = gzipHeader(bytes);
  const end = bytes.length - TRAILER_BYTES;
  if (header === null || !header.isPlain || end <= header.streamAt) return null;
  const stream = bytes.subarray(header.streamAt, end);
  const inflated = inflate(stream, maxBytes);
  if (inflated === null || inflated.engine.bytesWritten !== stream.length) return null;
  const trailer = new DataView(bytes.buffer, bytes.byteOffset + end, TRAILER_BYTES);
  const { buffer } = inflated;
  const isSame = trailer.getUint32(0, true) === crc32(buffer) && trailer.getUint32(4, true) === buffer.length >>> 0;
  return isSame ? buffer : null;
}

/** The number of zeros at the end of a file from which they are examined: a size and a checksum may also end in zeros. */
const PADDING_BYTES = 5;

/**
 * Returns the file without the zeros after its end, with which tapes and downloads fill a block. Programs skip them. Returns the same bytes
 * when anything else is there. Throws RangeError when it unpacks to more than `maxBytes`.
 */
export function withoutPadding(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const header = gzipHeader(bytes);
  if (header === null || bytes.subarray(-PADDING_BYTES).some((byte) => byte !== 0)) return bytes;
  const inflated = inflate(bytes.subarray(header.streamAt), maxBytes);
  if (inflated === null) return bytes;
  const end = header.streamAt + inflated.engine.bytesWritten + TRAILER_BYTES;
  return bytes.subarray(end).some((byte) => byte !== 0) ? bytes : bytes.subarray(0, end);
}

function inflate(stream: Uint8Array, maxBytes: number): Inflated | null {
  try {
    const options = { maxOutputLength: Math.max(1, maxBytes), info: true };
    return inflateRawSync(stream, options) as unknown as Inflated;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return null;
  }
}
