/**
 * Reads a text with overrides of its direction as a person sees it: U+202E turns the letters up to U+202C or the end of the line around
 * (Unicode Standard Annex #9). Overrides in one another, and the order of words in two directions, are not followed.
 */
import { type MappedText, reordered } from './mapped.ts';

const OVERRIDE = /\u202e([^\u202c\r\n\u2028\u2029]*)/g;

/** Returns the text in the order in which it is seen, or null when it has no override. Linear in its length. */
export function asSeen(source: MappedText): MappedText | null {
  const { text } = source;
  if (!text.includes('\u202e')) return null;
  const places = new Uint32Array(text.length);
  let length = 0;
  const put = (from: number, to: number, isTurned: boolean) => {
    for (let step = 0; step < to - from; step++) {
      const at = isTurned ? to - 1 - step : from + step;
      if (!isControl(text.charCodeAt(at))) places[length++] = at;
    }
  };
  let done = 0;
  OVERRIDE.lastIndex = 0;
  for (let found = OVERRIDE.exec(text); found !== null; found = OVERRIDE.exec(text)) {
    put(done, found.index, false);
    done = OVERRIDE.lastIndex;
    put(found.index, done, true);
  }
  put(done, text.length, false);
  return reordered(source, places.subarray(0, length));
}

/** Returns true for a control of direction, which nobody sees. */
function isControl(code: number): boolean {
  if (code < 0x200e) return code === 0x61c;
  return code <= 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}
