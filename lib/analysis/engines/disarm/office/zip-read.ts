/** Unpacks entries of a document's archive with the platform's own zlib, several times faster than the zip library. */
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, FileEntry } from '@zip.js/zip.js';
import { EngineError } from '../../engine.ts';
import type { PackedPart } from './zip-write.ts';

const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** General purpose bit 3 (APPNOTE 4.4.4): sizes and checksum stand behind the data. */
const DESCRIPTOR_FOLLOWS = 0x0008;
/** Extra fields of an entry in the directory: dates, owners and 64-bit sizes together stay below. */
const MAX_EXTRA_BYTES = 64;
/** What an empty file is deflated to. */
const EMPTY_DEFLATED_BYTES = 2;
/** What is allocated at once on the word of the directory. */
const MAX_FIRST_CHUNK_BYTES = 128 * 1024 * 1024;

/**
 * Unpacks one entry. The whole of its packed bytes must be used, and size and checksum must be what the directory says. Throws
 * EngineError `unreadable`, or `oversize` when it is larger than it says.
 */
export async function unpackEntry(archive: Uint8Array, entry: FileEntry): Promise<Uint8Array> {
  const packed = packedEntry(archive, entry);
  if (packed === null) return unpackOther(entry);
  const { method, data, crc, size } = packed;
  const content = method === STORED ? data : inflate(data, size);
  if (content.length !== size || crc32(content) !== crc) throw damaged();
  return content;
}

/** An entry as the directory describes it; null for methods other than stored and deflate. Throws EngineError `unreadable`. */
export function packedEntry(archive: Uint8Array, entry: FileEntry): PackedPart | null {
  const { compressionMethod: method, uncompressedSize: size, signature: crc = 0 } = entry;
  return method === STORED || method === DEFLATED ? { method, data: packedBytes(archive, entry), crc, size } : null;
}

/**
 * Whether an entry's local header says word for word what the directory says, in its plain form: sizes and checksum in place, and
 * nothing between the name and the data. False for what takes a closer look.
 */
export function hasPlainHeader(archive: Uint8Array, entry: FileEntry): boolean {
  const {
    offset,
    rawFilename,
    rawBitFlag = DESCRIPTOR_FOLLOWS,
    compressionMethod,
    signature,
    compressedSize,
    uncompressedSize,
  } = entry;
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  if (!(offset >= 0) || offset + LOCAL_HEADER_BYTES + rawFilename.length > archive.length) return false;
  if (view.getUint32(offset, true) !== 0x04034b50 || (rawBitFlag & DESCRIPTOR_FOLLOWS) !== 0) return false;
  const name = archive.subarray(offset + LOCAL_HEADER_BYTES, offset + LOCAL_HEADER_BYTES + rawFilename.length);
  return (
    (compressionMethod === STORED || compressionMethod === DEFLATED) &&
    view.getUint16(offset + 6, true) === rawBitFlag &&
    view.getUint16(offset + 8, true) === compressionMethod &&
    view.getUint32(offset + 14, true) === signature &&
    view.getUint32(offset + 18, true) === compressedSize &&
    view.getUint32(offset + 22, true) === uncompressedSize &&
    view.getUint16(offset + 26, true) === rawFilename.length &&
    view.getUint16(offset + 28, true) === 0 &&
    Buffer.compare(name, rawFilename) === 0
  );
}

/**
 * Whether the directory says something of an entry that programs do not all read: another name for it (APPNOTE 4.6.9), by which one
 * program takes two parts for each other, a comment, or bytes that no program knows.
 */
export function hasSideNotes({ extraFieldUnicodePath, rawExtraField, rawComment }: FileEntry): boolean {
  return extraFieldUnicodePath !== undefined || rawExtraField.length > MAX_EXTRA_BYTES || rawComment.length > 0;
}

/** False for a part that only its attributes call a folder, and for a folder with content: Office looks at neither. */
export function isPlainFolder({ filename, uncompressedSize, compressedSize }: Entry): boolean {
  return filename.endsWith('/') && uncompressedSize === 0 && compressedSize <= EMPTY_DEFLATED_BYTES;
}

/** The packed bytes of an entry, behind its local header. Throws EngineError `unreadable` when they are not in the archive. */
export function packedBytes(archive: Uint8Array, { offset, compressedSize }: FileEntry): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  // A directory that says it starts behind where it stands moves every entry in front of the archive.
  const isInside = offset >= 0 && offset + LOCAL_HEADER_BYTES <= archive.length;
  if (!isInside || view.getUint32(offset, true) !== 0x04034b50) throw damaged();
  const from = offset + LOCAL_HEADER_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (from + compressedSize > archive.length) throw damaged();
  return archive.subarray(from, from + compressedSize);
}

function inflate(data: Uint8Array, size: number): Uint8Array {
  const chunkSize = Math.max(1_024, Math.min(size + 1, MAX_FIRST_CHUNK_BYTES));
  try {
    const options = { info: true, maxOutputLength: Math.max(1, size), chunkSize } as const;
    const { buffer, engine } = inflateRawSync(data, options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    // Bytes behind the end of the packed data are nobody's: a place to hide another file.
    if (engine.bytesWritten !== data.length) throw damaged();
    return buffer;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    // Declared sizes are checked before; this stops the entry that lied about them.
    if (error instanceof RangeError) throw new EngineError('oversize', 'the document expands without end');
    throw damaged();
  }
}

/** Deflate64 and the like. */
async function unpackOther(entry: FileEntry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let left = entry.uncompressedSize;
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      left -= chunk.length;
      if (left < 0) throw damaged();
      chunks.push(chunk);
    },
  });
  try {
    await entry.getData(sink, { strictness: 'tolerant', checkCrc32: true, checkOverlappingEntry: true });
  } catch {
    throw damaged();
  }
  return Buffer.concat(chunks);
}

function damaged(): EngineError {
  return new EngineError('unreadable', 'a part of the document cannot be inflated');
}
