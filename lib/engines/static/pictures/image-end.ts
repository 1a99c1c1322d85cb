/** Reads where pictures end and how large they are. Each format has one reader, which takes linear time. */

import { readJpeg2000 } from '../../../formats/pictures/jpeg2000-start.ts';
import { besidesPicture } from '../../../formats/pictures/jxl-start.ts';

export interface ImageShape {
  /** The offset of the first byte behind the picture; null when the format does not say where it ends. */
  readonly end: number | null;
  readonly pixels: number;
}

/** Reads the structure of a picture. Returns null when it is damaged, or its format is not read here. */
export function readImageShape(bytes: Uint8Array, type: string): ImageShape | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return READERS[type]?.(view) ?? null;
  } catch (error) {
    // The structure points past the end of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const READERS: Readonly<Record<string, (view: DataView) => ImageShape | null>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/gif': readGif,
  'image/webp': readWebp,
  'image/bmp': readBmp,
  'image/avif': readBoxes,
  'image/heic': readBoxes,
  'image/jp2': readWavelets,
  // Its size is written in bits. The decoder has a limit of its own.
  'image/jxl': (view) => ({ end: besidesPicture(bytesOf(view)).end, pixels: 0 }),
  'image/vnd.adobe.photoshop': readPhotoshop,
  'image/vnd.microsoft.icon': readIcon,
  'image/emf': (view) => ({ end: view.getUint32(48, true), pixels: 0 }),
  'image/wmf': readWmf,
  'image/tiff': (view) => ({ end: null, pixels: readTiffPixels(view) }),
};

const bytesOf = (view: DataView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function readWavelets(view: DataView): ImageShape | null {
  const file = readJpeg2000(bytesOf(view));
  return file === null ? null : { end: file.end, pixels: file.width * file.height };
}

/** Reads the size. A frame that programs put in front gives the size on paper; the header behind it counts words. */
function readWmf(view: DataView): ImageShape {
  const start = view.getUint32(0, true) === 0x9ac6cdd7 ? 22 : 0;
  return { end: start + view.getUint32(start + 6, true) * 2, pixels: 0 };
}

/** Skips three sections with their lengths. The picture of all layers follows them (Adobe Photoshop File Formats). */
function readPhotoshop(view: DataView): ImageShape {
  const [channels, height, width] = [view.getUint16(12), view.getUint32(14), view.getUint32(18)];
  const lineBytes = Math.ceil((width * view.getUint16(22)) / 8);
  let at = 26;
  for (let section = 0; section < 3; section++) at += 4 + view.getUint32(at);
  const isPacked = view.getUint16(at) === 1;
  const lines = channels * height;
  at += 2;
  if (!isPacked) return { end: Math.min(at + lineBytes * lines, view.byteLength), pixels: width * height };
  let end = at + lines * 2;
  for (let line = 0; line < lines; line++) end += view.getUint16(at + line * 2);
  return { end: Math.min(end, view.byteLength), pixels: width * height };
}

const ISPE = 0x69737065;

/** Reads the boxes of the file, and the largest picture that one of them announces (ISO/IEC 23008-12, 6.5.3). */
function readBoxes(view: DataView): ImageShape | null {
  let pixels = 0;
  let at = 0;
  while (at + 8 <= view.byteLength) {
    const size = sizeOfBox(view, at);
    if (size < 8 || at + size > view.byteLength) break;
    if (view.getUint32(at + 4) === META)
      for (let place = at + 8; place + 16 <= at + size; place++)
        if (view.getUint32(place) === ISPE)
          pixels = Math.max(pixels, view.getUint32(place + 8) * view.getUint32(place + 12));
    at += size;
  }
  return pixels > 0 ? { end: at, pixels } : null;
}

/**
 * Returns the size of a box. Cameras write the size of the box with the pixels in eight bytes. A size of 0 reaches to the end of the file.
 */
function sizeOfBox(view: DataView, at: number): number {
  const size = view.getUint32(at) || view.byteLength - at;
  return size === 1 && at + 16 <= view.byteLength ? Number(view.getBigUint64(at + 8)) : size;
}

const META = 0x6d657461;
const IEND = 0x49454e44;
/** `fcTL`, in front of each frame of an animation. */
const FRAME = 0x6663544c;

function readPng(view: DataView): ImageShape | null {
  const pixels = view.getUint32(16) * view.getUint32(20);
  let frames = 0;
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const next = at + 12 + view.getUint32(at);
    const kind = view.getUint32(at + 4);
    if (kind === FRAME) frames++;
    if (kind === IEND) return { end: next, pixels: pixels * Math.max(1, frames) };
    at = next;
  }
  return null;
}

