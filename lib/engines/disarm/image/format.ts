/** The format of a picture by its first bytes, and the content of a picture file besides its picture. */

import { brandOf } from '../../../formats/media/brands.ts';
import { readApng } from '../../../formats/pictures/apng.ts';

export type RasterFormat =
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'tiff'
  | 'bmp'
  | 'avif'
  | 'heic'
  | 'psd'
  | 'ico'
  | 'jp2'
  | 'jxl';
export type PictureFormat = RasterFormat | 'emf' | 'wmf' | 'svg';

/** Byte strings (latin1) by their offset. All strings of a row must match. */
const MAGIC: readonly (readonly [PictureFormat, Readonly<Record<number, string>>])[] = [
  ['png', { 0: '\x89PNG\r\n\x1a\n' }],
  ['jpeg', { 0: '\xff\xd8\xff' }],
  ['gif', { 0: 'GIF87a' }],
  ['gif', { 0: 'GIF89a' }],
  ['webp', { 0: 'RIFF', 8: 'WEBP' }],
  ['tiff', { 0: 'II*\0' }],
  ['tiff', { 0: 'MM\0*' }],
  ['tiff', { 0: 'II+\0' }],
  ['tiff', { 0: 'MM\0+' }],
  ['bmp', { 0: 'BM' }],
  ['jp2', { 0: '\0\0\0\x0cjP  ' }],
  ['jp2', { 0: '\xff\x4f\xff\x51' }],
  ['jxl', { 0: '\0\0\0\x0cJXL ' }],
  ['jxl', { 0: '\xff\x0a' }],
  ['psd', { 0: '8BPS\0\x01' }],
  ['ico', { 0: '\0\0\x01\0' }],
  ['emf', { 0: '\x01\0\0\0', 40: ' EMF' }],
  ['wmf', { 0: '\xd7\xcd\xc6\x9a' }],
  ['wmf', { 0: '\x01\0\x09\0' }],
  ['wmf', { 0: '\x02\0\x09\0' }],
];

/** Returns the format by the first bytes; null when they belong to no picture. */
export function pictureFormat(bytes: Uint8Array): PictureFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(64, bytes.length)).toString('latin1');
  const hit = MAGIC.find(([, parts]) => Object.entries(parts).every(([at, part]) => head.startsWith(part, Number(at))));
  if (hit !== undefined) return hit[0];
  const brand = head.startsWith('ftyp', 4) ? brandOf(bytes) : null;
  if (brand === 'avif' || brand === 'heic') return brand;
  return /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|svg|!)/.test(head) ? 'svg' : null;
}

/**
 * The content that a picture file may have besides its picture. `unusual structure` is anything that the plain form of a format does not
 * have.
 */
export type PictureExtra = 'metadata' | 'appended data' | typeof OTHER_PICTURES | 'unusual structure';

/** Only the first of several pictures, frames or pages is kept. */
export const OTHER_PICTURES = 'other frames and pages';

/**
 * Lists the content of a PNG, JPEG or GIF file besides pixels and the data for their decoder. An empty list means that every byte of the
 * file was read and there is nothing else. The list is never empty for other formats.
 */
export function pictureExtras(bytes: Uint8Array, format: PictureFormat): readonly PictureExtra[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Set<PictureExtra>();
  const walk = { png: walkPng, jpeg: walkJpeg, gif: walkGif }[format as 'png' | 'jpeg' | 'gif'];
  const end = walk === undefined ? null : walk(view, found);
  if (end === null) found.add('unusual structure');
  else if (end < view.length) found.add(arePictures(view, end) ? OTHER_PICTURES : 'appended data');
  return [...found];
}

type Found = Set<PictureExtra>;

/**
 * Returns true when only whole JPEGs follow. Cameras append them for brighter screens and for small previews (CIPA DC-007, Multi-Picture
 * Format), and pad them with zeros.
 */
