/** Whether a zip archive's bytes are all spoken for: entry after entry from the first byte, then the directory. */
import type { Entry } from '@zip.js/zip.js';

const LOCAL_HEADER_BYTES = 30;
const END_RECORD_BYTES = 22;
/** Data descriptors (APPNOTE 4.3.9): crc and two sizes, with or without signature, 32 or 64 bits. Too short to hide an entry. */
const DESCRIPTOR_BYTES = [12, 16, 20, 24];

/**
 * True when bytes lie between the entries or before the directory that no entry owns: a reader that walks the local headers would
 * find parts there that the directory does not list. Call it with the entries of an archive without comment or appended data.
 */
export function hasHiddenBytes(bytes: Uint8Array, entries: readonly Entry[]): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = 0;
  for (const entry of [...entries].sort((one, other) => one.offset - other.offset)) {
    if (entry.offset !== end || entry.offset + LOCAL_HEADER_BYTES > bytes.length) return true;
    const names = view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
    end = entry.offset + LOCAL_HEADER_BYTES + names + entry.compressedSize;
    if (entry.bitFlag?.dataDescriptor === true) end += descriptorBytes(view, end);
  }
  return end !== directoryOffset(view);
}

/** The length after which the next header stands. */
function descriptorBytes(view: DataView, at: number): number {
  const next = (length: number) => (at + length + 4 <= view.byteLength ? view.getUint32(at + length, true) : 0);
  const headers = [0x04034b50, 0x02014b50];
  return DESCRIPTOR_BYTES.find((length) => headers.includes(next(length))) ?? 0;
}

/** Where the end record says the directory starts; -1 when a comment or the 64-bit form keeps it from standing at the very end. */
function directoryOffset(view: DataView): number {
  const at = view.byteLength - END_RECORD_BYTES;
  if (at < 0 || view.getUint32(at, true) !== 0x06054b50) return -1;
  return view.getUint32(at + 16, true);
}
