/** The size of the picture in a JPEG 2000 file (ITU-T T.800) or a JPEG XL file (ISO/IEC 18181-1), by the header of its codestream. */
import { ascii, type PictureSize } from './picture.ts';

/** A limit against files that consist of empty boxes. */
const MAX_BOXES = 20_000;
/** The first box of a file of boxes. */
const STARTS = new Set(['jP  ', 'JXL '].map((kind) => `\0\0\0\x0c${kind}\r\n\x87\n`));
/** The kinds of box in which a codestream begins, and its offset in each. */
const STREAMS: Readonly<Record<string, number>> = { jp2c: 0, jxlc: 0, jxlp: 4 };

/** Returns the size before any turn. Returns null for other files, and for damaged ones. Throws nothing. */
export function streamedPictureSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const at = startOf(bytes, view);
    if (at === null) return null;
    if (ascii(bytes, at, 4) === '\xff\x4f\xff\x51') return sizOf(view, at + 4);
    return ascii(bytes, at, 2) === '\xff\x0a' ? jxlSizeOf(bytes, at + 2) : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns where the codestream begins: at once, or in a box. */
function startOf(bytes: Uint8Array, view: DataView): number | null {
  if (bytes[0] === 0xff) return 0;
  if (!STARTS.has(ascii(bytes, 0, 12))) return null;
  let at = 0;
  for (let count = 0; count < MAX_BOXES && at + 8 <= bytes.length; count++) {
    const size = view.getUint32(at);
    const from = at + (size === 1 ? 16 : 8);
    const skip = STREAMS[ascii(bytes, at + 4, 4)];
    if (skip !== undefined) return from + skip;
    at = size === 0 ? bytes.length : at + (size === 1 ? Number(view.getBigUint64(at + 8)) : size);
    if (at < from) return null;
  }
  return null;
}

/** Reads the size. The picture lies on a grid. The part of the grid to its left and above it is empty. */
const sizOf = (view: DataView, at: number): PictureSize => ({
  width: view.getUint32(at + 4) - view.getUint32(at + 12),
  height: view.getUint32(at + 8) - view.getUint32(at + 16),
});

/** Widths by height that have a number of their own. */
const RATIOS: readonly (readonly [across: number, down: number])[] = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
];
/** The number of bits of a side, by the two bits in front of it. */
const SIDE_BITS = [9, 13, 18, 30] as const;

/** Reads numbers in bits, the lowest first. */
function jxlSizeOf(bytes: Uint8Array, from: number): PictureSize | null {
  let bit = from * 8;
  const next = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index++, bit++)
      value += (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) * 2 ** index;
    return value;
  };
  const isSmall = next(1) === 1;
  const side = () => (isSmall ? (next(5) + 1) * 8 : next(SIDE_BITS[next(2) as 0 | 1 | 2 | 3]) + 1);
  const height = side();
  const ratio = RATIOS[next(3) - 1];
  const width = ratio === undefined ? side() : Math.floor((height * ratio[0]) / ratio[1]);
  return from + 12 > bytes.length ? null : { width, height };
}
