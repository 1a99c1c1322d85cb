/**
 * Text with a few control bytes in it. Browsers, editors and the hosts of scripts pass over them, so such a file is the text that it looks
 * like, and one byte of them must not hide a script from a reader of text.
 */
import { isUtf8 } from 'node:buffer';
import { areTextBytes } from './text-encoding.ts';

/** The most control bytes, and how many bytes there must be for each. One is always few. */
const MOST = 64;
const BYTES_FOR_EACH = 200;
/** Fewer bytes say nothing. */
const LEAST_BYTES = 16;
/** At least so many bytes of a hundred are ASCII in text of an 8-bit charset: other data has half of them. */
const LEAST_ASCII = 70;
const SPACE = 0x20;

/**
 * The same bytes with a space for each control byte, which is text then (`textEncoding`). Null when the bytes are text already, or more than
 * a few of them are none. A zero byte ends a text for some programs and not for others, so with one it is no text.
 *
 * @example
 * ```ts
 * withoutStains(Buffer.from('var a = 1;\u0001 run(a);'))?.toString(); // => 'var a = 1;  run(a);'
 * ```
 */
export function withoutStains(bytes: Uint8Array): Buffer | null {
  if (bytes.length < LEAST_BYTES || bytes.includes(0)) return null;
  const most = Math.min(MOST, Math.max(1, Math.floor(bytes.length / BYTES_FOR_EACH)));
  const stains: number[] = [];
  let ascii = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x80) ascii++;
    if ((byte < SPACE || byte === 0x7f) && !areTextBytes(bytes.subarray(at, at + 1)) && stains.push(at) > most)
      return null;
  }
  if (stains.length === 0 || (ascii * 100 < bytes.length * LEAST_ASCII && !isUtf8(bytes))) return null;
  const text = Buffer.from(bytes);
  for (const at of stains) text[at] = SPACE;
  return text;
}
