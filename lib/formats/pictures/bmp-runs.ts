/** Unpacks runs of equal pixels in a Windows bitmap ([MS-WMF] 3.1.6.4, BI_RLE8 and BI_RLE4). */
import { PictureError } from './picture-error.ts';

const END_OF_LINE = 0;
const END_OF_BITMAP = 1;
const MOVE = 2;

/**
 * The number of the colour of each pixel, the bottom row first. Pixels that are jumped over have the first colour. What stands beside a row is
 * left out. Throws PictureError `unreadable` when the data end before the last row.
 */
export function unpackRuns(packed: Uint8Array, bits: 4 | 8, width: number, height: number): Uint8Array {
  const numbers = new Uint8Array(width * height);
  let [x, y, at] = [0, 0, 0];
  const put = (count: number, byteAt: (index: number) => number) => {
    for (let index = 0; index < count; index++, x++)
      if (x < width && y < height) numbers[y * width + x] = halfOf(byteAt(index), bits, index);
  };
  while (y < height) {
    const [count = 0, value = END_OF_BITMAP] = packed.subarray(at, at + 2);
    if (at + 2 > packed.length && y < height - 1)
      throw new PictureError('unreadable', 'the picture ends before its pixels');
    at += 2;
    if (count > 0) put(count, () => value);
    else if (value === END_OF_BITMAP) break;
    else if (value === END_OF_LINE) [x, y] = [0, y + 1];
    else if (value === MOVE) {
      [x, y] = [x + byteOf(packed, at), y + byteOf(packed, at + 1)];
      at += 2;
    } else {
      put(value, (index) => byteOf(packed, at + ((index * bits) >> 3)));
      // Each list of pixels has an even number of bytes.
      at += 2 * Math.ceil((value * bits) / 16);
    }
  }
  return numbers;
}

const byteOf = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

/** The number of a pixel in a byte. With four bits, the first of two is in the higher ones. */
const halfOf = (byte: number, bits: 4 | 8, index: number): number =>
  bits === 8 ? byte : index % 2 === 0 ? byte >> 4 : byte & 0x0f;
