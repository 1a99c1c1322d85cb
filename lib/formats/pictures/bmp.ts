/**
 * Decodes bitmaps of Windows and OS/2, of all depths: with the header of OS/2 1 (BITMAPCOREHEADER), BITMAPINFOHEADER and later ones, and with runs of equal
 * pixels. The codec library reads none.
 */

import { unpackRuns } from './bmp-runs.ts';
import { PictureError } from './picture-error.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGB, 3 bytes per pixel, the top row first. */
  readonly rgb: Uint8Array;
}

const FILE_HEADER = 14;
const RUNS_OF_8_BITS = 1;
const RUNS_OF_4_BITS = 2;
const BIT_FIELDS = 3;
/** The header of OS/2 1, with short sides and colours of three bytes. */
const CORE_HEADER = 12;
/** A header of OS/2 2 that was cut behind the depth. */
const SHORT_HEADER = 16;
/** The usual parts of a pixel of 16 bits: five bits for each colour. */
const FIVE_BITS_EACH = [0x7c00, 0x03e0, 0x001f] as const;

interface Header {
  readonly width: number;
  /** Negative when the top row comes first. */
  readonly rows: number;
  readonly bits: number;
  readonly compression: number;
  readonly palette: Palette;
}

/** Where the numbered colours stand, how many there are, and how many bytes each has. */
interface Palette {
  readonly at: number;
  readonly count: number;
  readonly bytesEach: 3 | 4;
}

interface Layout {
  readonly view: Buffer;
  readonly bits: number;
  readonly masks: readonly number[];
  readonly palette: Palette;
}

/** Reads the pixels. Throws PictureError. */
export function decodeBmp(bytes: Uint8Array, maxPixels: number): Pixels {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = headerOf(view);
  const { width, rows, bits } = header;
  const height = Math.abs(rows);
  const layout = { view, bits, masks: masksOf(view, header), palette: header.palette };
  if (width <= 0 || height === 0) throw new PictureError('unreadable', 'the picture has no size');
  if (width * height > maxPixels) throw new PictureError('oversize', `more than ${maxPixels} pixels`);
  return { width, height, rgb: rgbOf(layout, header, view.readUInt32LE(10)) };
}

function rgbOf(layout: Layout, { width, rows, compression }: Header, dataAt: number): Uint8Array {
  const { view, bits, palette } = layout;
  const height = Math.abs(rows);
  const rgb = new Uint8Array(width * height * 3);
  if (compression === RUNS_OF_8_BITS || compression === RUNS_OF_4_BITS) {
    const numbers = unpackRuns(view.subarray(dataAt), bits === 4 ? 4 : 8, width, height);
    for (let at = 0; at < numbers.length; at++) {
      const row = height - 1 - Math.floor(at / width);
      putColour(view, colourAt(palette, numbers[at] ?? 0), rgb, (row * width + (at % width)) * 3);
    }
    return rgb;
  }
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (dataAt + stride * height > view.length)
    throw new PictureError('unreadable', 'the picture ends before its pixels');
  for (let row = 0; row < height; row++) {
    const source = dataAt + stride * (rows > 0 ? height - 1 - row : row);
    for (let column = 0; column < width; column++) putPixel(layout, source, column, rgb, (row * width + column) * 3);
  }
  return rgb;
}

function headerOf(view: Buffer): Header {
  const headerBytes = view.length < FILE_HEADER + CORE_HEADER ? 0 : view.readUInt32LE(FILE_HEADER);
  const at = FILE_HEADER + headerBytes;
  if (headerBytes < CORE_HEADER || at > view.length || (headerBytes > SHORT_HEADER && view.length < 54))
    throw new PictureError('unreadable', 'the picture ends in its header');
  if (headerBytes === CORE_HEADER) {
    const bits = view.readUInt16LE(24);
    const listed = Math.floor((view.readUInt32LE(10) - at) / 3);
    const count = bits > 8 ? 0 : Math.min(Math.max(listed, 0), 2 ** bits);
    const palette: Palette = { at, count, bytesEach: 3 };
    return { width: view.readUInt16LE(18), rows: view.readUInt16LE(20), bits, compression: 0, palette };
  }
  const isShort = headerBytes === SHORT_HEADER;
  const bits = view.readUInt16LE(28);
  const listed = isShort ? 0 : view.readUInt32LE(46);
  const palette: Palette = { at, count: bits > 8 ? 0 : listed || 2 ** bits, bytesEach: 4 };
  const compression = isShort ? 0 : view.readUInt32LE(30);
  return { width: view.readInt32LE(18), rows: view.readInt32LE(22), bits, compression, palette };
}

/** The masks of 16 bits. Throws PictureError `unsupported` for a depth or a compression that is not read here. */
function masksOf(view: Buffer, { bits, compression, rows }: Header): readonly number[] {
  const hasFields = compression === BIT_FIELDS && (bits === 16 || bits === 32);
  const runs = bits === 8 ? RUNS_OF_8_BITS : bits === 4 ? RUNS_OF_4_BITS : null;
  const isRead = compression === 0 || hasFields || (compression === runs && rows > 0);
  if (![1, 4, 8, 16, 24, 32].includes(bits) || !isRead) {
    throw new PictureError(
      'unsupported',
      `a bitmap of ${bits} bits with compression ${compression} cannot be disarmed`,
    );
  }
  return hasFields && bits === 16 && view.length >= 66
    ? [54, 58, 62].map((place) => view.readUInt32LE(place))
    : FIVE_BITS_EACH;
}

function putPixel(
  { view, bits, masks, palette }: Layout,
  row: number,
  column: number,
  rgb: Uint8Array,
  to: number,
): void {
  if (bits === 16) {
    const pixel = view.readUInt16LE(row + column * 2);
    for (let part = 0; part < 3; part += 1) rgb[to + part] = partOf(pixel, masks[part] ?? 0);
    return;
  }
  const from = bits > 8 ? row + (column * bits) / 8 : colourAt(palette, numberAt(view, bits, row, column));
  putColour(view, from, rgb, to);
}

/** Bitmaps have blue first. */
function putColour(view: Buffer, from: number, rgb: Uint8Array, to: number): void {
  rgb[to] = view[from + 2] ?? 0;
  rgb[to + 1] = view[from + 1] ?? 0;
  rgb[to + 2] = view[from] ?? 0;
}

/** The number of a pixel's colour. The leftmost pixel of a byte is in its highest bits. */
function numberAt(view: Buffer, bits: number, row: number, column: number): number {
  const byte = view[row + ((column * bits) >> 3)] ?? 0;
  return (byte >> (8 - bits - ((column * bits) & 7))) & (2 ** bits - 1);
}

/** The offset of a colour. A number without a colour stands for the first one. */
const colourAt = ({ at, count, bytesEach }: Palette, number: number): number =>
  at + bytesEach * (number < count ? number : 0);

/** The part of a pixel under a mask, from 0 to 255. */
function partOf(pixel: number, mask: number): number {
  return mask === 0 ? 0 : Math.round(((pixel & mask) * 255) / mask);
}
