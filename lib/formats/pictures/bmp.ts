/** Decodes bitmaps of Windows and OS/2, of all depths and with runs of equal pixels. The codec library reads no bitmaps. */
import { asBuffer } from '../byte-scan.ts';
import { type BitmapHeader, bitmapHeader, type Palette } from './bmp-header.ts';
import { unpackRuns } from './bmp-runs.ts';
import { PictureError } from './picture-error.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGB, or RGBA when some of it is transparent. */
  readonly channels: 3 | 4;
  /** The top row comes first. */
  readonly pixels: Uint8Array;
}

/** Reads the pixels. Throws PictureError. */
export function decodeBmp(bytes: Uint8Array, mostPixels: number): Pixels {
  const view = asBuffer(bytes);
  const header = bitmapHeader(view);
  const { width, height, packing, masks } = header;
  if (width * height > mostPixels) throw new PictureError('oversize', `more than ${mostPixels} pixels`);
  const channels = masks[3] === 0 ? 3 : 4;
  const pixels = new Uint8Array(width * height * channels);
  if (packing === 'runs') putRuns(view, header, pixels);
  else putRows(view, header, pixels, channels);
  return channels === 4 && isAllUnseen(pixels)
    ? { width, height, channels: 3, pixels: withoutAlpha(pixels) }
    : { width, height, channels, pixels };
}

/** Makes the picture opaque when a program wrote a mask for opacity and then no value. */
function isAllUnseen(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) return false;
  return true;
}

function withoutAlpha(pixels: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((pixels.length / 4) * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) rgb.set(pixels.subarray(from, from + 3), to);
  return rgb;
}

function putRuns(view: Buffer, { pixelsAt, bits, width, height, palette, isTopFirst }: BitmapHeader, to: Uint8Array) {
  // Skipped pixels have the first colour.
  if (bits !== 24) for (let at = 0; at < to.length; at += 3) putColour(view, colourAt(palette, 0), to, at);
  unpackRuns({ packed: view.subarray(pixelsAt), bits, width, height }, (x, y, value) => {
    const at = ((isTopFirst ? y : height - 1 - y) * width + x) * 3;
    if (bits !== 24) putColour(view, colourAt(palette, value), to, at);
    else for (let part = 0; part < 3; part++) to[at + part] = (value >> (16 - part * 8)) & 0xff;
  });
}

function putRows(view: Buffer, header: BitmapHeader, to: Uint8Array, channels: 3 | 4): void {
  const { width, height, bits, pixelsAt, isTopFirst } = header;
  const stride = Math.ceil((width * bits) / 32) * 4;
  // Some programs leave out the bytes that fill the last row.
  if (pixelsAt + stride * (height - 1) + Math.ceil((width * bits) / 8) > view.length)
    throw new PictureError('unreadable', 'the picture ends before its pixels');
  const put = pixelPutter(view, header, to);
  for (let row = 0; row < height; row++) {
    const from = pixelsAt + stride * (isTopFirst ? row : height - 1 - row);
    for (let column = 0; column < width; column++) put(from, column, (row * width + column) * channels);
  }
}

type PutPixel = (row: number, column: number, to: number) => void;

/** Writes the pixel of a column of a row that begins at an offset. */
function pixelPutter(view: Buffer, { bits, packing, palette, masks }: BitmapHeader, out: Uint8Array): PutPixel {
  if (bits <= 8)
    return (row, column, to) => putColour(view, colourAt(palette, numberAt(view, bits, row, column)), out, to);
  if (bits > 16 && packing === 'plain') return (row, column, to) => putColour(view, row + (column * bits) / 8, out, to);
  const parts = masks.filter((mask, index) => index < 3 || mask !== 0).map(partReader);
  return (row, column, to) => {
    const pixel = bits === 16 ? view.readUInt16LE(row + column * 2) : view.readUInt32LE(row + column * 4);
    for (let index = 0; index < parts.length; index++) out[to + index] = parts[index]?.(pixel) ?? 0;
  };
}

/** Reads three bytes of a colour. Bitmaps have blue first. */
function putColour(view: Buffer, from: number, out: Uint8Array, to: number): void {
  out[to] = view[from + 2] ?? 0;
  out[to + 1] = view[from + 1] ?? 0;
  out[to + 2] = view[from] ?? 0;
}

/** Returns the number of a pixel's colour. The leftmost pixel of a byte is in its highest bits. */
function numberAt(view: Buffer, bits: number, row: number, column: number): number {
  const byte = view[row + ((column * bits) >> 3)] ?? 0;
  return (byte >> (8 - bits - ((column * bits) & 7))) & (2 ** bits - 1);
}

/** Returns the offset of a colour. A number without a colour means the first one. */
const colourAt = ({ at, count, bytesEach }: Palette, number: number): number =>
  at + bytesEach * (number < count ? number : 0);

/** Reads the part of a pixel under a mask, from 0 to 255. */
function partReader(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / most);
}
