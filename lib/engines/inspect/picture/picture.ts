/** Reads the structure of raster pictures to the last byte: their size, and blocks that hold anything but the picture. */
import type { Findings } from '../fact.ts';
import { openAnimationCheck } from './animation.ts';
import { isSoundEmf, isSoundWmf } from './metafile.ts';
import { walkTiff } from './tiff.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

type Walk = (bytes: Uint8Array, view: DataView, fault: (id: string) => void) => PictureSize | null;

/** Blocks that a picture needs to look right. Any other block could hide something. */
const PNG_CHUNKS = /^(?:IHDR|PLTE|IDAT|IEND|tRNS|gAMA|cHRM|sRGB|sBIT|bKGD|pHYs|hIST|acTL|fcTL|fdAT|iCCP)$/;
const WEBP_CHUNKS = /^(?:VP8 |VP8L|VP8X|ALPH|ANIM|ANMF|ICCP)$/;

/** Blocks about the picture, which are kept only when the caller asks. */
const METADATA = /^(?:eXIf|tEXt|zTXt|iTXt|tIME|EXIF|XMP )$/;

/** Returns bytes as characters. */
export function ascii(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.subarray(at, at + length)).toString('latin1');
}

const png: Walk = (bytes, view, fault) => {
  const animation = openAnimationCheck(view);
  let at = 8;
  for (;;) {
    if (at + 12 > bytes.length) return null;
    const kind = ascii(bytes, at + 4, 4);
    animation.chunk(kind, at + 8, view.getUint32(at));
    if (!PNG_CHUNKS.test(kind)) fault(METADATA.test(kind) ? 'picture-metadata' : 'picture-extra-block');
    at += 12 + view.getUint32(at);
    if (kind === 'IEND') break;
  }
  if (!animation.isSound()) fault('picture-animation');
  else if (animation.frames() > 0 && !animation.isNothingButPixels()) fault('picture-extra-block');
  if (at !== bytes.length) fault('picture-trailing-data');
  return { width: view.getUint32(16), height: view.getUint32(20) };
};

/** Returns whether a marker has no length behind it: restarts, and the start of the picture. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

const jpeg: Walk = (bytes, view, fault) => {
  let size: PictureSize | null = null;
  let at = 2;
  while (bytes[at] === 0xff && bytes[at + 1] !== 0xd9) {
    const marker = bytes[at + 1] as number;
    if (marker === 0xff || isBare(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (isForeignSegment(marker)) fault(marker === 0xfe ? 'picture-extra-block' : 'picture-metadata');
    if (isFrame(marker)) size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
    if (marker === 0xda) at = endOfScan(bytes, at);
  }
  if (bytes[at] !== 0xff) return null;
  if (at + 2 !== bytes.length) fault('picture-trailing-data');
  return size;
};

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Returns whether a segment is a comment or an application segment, except those that say how to read the pixels (JFIF, ICC profile,
 * Adobe).
 */
const isForeignSegment = (marker: number) =>
  marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xe2 && marker !== 0xee);

/** Returns the end of compressed data: the first marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = view.indexOf(0xff, from); at !== -1; at = view.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0xd9;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** A screen that is smaller than its frames grows, as in programs that show it. */
const gif: Walk = (bytes, view, fault) => {
  let at = 13 + tableLength(bytes[10] ?? 0);
  let [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (isForeignExtension(bytes, at)) fault('picture-extra-block');
      at = endOfBlocks(bytes, at + 2);
    } else if (bytes[at] === 0x2c) {
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at = endOfBlocks(bytes, at + 11 + tableLength(bytes[at + 9] ?? 0));
    } else return null;
  }
  if (at + 1 !== bytes.length) fault('picture-trailing-data');
  return { width, height };
};

/** Returns the bytes of a colour table, by the flags that announce it. */
export const tableLength = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** Returns whether an extension is a comment, a text, or of a program, other than the repeat count of an animation. */
function isForeignExtension(bytes: Uint8Array, at: number): boolean {
  const label = bytes[at + 1];
  if (label === 0xff) return !/^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(ascii(bytes, at + 3, 11));
  return label === 0xfe || label === 0x01;
}

/** Returns where a chain of data blocks of a GIF ends. */
export function endOfBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] as number);
  return at + 1;
}

const webp: Walk = (bytes, view, fault) => {
  const end = 8 + view.getUint32(4, true);
  if (end + (end % 2) < bytes.length) fault('picture-trailing-data');
  let size: PictureSize | null = null;
  for (let at = 12; at + 8 <= Math.min(end, bytes.length); ) {
    const kind = ascii(bytes, at, 4);
    if (!WEBP_CHUNKS.test(kind)) fault(METADATA.test(kind) ? 'picture-metadata' : 'picture-extra-block');
    size ??= webpSize(kind, view, at + 8);
    const length = view.getUint32(at + 4, true);
    at += 8 + length + (length % 2);
  }
  return size;
};

function webpSize(kind: string, view: DataView, at: number): PictureSize | null {
  if (at + 10 > view.byteLength) return null;
  if (kind === 'VP8X') {
    const u24 = (place: number) => view.getUint16(place, true) + (view.getUint8(place + 2) << 16) + 1;
    return { width: u24(at + 4), height: u24(at + 7) };
  }
  if (kind === 'VP8 ') {
    return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
  }
  if (kind !== 'VP8L') return null;
  const bits = view.getUint32(at + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** A header of 12 bytes is of OS/2 1. Its sides have two bytes. */
const bmp: Walk = (_bytes, view) =>
  view.getUint32(14, true) === 12
    ? { width: view.getUint16(18, true), height: view.getUint16(20, true) }
    : { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };

/** A drawing has no pixels. Its size is the size of the frame around it. */
const DRAWING: PictureSize = { width: 1, height: 1 };

/** A metafile is either sound or refused. The exact fault is not reported. */
const drawing =
  (isSound: (view: DataView) => boolean): Walk =>
  (_bytes, view, fault) => {
    if (!isSound(view)) fault('metafile-record');
    return DRAWING;
  };

const emf = drawing(isSoundEmf);
const wmf = drawing(isSoundWmf);

/** Returns the pixels of the first frame that the file states. Returns null when it is no raster picture or is damaged. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  return walk(bytes, () => undefined);
}

function walk(bytes: Uint8Array, fault: (id: string) => void): PictureSize | null {
  if (bytes.length < 26) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return walkOf(bytes)?.(bytes, view, fault) ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function walkOf(bytes: Uint8Array): Walk | null {
  const head = ascii(bytes, 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return png;
  if (head.startsWith('\xff\xd8\xff')) return jpeg;
  if (/^GIF8[79]a/.test(head)) return gif;
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return webp;
  if (/^(?:II\*\0|MM\0\*)/.test(head)) return (_, view, fault) => walkTiff(view, fault);
  if (head.startsWith('\x01\0\0\0') && ascii(bytes, 40, 4) === ' EMF') return emf;
  if (['\xd7\xcd\xc6\x9a', '\x01\0\x09\0', '\x02\0\x09\0'].some((start) => head.startsWith(start))) return wmf;
  return head.startsWith('BM') ? bmp : null;
}

/** Searches one picture. Returns false when the bytes are no whole raster picture. */
export function inspectPicture(bytes: Uint8Array, findings: Findings, where: string): boolean {
  const size = walk(bytes, (id) => findings.add(id, where));
  return size !== null && size.width > 0 && size.height > 0;
}
