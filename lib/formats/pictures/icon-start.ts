/** Recognises Windows icons (ICO) and lists the pictures in them. */
import { asBuffer } from '../byte-scan.ts';

const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
/** The most pictures of an icon. Icons of Windows have a dozen. */
const MAX_PICTURES = 100;
const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');
const BITMAP_HEADER_BYTES = 40;

/** One picture of an icon, by the list. A side of 256 is written as 0. */
export interface IconPicture {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly bytes: Buffer;
  /** The offset after its last byte in the file. */
  readonly end: number;
}

/** Returns the pictures of an icon; null for other bytes, and when a picture overlaps the list or passes the end of the file. */
export function iconPictures(input: Uint8Array): readonly IconPicture[] | null {
  const file = asBuffer(input);
  if (file.length < HEADER_BYTES || file.readUInt32LE(0) !== 0x0001_0000) return null;
  const count = file.readUInt16LE(4);
  const listEnd = HEADER_BYTES + count * ENTRY_BYTES;
  if (count === 0 || count > MAX_PICTURES || listEnd > file.length) return null;
  const pictures: IconPicture[] = [];
  for (let at = HEADER_BYTES; at < listEnd; at += ENTRY_BYTES) {
    const [size, start] = [file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)];
    const bytes = file.subarray(start, start + size);
    if (start < listEnd || bytes.length !== size || !(isPng(bytes) || isBitmap(bytes))) return null;
    const [width, height] = [file[at] || 256, file[at + 1] || 256];
    pictures.push({ width, height, bits: file.readUInt16LE(at + 6), bytes, end: start + size });
  }
  return pictures;
}

export const isIcon = (bytes: Uint8Array): boolean => iconPictures(bytes) !== null;

export const isPng = (bytes: Uint8Array): boolean => PNG_START.equals(bytes.subarray(0, PNG_START.length));

const isBitmap = (bytes: Buffer) => bytes.length > BITMAP_HEADER_BYTES && bytes.readUInt32LE(0) === BITMAP_HEADER_BYTES;
