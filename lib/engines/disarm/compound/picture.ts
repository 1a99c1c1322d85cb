/**
 * Pictures inside drawings of Office 97 to 2003 ([MS-ODRAW] 2.2.23). They are addressed by offset, so they are judged and scrubbed
 * in place: data that is not pixels becomes zeros, and a picture that is not of its claimed kind becomes all zeros.
 */
import { crc32, inflateSync } from 'node:zlib';
import { pictureExtras, pictureFormat } from '../image/format.ts';

const EMF = 0xf01a;
const WMF = 0xf01b;
const PICT = 0xf01c;
const JPEG = 0xf01d;
const PNG = 0xf01e;
const DIB = 0xf01f;
const TIFF = 0xf029;
const JPEG_CMYK = 0xf02a;

const FORMATS: Readonly<Record<number, string>> = {
  [JPEG]: 'jpeg',
  [PNG]: 'png',
  [DIB]: 'bmp',
  [TIFF]: 'tiff',
  [JPEG_CMYK]: 'jpeg',
};

/** Metafiles are compressed drawings; a small one that inflates without end is a bomb. */
const MAX_METAFILE_BYTES = 64 * 1024 * 1024;
const METAFILE_HEADER_BYTES = 34;
const WMF_ESCAPE = 0x0626;
/** The escape that gives the printer a function to call (CVE-2005-4560). */
const SET_ABORT_PROCEDURE = 9;

export function isPictureRecord(type: number): boolean {
  return (type >= EMF && type <= DIB) || type === TIFF || type === JPEG_CMYK;
}

/** Returns the report's words for the removals from the payload of a picture record; null for none. Changes `payload`. */
export function scrubPicture(type: number, instance: number, payload: Buffer): string | null {
  // An odd instance marks a second identifier before the picture.
  const ids = instance & 1 ? 32 : 16;
  if (payload.every((byte) => byte === 0)) return null;
  const isMetafile = type === EMF || type === WMF || type === PICT;
  const picture = payload.subarray(Math.min(payload.length, ids + (isMetafile ? METAFILE_HEADER_BYTES : 1)));
  if (isMetafile) {
    if (isSoundMetafile(type, payload.subarray(ids), picture)) return null;
    payload.fill(0);
    return 'metafile picture';
  }
  return scrubRaster(type, payload, picture);
}

function scrubRaster(type: number, payload: Buffer, picture: Buffer): string | null {
  // A device-independent bitmap has no signature except the size of its header.
  if (type === DIB && picture.length >= 40 && /^(12|40|108|124)$/.test(String(picture.readUInt32LE(0)))) return null;
  const format = pictureFormat(picture);
  if (format !== FORMATS[type]) {
    payload.fill(0);
    return 'disguised content';
  }
  if (format !== 'png' && format !== 'jpeg') return null;
  if (pictureExtras(picture, format).length === 0) return null;
  const changed = format === 'png' ? scrubPng(picture) : scrubJpeg(picture);
  return changed ? 'picture data' : null;
}

const PNG_CHUNKS = /^(?:IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|sBIT|bKGD|pHYs)$/;

/** Overwrites chunks that are not pixels with zeros, with a valid checksum, and everything after the last chunk. */
function scrubPng(picture: Buffer): boolean {
  let changed = false;
  let at = 8;
  while (at + 12 <= picture.length) {
    const length = picture.readUInt32BE(at);
    const type = picture.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (end > picture.length) break;
    if (!PNG_CHUNKS.test(type)) {
      changed = blank(picture.subarray(at + 8, end - 4)) || changed;
      picture.writeUInt32BE(crc32(picture.subarray(at + 4, end - 4)), end - 4);
    }
    at = end;
    if (type === 'IEND') break;
  }
  return blank(picture.subarray(at)) || changed;
}

/** Overwrites application segments and comments up to the first scan with zeros, and everything after the end mark. */
function scrubJpeg(picture: Buffer): boolean {
  let changed = false;
  let at = 2;
  while (at + 4 <= picture.length && picture[at] === 0xff) {
    const marker = picture[at + 1] ?? 0;
    if (marker === 0xda || marker === 0xd9) break;
    const length = picture.readUInt16BE(at + 2);
    const isJfif = marker === 0xe0 && length === 16;
    const isAdobe = marker === 0xee && length === 14;
    const isExtra = ((marker & 0xf0) === 0xe0 || marker === 0xfe) && !isJfif && !isAdobe;
    if (isExtra) changed = blank(picture.subarray(at + 4, at + 2 + length)) || changed;
    at += 2 + Math.max(2, length);
  }
  const end = picture.lastIndexOf(Buffer.from([0xff, 0xd9]));
  return end === -1 ? changed : blank(picture.subarray(end + 2)) || changed;
}

function blank(bytes: Buffer): boolean {
  if (bytes.every((byte) => byte === 0)) return false;
  bytes.fill(0);
  return true;
}

/** Checks a metafile whose records follow one another to an end, and removes the record that calls code. */
function isSoundMetafile(type: number, header: Buffer, packed: Buffer): boolean {
  if (header.length < METAFILE_HEADER_BYTES || type === PICT) return false;
  const stored = packed.subarray(0, Math.min(packed.length, header.readUInt32LE(28)));
  try {
    const isCompressed = header[32] === 0;
    const drawing = isCompressed ? inflateSync(stored, { maxOutputLength: MAX_METAFILE_BYTES }) : stored;
    return type === EMF ? isSoundEmf(drawing) : isSoundWmf(drawing);
  } catch {
    // Neither data that does not unpack nor a record that is cut short is a sound metafile.
    return false;
  }
}

function isSoundEmf(drawing: Buffer): boolean {
  if (drawing.length < 88 || drawing.readUInt32LE(0) !== 1) return false;
  let at = 0;
  while (at + 8 <= drawing.length) {
    const type = drawing.readUInt32LE(at);
    const size = drawing.readUInt32LE(at + 4);
    if (size < 8 || at + size > drawing.length || type > 0x7a) return false;
    if (type === 0x0e) return true;
    at += size;
  }
  return false;
}

function isSoundWmf(drawing: Buffer): boolean {
  let at = drawing.length >= 22 && drawing.readUInt32LE(0) === 0x9ac6cdd7 ? 22 : 0;
  if (at + 18 > drawing.length) return false;
  at += 18;
  while (at + 6 <= drawing.length) {
    const size = drawing.readUInt32LE(at) * 2;
    const type = drawing.readUInt16LE(at + 4);
    if (type === 0) return true;
    if (size < 6 || at + size > drawing.length) return false;
    if (type === WMF_ESCAPE && (size < 8 || drawing.readUInt16LE(at + 6) === SET_ABORT_PROCEDURE)) return false;
    at += size;
  }
  return false;
}