function readJpeg(view: DataView): ImageShape | null {
  let pixels = 0;
  let at = 2;
  while (at + 2 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xd9) return { end: at + 2, pixels };
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      if (isFrameHeader(marker)) pixels = view.getUint16(at + 5) * view.getUint16(at + 7);
      const next = at + 2 + view.getUint16(at + 2);
      at = marker === 0xda ? endOfScan(view, next) : next;
    }
  }
  // The pixels are cut off. Programs show the part that is there.
  return pixels > 0 && at === view.byteLength ? { end: at, pixels } : null;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Returns where compressed data ends. A marker in it is followed by a zero byte, or is a restart marker. */
function endOfScan(view: DataView, from: number): number {
  for (let at = from; at + 1 < view.byteLength; at++) {
    if (view.getUint8(at) !== 0xff) continue;
    const marker = view.getUint8(at + 1);
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at;
  }
  return view.byteLength;
}

function readGif(view: DataView): ImageShape | null {
  const size = view.getUint16(6, true) * view.getUint16(8, true);
  let frames = 0;
  let at = 13 + colours(view.getUint8(10));
  for (;;) {
    // Programs also show pictures without the closing byte.
    if (at === view.byteLength && frames > 0) return { end: at, pixels: size * frames };
    const block = view.getUint8(at);
    if (block === 0x3b) return { end: at + 1, pixels: size * Math.max(1, frames) };
    if (block === 0x21) at = skipSubBlocks(view, at + 2);
    else if (block === 0x2c) {
      frames++;
      at = skipSubBlocks(view, at + 11 + colours(view.getUint8(at + 9)));
    } else return null;
  }
}

/** Returns the bytes of the colour table. A packed field gives its size. */
function colours(packed: number): number {
  return (packed & 0x80) === 0 ? 0 : 3 << ((packed & 7) + 1);
}

function skipSubBlocks(view: DataView, from: number): number {
  let at = from;
  while (view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
  return at + 1;
}

function readWebp(view: DataView): ImageShape {
  const size = view.getUint32(4, true) + 8;
  const isExtended = view.getUint32(12) === 0x56503858;
  const pixels = isExtended ? (1 + uint24(view, 24)) * (1 + uint24(view, 27)) : 0;
  return { end: size + (size % 2), pixels };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function readBmp(view: DataView): ImageShape {
  // The header of OS/2 1 has 12 bytes, and sides of two.
  const isShort = view.getUint32(14, true) === 12;
  const pixels = isShort
    ? view.getUint16(18, true) * view.getUint16(20, true)
    : Math.abs(view.getInt32(18, true)) * Math.abs(view.getInt32(22, true));
  return { end: view.getUint32(2, true), pixels };
}

function readIcon(view: DataView): ImageShape {
  const count = view.getUint16(4, true);
  let end = 6 + count * 16;
  for (let at = 6; at < 6 + count * 16; at += 16) {
    end = Math.max(end, view.getUint32(at + 8, true) + view.getUint32(at + 12, true));
  }
  return { end, pixels: 256 * 256 * count };
}

/**
 * Returns the number of pixels by width and height of the first directory ([TIFF 6.0] section 2; BigTIFF has counts and places of eight
 * bytes).
 */
function readTiffPixels(view: DataView): number {
  const little = view.getUint16(0) === 0x4949;
  const isBig = view.getUint16(2, little) === 43;
  const place = (at: number) => Number(view.getBigUint64(at, little));
  const directory = isBig ? place(8) : view.getUint32(4, little);
  const count = isBig ? place(directory) : view.getUint16(directory, little);
  const [first, each, valueAt] = isBig ? [8, 20, 12] : [2, 12, 8];
  const sizes = { width: 0, height: 0 };
  for (let index = 0; index < count; index++) {
    const at = directory + first + index * each;
    const kind = view.getUint16(at + 2, little);
    const value = kind === 3 ? view.getUint16(at + valueAt, little) : view.getUint32(at + valueAt, little);
    if (view.getUint16(at, little) === 256) sizes.width = value;
    if (view.getUint16(at, little) === 257) sizes.height = value;
  }
  return sizes.width * sizes.height;
}