function arePictures(view: Buffer, from: number): boolean {
  let at = from;
  while (at < view.length) {
    const isJpeg = view[at] === 0xff && view[at + 1] === 0xd8;
    const length = isJpeg ? walkJpeg(view.subarray(at), new Set()) : null;
    if (length === null && view[at] !== 0) return false;
    at += length ?? 1;
  }
  return true;
}

const PNG_CHUNKS = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs acTL fcTL fdAT'.split(' '));

const ANIMATION_CHUNKS = new Set(['acTL', 'fcTL', 'fdAT']);

/** Reads PNG chunks (ISO/IEC 15948, 5.3) up to IEND, inclusive. Returns the offset after it; null when the chain of chunks breaks. */
function walkPng(view: Buffer, found: Found): number | null {
  let at = 8;
  let isAnimated = false;
  while (at + 12 <= view.length) {
    const length = view.readUInt32BE(at);
    const type = view.toString('latin1', at + 4, at + 8);
    at += 12 + length;
    if (at > view.length) return null;
    if (type === 'IEND') {
      // Its frames are always written anew.
      if (isAnimated) found.add('unusual structure');
      if (isAnimated && (readApng(view)?.hasOtherPicture ?? true)) found.add(OTHER_PICTURES);
      return length === 0 ? at : null;
    }
    isAnimated ||= ANIMATION_CHUNKS.has(type);
    if (!PNG_CHUNKS.has(type)) found.add('metadata');
  }
  return null;
}

/**
 * Reads JPEG segments (ITU-T T.81, B.1) up to EOI, inclusive. Only JFIF and Adobe's colour transform are plain; other APPn and COM are not.
 */
function walkJpeg(view: Buffer, found: Found): number | null {
  let at = 2;
  while (at + 4 <= view.length) {
    if (view[at] !== 0xff) return null;
    const marker = view[at + 1] ?? 0;
    if (marker === 0xd9) return at + 2;
    const length = view.readUInt16BE(at + 2);
    if (length < 2) return null;
    const isJfif = marker === 0xe0 && length === 16;
    const isAdobe = marker === 0xee && length === 14;
    if (((marker & 0xf0) === 0xe0 || marker === 0xfe) && !isJfif && !isAdobe) found.add('metadata');
    at += 2 + length;
    if (marker === 0xda) at = endOfScan(view, at);
  }
  return at + 2 === view.length && view[at] === 0xff && view[at + 1] === 0xd9 ? at + 2 : null;
}

/**
 * Returns the end of the compressed data of a JPEG: the next marker that is neither a stuffed byte nor a restart, otherwise the end of the
 * file.
 */
export function endOfScan(view: Buffer, from: number): number {
  for (let at = view.indexOf(0xff, from); at !== -1 && at + 1 < view.length; at = view.indexOf(0xff, at + 1)) {
    const next = view[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return view.length;
}

/** Reads GIF blocks (GIF89a) up to the trailer, inclusive. Only two extensions are plain: graphic control and the loop count. */
function walkGif(view: Buffer, found: Found): number | null {
  if (view.length < 14) return null;
  let at = 13 + tableSize(view[10] ?? 0);
  while (at < view.length) {
    const kind = view[at];
    if (kind === 0x3b) return at + 1;
    if (kind === 0x2c) {
      at = endOfBlocks(view, at + 10 + tableSize(view[at + 9] ?? 0) + 1);
    } else if (kind === 0x21) {
      const isLoop = view[at + 1] === 0xff && view.toString('latin1', at + 3, at + 14) === 'NETSCAPE2.0';
      if (view[at + 1] !== 0xf9 && !isLoop) found.add('metadata');
      at = endOfBlocks(view, at + 2);
    } else {
      return null;
    }
  }
  return null;
}

const tableSize = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function endOfBlocks(view: Buffer, from: number): number {
  let at = from;
  while (at < view.length) {
    const length = view[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return view.length;
}
