/** Checks whether every byte of a zip archive belongs to an entry or to the directory. The first entry starts at the first byte. */
import type { Entry } from '@zip.js/zip.js';
import { descriptorLength, END_BYTES, endRecordAt, localHeaderAt } from '../../../../formats/archives/zip-records.ts';
import { asBuffer } from '../../../../formats/byte-scan.ts';

/**
 * Returns true when there are other bytes between the entries or before the directory. A reader that follows the local headers would find
 * parts there that the directory does not list. Call it with the entries of an archive without comment or appended data.
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
  // With a comment or the 64-bit form, the end record is not at the very end.
  return end !== endRecordAt(zip, zip.length - END_BYTES)?.start;
}
