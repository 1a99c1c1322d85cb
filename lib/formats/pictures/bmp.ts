/** Decodes uncompressed Windows bitmaps (BITMAPINFOHEADER and later) of all depths. The codec library reads none. */

import { PictureError } from './picture-error.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGB, 3 bytes per pixel, the top row first. */
  readonly rgb: Uint8Array;
}

const FILE_HEADER = 14;
const BIT_FIELDS = 3;
/** The usual parts of a pixel of 16 bits: five bits for each colour. */
const FIVE_BITS_EACH = [0x7c00, 0x03e0, 0x001f] as const;

interface Layout {
  readonly view: Buffer;
  readonly bits: number;
  readonly masks: readonly number[];
  /** Where the numbered colours stand, 4 bytes each, and how many there are. */
  readonly palette: { readonly at: number; readonly count: number };
}

/** Reads the pixels. Throws PictureError. */
export function decodeBmp(bytes: Uint8Array, maxPixels: number): Pixels {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 54) throw new PictureError('unreadable', 'the picture ends in its header');
  const dataAt = view.readUInt32LE(10);
  const width = view.readInt32LE(18);
  const rows = view.readInt32LE(22);
  const height = Math.abs(rows);
  const layout = layoutOf(view);
  if (width <= 0 || height === 0) throw new PictureError('unreadable', 'the picture has no size');
  if (width * height > maxPixels) throw new PictureError('oversize', `more than ${maxPixels} pixels`);
  const stride = Math.ceil((width * layout.bits) / 32) * 4;
  if (dataAt + stride * height > view.length)
    throw new PictureError('unreadable', 'the picture ends before its pixels');
  const rgb = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const source = dataAt + stride * (rows > 0 ? height - 1 - row : row);
    for (let column = 0; column < width; column++) putPixel(layout, source, column, rgb, (row * width + column) * 3);
  }
  return { width, height, rgb };
}

function layoutOf(view: Buffer): Layout {
  const headerBytes = view.readUInt32LE(14);
  const bits = view.readUInt16LE(28);
  const compression = view.readUInt32LE(30);
  const hasFields = compression === BIT_FIELDS && (bits === 16 || bits === 32);
  if (![1, 4, 8, 16, 24, 32].includes(bits) || (compression !== 0 && !hasFields)) {
    throw new PictureError(
      'unsupported',
      `a bitmap of ${bits} bits with compression ${compression} cannot be disarmed`,
    );
  }
  const at = FILE_HEADER + headerBytes;
  const masks =
    hasFields && bits === 16 && view.length >= 66
      ? [54, 58, 62].map((place) => view.readUInt32LE(place))
      : FIVE_BITS_EACH;
  return { view, bits, masks, palette: { at, count: bits > 8 ? 0 : view.readUInt32LE(46) || 2 ** bits } };
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
const colourAt = (palette: Layout['palette'], number: number): number =>
  palette.at + 4 * (number < palette.count ? number : 0);

/** The part of a pixel under a mask, from 0 to 255. */
function partOf(pixel: number, mask: number): number {
  return mask === 0 ? 0 : Math.round(((pixel & mask) * 255) / mask);
}
