/** The brightness of a picture: tells noise from drawings, and makes the form that the reader of codes takes. */
import type { Pixels } from '../../../formats/codes/pictures.ts';

/**
 * The sides of the squares that are checked. Every readable code covers a whole square of the first size. At a thousand pixels, its modules
 * are smaller than the second size, which distinguishes noise on large areas from edges.
 */
const SQUARES = [16, 64];
/** The rows of a square that are read. */
const ROWS = 16;
/**
 * The largest share of pairs of neighbours with one dark and one light pixel. It is a half in noise, where a search is slowest. It is at
 * most a quarter in a readable code, whose modules have two pixels.
 */
const MAX_CHANGES = 0.34;

/** One byte of brightness for each pixel. */
export interface Grey {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

interface Decoded extends Grey {
  /** Bytes of each pixel: grey, grey and alpha, RGB or RGBA. */
  readonly channels: number;
}

/** Returns the brightness, with the weights of the colours that the reader of codes uses. */
export function greyOf({ data, width, height, channels }: Decoded): Grey {
  if (channels === 1) return { data, width, height };
  const grey = new Uint8Array(width * height);
  if (channels === 2) for (let at = 0; at < grey.length; at++) grey[at] = data[at * 2] ?? 0;
  else {
    for (let at = 0, from = 0; at < grey.length; at++, from += channels)
      grey[at] = ((data[from] ?? 0) * 306 + (data[from + 1] ?? 0) * 601 + (data[from + 2] ?? 0) * 117) >> 10;
  }
  return { data: grey, width, height };
}

/** Returns false for a picture that is noise in all its squares. A square with a drawing has fewer changes from dark to light. */
export function mayHoldCode(grey: Grey): boolean {
  return SQUARES.some((side) => hasUniformSquare(grey, side));
}

function hasUniformSquare(grey: Grey, side: number): boolean {
  for (let top = 0; top + side <= grey.height; top += side) {
    for (let left = 0; left + side <= grey.width; left += side) {
      if (changesIn(grey, left, top, side) <= ROWS * (side - 1) * MAX_CHANGES) return true;
    }
  }
  return false;
}

/** Counts pairs of neighbours in a row with one darker and one lighter than the middle of the square. */
function changesIn({ data, width }: Grey, left: number, top: number, side: number): number {
  const step = (width * side) / ROWS;
  const first = top * width + left;
  const behind = first + width * side;
  let darkest = 255;
  let lightest = 0;
  for (let start = first; start < behind; start += step) {
    for (let at = start; at < start + side; at++) {
      const level = data[at] ?? 0;
      if (level < darkest) darkest = level;
      if (level > lightest) lightest = level;
    }
  }
  const middle = (darkest + lightest) >> 1;
  let changes = 0;
  for (let start = first; start < behind; start += step) {
    let before = middle - (data[start] ?? 0);
    for (let at = start + 1; at < start + side; at++) {
      const next = middle - (data[at] ?? 0);
      // The sign is added without a branch, because a processor cannot predict noise.
      changes += (before ^ next) >>> 31;
      before = next;
    }
  }
  return changes;
}

/** Returns the picture with its edges extended by `margin` pixels on all sides, for codes without the quiet zone. */
export function withMargin({ data, width, height }: Grey, margin: number): Pixels {
  const wide = width + 2 * margin;
  const high = height + 2 * margin;
  const words = new Uint32Array(wide * high);
  for (let y = 0; y < high; y++) {
    const row = Math.min(height - 1, Math.max(0, y - margin)) * width;
    for (let x = 0; x < wide; x++) {
      const level = data[row + Math.min(width - 1, Math.max(0, x - margin))] ?? 0;
      words[y * wide + x] = 0xff000000 | (level * 0x010101);
    }
  }
  return { data: new Uint8ClampedArray(words.buffer), width: wide, height: high };
}
