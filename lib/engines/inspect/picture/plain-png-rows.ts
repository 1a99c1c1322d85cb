/** Decides whether the compressed data of a PNG are the rows of its picture and nothing else (ISO/IEC 15948, 7 to 10). */
import { inflateSync } from 'node:zlib';

/** Pixels are numbers of colours in a table. */
export const INDEXED = 3;
/** The largest picture; a larger one fills the memory. Photographs have a tenth of it. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

/** Columns and rows of the passes of an interlaced picture (8.2): first column, first row, and the steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const LAST_FILTER = 4;

export interface Image {
  readonly width: number;
  readonly height: number;
  readonly colour: number;
  readonly depth: number;
  readonly bitsOfPixel: number;
  readonly isInterlaced: boolean;
}

/** Returns true when the compressed data are the rows of the picture to their last byte, and no bytes follow. */
export function isWhole(packed: Buffer, image: Image, colours: number): boolean {
  const rows = rowsOf(image);
  const unpacked = unpackedRows(packed, rows, MAX_UNPACKED_BYTES);
  if (unpacked === null || !haveFilters(unpacked, rows)) return false;
  return image.colour !== INDEXED || colours === 2 ** image.depth || haveColours(unpacked, rows, image, colours);
}

/**
 * Returns true when the compressed data end with the last row of a frame. A frame that would take more than `maxBytes` of memory does not
 * count.
 */
export function endsWithRows(packed: Buffer, image: Image, maxBytes: number): boolean {
  return unpackedRows(packed, rowsOf(image), maxBytes) !== null;
}

function unpackedRows(packed: Buffer, rows: readonly Rows[], maxBytes: number): Buffer | null {
  const expected = rows.reduce((sum, { count, length }) => sum + count * length, 0);
  return expected > maxBytes ? null : inflated(packed, expected);
}

interface Rows {
  readonly count: number;
  /** In bytes, with the number of its filter. */
  readonly length: number;
  /** In a row. */
  readonly pixels: number;
}

function rowsOf({ width, height, bitsOfPixel, isInterlaced }: Image): Rows[] {
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const);
  return passes.flatMap(([column, row, across, down]) => {
    const [wide, count] = [Math.ceil((width - column) / across), Math.ceil((height - row) / down)];
    return wide > 0 && count > 0 ? [{ count, length: 1 + Math.ceil((wide * bitsOfPixel) / 8), pixels: wide }] : [];
  });
}

function inflated(packed: Buffer, expected: number): Buffer | null {
  try {
    const options = { maxOutputLength: expected, info: true };
    const { buffer, engine } = inflateSync(packed, options) as unknown as Inflated;
    return engine.bytesWritten === packed.length && buffer.length === expected ? buffer : null;
  } catch {
    // Damaged, or longer than its picture.
    return null;
  }
}

/** The answer of zlib with the number of bytes it read. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function haveFilters(unpacked: Buffer, rows: readonly Rows[]): boolean {
  let at = 0;
  for (const { count, length } of rows)
    for (let row = 0; row < count; row++, at += length) if ((unpacked[at] ?? 255) > LAST_FILTER) return false;
  return true;
}

/** Returns true when each pixel has a colour of the table. Values are numbers of colours, each as wide as the depth. */
function haveColours(unpacked: Buffer, rows: readonly Rows[], { depth }: Image, colours: number): boolean {
  let at = 0;
  for (const { count, length, pixels } of rows) {
    let above: Buffer = Buffer.alloc(length - 1);
    for (let row = 0; row < count; row++, at += length) {
      const line = unfiltered(unpacked.subarray(at, at + length), above);
      for (let pixel = 0; pixel < pixels; pixel++) {
        const bit = pixel * depth;
        const value = ((line[bit >> 3] as number) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
        if (value >= colours) return false;
      }
      above = line;
    }
  }
  return true;
}

/** Returns a row of single bytes as before its filter (9.2). */
function unfiltered(row: Buffer, above: Buffer): Buffer {
  const line = Buffer.from(row.subarray(1));
  const filter = row[0] as number;
  for (let at = 0; filter > 0 && at < line.length; at++) {
    const [left, up, corner] = [
      at > 0 ? (line[at - 1] as number) : 0,
      above[at] as number,
      at > 0 ? (above[at - 1] as number) : 0,
    ];
    const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter] as number;
    line[at] = ((line[at] as number) + guess) & 0xff;
  }
  return line;
}

/** Returns the neighbour that is nearest to what a slope would give (9.4). */
function nearest(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
