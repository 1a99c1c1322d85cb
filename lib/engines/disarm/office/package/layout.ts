/** Whether every byte of a zip archive belongs to an entry or to the directory. The first entry starts at the first byte. */
import type { Entry } from '@zip.js/zip.js';
import { descriptorLength, END_BYTES, endRecordAt, localHeaderAt } from '../../../../formats/archives/zip-records.ts';
import { asBuffer } from '../../../../formats/byte-scan.ts';

/**
 * True when bytes that belong to no entry lie between the entries or before the directory: a reader that follows the local headers would
 * find parts there that the directory does not list. Call it with the entries of an archive without comment or appended data.
 */
export function hasHiddenBytes(bytes: Uint8Array, entries: readonly Entry[]): boolean {
  const zip = asBuffer(bytes);
  let end = 0;
  for (const entry of [...entries].sort((one, other) => one.offset - other.offset)) {
    const header = entry.offset === end ? localHeaderAt(zip, end) : null;
    if (header === null) return true;
    end = header.dataStart + entry.compressedSize;
    if (entry.bitFlag?.dataDescriptor === true) end += descriptorLength(zip, end);
  }
  // A comment or the 64-bit form keeps the end record from standing at the very end.
  return end !== endRecordAt(zip, zip.length - END_BYTES)?.start;
}
