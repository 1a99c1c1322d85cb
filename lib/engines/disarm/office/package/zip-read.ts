/** Unpacks entries of a document's archive with the platform's own zlib, several times faster than the zip library. */
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry, FileEntry } from '@zip.js/zip.js';
import { FLAG, localHeaderAt, METHOD } from '../../../../formats/archives/zip-records.ts';
import { asBuffer } from '../../../../formats/byte-scan.ts';
import { EngineError } from '../../../engine.ts';
import type { PackedPart } from './zip-write.ts';

/** Extra fields of an entry in the directory: dates, owners and 64-bit sizes together stay below. */
const MAX_EXTRA_BYTES = 64;
/** The size of an empty file when it is deflated. */
const EMPTY_DEFLATED_BYTES = 2;
/** The most memory that is allocated at once on a claim of the directory. */
const MAX_FIRST_CHUNK_BYTES = 128 * 1024 * 1024;

/**
 * Unpacks one entry. It must use all of its packed bytes. Size and checksum must equal those of the directory. Throws EngineError
 * `unreadable`, or `oversize` when it is larger than stated.
 */
export async function unpackEntry(archive: Uint8Array, entry: FileEntry): Promise<Uint8Array> {
  const packed = packedEntry(archive, entry);
  if (packed === null) return unpackOther(entry);
  const { method, data, crc, size } = packed;
  const content = method === METHOD.stored ? data : inflate(data, size);
  if (content.length !== size || crc32(content) !== crc) throw damaged();
  return content;
}

/** Returns an entry as the directory describes it; null for methods other than stored and deflate. Throws EngineError `unreadable`. */
export function packedEntry(archive: Uint8Array, entry: FileEntry): PackedPart | null {
  const { compressionMethod: method, uncompressedSize: size, signature: crc = 0 } = entry;
  return method === METHOD.stored || method === METHOD.deflated
    ? { method, data: packedBytes(archive, entry), crc, size }
    : null;
}

/**
 * Returns whether an entry's local header equals the directory word for word, in its plain form: sizes and checksum in place, and nothing
 * between the name and the data. False means that a closer look is needed.
 */
export function hasPlainHeader(archive: Uint8Array, entry: FileEntry): boolean {
  const header = localHeaderAt(asBuffer(archive), entry.offset);
  if (header === null || (header.flags & FLAG.descriptor) !== 0) return false;
  return (
    (header.method === METHOD.stored || header.method === METHOD.deflated) &&
    header.flags === entry.rawBitFlag &&
    header.method === entry.compressionMethod &&
    header.checksum === entry.signature &&
    header.packedSize === entry.compressedSize &&
    header.size === entry.uncompressedSize &&
    header.extra.length === 0 &&
    header.rawName.equals(entry.rawFilename)
  );
}

/**
 * Returns whether the directory has data about an entry that not all programs read: another name for it (APPNOTE 4.6.9), by which a program
 * may confuse two parts, a comment, or unknown bytes.
 */
export function hasSideNotes({ extraFieldUnicodePath, rawExtraField, rawComment }: FileEntry): boolean {
  return extraFieldUnicodePath !== undefined || rawExtraField.length > MAX_EXTRA_BYTES || rawComment.length > 0;
}

/** Returns false for a part that is a folder only by its attributes, and for a folder with content, because Office checks neither. */
export function isPlainFolder({ filename, uncompressedSize, compressedSize }: Entry): boolean {
  return filename.endsWith('/') && uncompressedSize === 0 && compressedSize <= EMPTY_DEFLATED_BYTES;
}

/** Returns the packed bytes of an entry, after its local header. Throws EngineError `unreadable` when they are not in the archive. */
export function packedBytes(archive: Uint8Array, { offset, compressedSize }: FileEntry): Uint8Array {
  // A directory that claims a start after its real place moves every entry before the archive.
  const header = localHeaderAt(asBuffer(archive), offset);
  if (header === null || header.dataStart + compressedSize > archive.length) throw damaged();
  return archive.subarray(header.dataStart, header.dataStart + compressedSize);
}

function inflate(data: Uint8Array, size: number): Uint8Array {
  const chunkSize = Math.max(1_024, Math.min(size + 1, MAX_FIRST_CHUNK_BYTES));
  try {
    const options = { info: true, maxOutputLength: Math.max(1, size), chunkSize } as const;
    const { buffer, engine } = inflateRawSync(data, options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    // Bytes after the end of the packed data belong to no entry, so another file could hide there.
    if (engine.bytesWritten !== data.length) throw damaged();
    return buffer;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    // Declared sizes were checked before. This stops an entry that lied about its size.
    if (error instanceof RangeError) throw new EngineError('oversize', 'the document expands without end');
    throw damaged();
  }
}

/** Reads methods such as Deflate64. */
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
