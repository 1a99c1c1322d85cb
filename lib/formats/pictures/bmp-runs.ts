/** Unpacks runs of equal pixels in a bitmap ([MS-WMF] 3.1.6.4, BI_RLE8 and BI_RLE4; OS/2 2, BCA_RLE24). */
import { PictureError } from './picture-error.ts';

const END_OF_LINE = 0;
const END_OF_BITMAP = 1;
const MOVE = 2;

/** Takes a pixel: its column, its row as packed, and its value: the number of its colour, or three bytes with blue as the lowest. */
export type PutPixel = (x: number, y: number, value: number) => void;

interface Runs {
  readonly packed: Uint8Array;
  readonly bits: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Passes each pixel on. Skipped pixels are not passed on, and neither is anything beside a row. Throws PictureError `unreadable` when the
 * data end before the last row.
 */
export function unpackRuns({ packed, bits, width, height }: Runs, put: PutPixel): void {
  let [x, y, at] = [0, 0, 0];
  const putAll = (count: number, from: number, step: 0 | 1) => {
    for (let index = 0; index < count; index++, x++)
      if (x < width && y < height) put(x, y, valueAt(packed, bits, from, index, step));
  };
  const unit = bits === 24 ? 3 : 1;
  while (y < height) {
    if (at + 2 > packed.length && y < height - 1)
      throw new PictureError('unreadable', 'the picture ends before its pixels');
    const [count = 0, value = END_OF_BITMAP] = packed.subarray(at, at + 2);
    if (count > 0) {
      putAll(count, at + 1, 0);
      at += 1 + unit;
    } else if (value === END_OF_BITMAP) break;
    else if (value === END_OF_LINE) [x, y, at] = [0, y + 1, at + 2];
    else if (value === MOVE) [x, y, at] = [x + byteOf(packed, at + 2), y + byteOf(packed, at + 3), at + 4];
    else {
      putAll(value, at + 2, 1);
      // Each list of pixels has an even number of bytes.
      at += 2 + 2 * Math.ceil((value * bits) / 16);
    }
  }
}

const byteOf = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

/**
 * Returns the value of a pixel of a list (`step` is 1) or of a run, which repeats one unit (0). With four bits, the higher ones hold the
 * first of two pixels.
 */
function valueAt(packed: Uint8Array, bits: number, from: number, index: number, step: 0 | 1): number {
  if (bits === 8) return byteOf(packed, from + index * step);
  if (bits === 4) {
    const byte = byteOf(packed, from + (index >> 1) * step);
    return index % 2 === 0 ? byte >> 4 : byte & 0x0f;
  }
  const at = from + index * 3 * step;
  return byteOf(packed, at) | (byteOf(packed, at + 1) << 8) | (byteOf(packed, at + 2) << 16);
}
