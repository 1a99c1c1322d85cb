/** A drawing of dark and light squares, as a picture that a code reader can read. */

/** Rows of squares. Anything but zero is dark. All rows have one length. */
export type Squares = readonly Uint8Array[];

/** Codes have at least this many modules in a row and in a column (ISO/IEC 18004). Micro codes have fewer, and telephones do not read them. */
export const LEAST_MODULES = 21;
/** Squares in a row and rows of one drawing. No code has more than 177, and text draws each with several squares. */
export const MAX_SQUARES = 1_000;
/** A row of a code changes its colour about ten times. Rows of a layout or of a chart change it once or twice. */
const LEAST_CHANGES = 6;

/** Returns true for a drawing in which most rows have the look of a code. */
export function looksLikeCode(squares: Squares): boolean {
  const busy = squares.filter((row) => changesIn(row) >= LEAST_CHANGES).length;
  return squares.length >= LEAST_MODULES && busy * 2 >= squares.length;
}

function changesIn(row: Uint8Array): number {
  let changes = 0;
  for (let x = 1; x < row.length; x++) if (row[x] !== row[x - 1]) changes++;
  return changes;
}

/** Pixels of a square in a drawing that has fewer squares than these. In one with more, a module of a code has several squares. */
const PIXELS = 4;
const MANY_SQUARES = 400;
/** Every code needs a light margin: at least these pixels, and a part of its side. */
const MARGIN = 16;
const MARGIN_PART = 0.1;
/** The two headers of a bitmap and its palette of two colours. */
const HEADER_BYTES = 62;

/** Returns a Windows bitmap of one bit per pixel. Zero is white in it. */
export function bitmapOf(squares: Squares): Uint8Array {
  const columns = squares[0]?.length ?? 0;
  const size = Math.max(columns, squares.length) > MANY_SQUARES ? 1 : PIXELS;
  const margin = Math.max(MARGIN, Math.round(columns * size * MARGIN_PART));
  const width = columns * size + 2 * margin;
  const height = squares.length * size + 2 * margin;
  const stride = Math.ceil(width / 32) * 4;
  const bitmap = Buffer.alloc(HEADER_BYTES + stride * height);
  bitmap.write('BM', 0, 'latin1');
  bitmap.writeUInt32LE(bitmap.length, 2);
  bitmap.writeUInt32LE(HEADER_BYTES, 10);
  bitmap.writeUInt32LE(40, 14);
  bitmap.writeInt32LE(width, 18);
  // A height below zero says that the top row comes first.
  bitmap.writeInt32LE(-height, 22);
  bitmap.writeUInt16LE(1, 26);
  bitmap.writeUInt16LE(1, 28);
  bitmap.writeUInt32LE(0x00ffffff, 54);
  for (const [y, row] of squares.entries())
    for (const [x, isDark] of row.entries()) {
      if (isDark === 0) continue;
      for (let line = 0; line < size; line++)
        for (let pixel = 0; pixel < size; pixel++) {
          const column = margin + x * size + pixel;
          const at = HEADER_BYTES + (margin + y * size + line) * stride + (column >> 3);
          bitmap[at] = (bitmap[at] ?? 0) | (0x80 >> (column & 7));
        }
    }
  return bitmap;
}
