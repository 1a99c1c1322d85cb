/**
 * Text with a few control bytes in it. Browsers, editors and script hosts skip them, so such a file is the text that it resembles. One
 * control byte must not hide a script from a reader of text.
 */
import { isUtf8 } from 'node:buffer';
import { markedEncoding } from './labels.ts';
import { areTextBytes } from './text-encoding.ts';

/** The most control bytes, as one for each of this many bytes. One control byte is always allowed. */
const MOST = 64;
const BYTES_FOR_EACH = 200;
/** The least number of bytes that allow a decision. */
const LEAST_BYTES = 16;
/** The least percentage of ASCII bytes in text of an 8-bit charset. Other data has half of them. */
const LEAST_ASCII = 70;
const SPACE = 0x20;
const ESCAPE = 0x1b;

/**
 * Returns the bytes with a space for each control byte, which makes them text (`textEncoding`). Returns null when the bytes already are
 * text, or have too many control bytes. A zero byte ends a text in some programs and not in others, so such bytes are no text.
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

/** A word that may be a link, as a whole or in a half: a path, a user name, a scheme, a port, or a dot inside a host. */
const LIKE_A_LINK = /[/\\@:]|\.[A-Za-z0-9]/;
/** The most bytes of a word on either side of a control byte. A longer one counts as a link. It stops texts without any blank. */
const MAX_HALF_LENGTH = 2_000;
const BLANK = /[ \t\r\n]/;

/**
 * Returns the text that is delivered for a text with a few control bytes: with spaces in their place. Null for all other bytes, and for
 * UTF-16 and texts with escapes, in which a control byte may be part of a letter. Also null when a control byte is at or in a link: some
 * programs read the whole link, others one half of it.
 *
 * @example
 * ```ts
 * deliveredText(Buffer.from('see page\u0007 4 of the report'))?.toString(); // => 'see page  4 of the report'
 * ```
 */
export function deliveredText(bytes: Uint8Array): Buffer | null {
  if (areTextBytes(bytes) || bytes.includes(ESCAPE) || /^utf-16/.test(markedEncoding(bytes) ?? '')) return null;
  const text = withoutStains(bytes);
  const { buffer, byteOffset, byteLength } = bytes;
  const latin1 = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  return text?.some((byte, at) => byte !== bytes[at] && isAtLink(latin1, at)) ? null : text;
}

/** Returns true when the word around this place looks like a link. Other control bytes are part of the word. */
function isAtLink(latin1: string, at: number): boolean {
  const before =
    latin1
      .slice(Math.max(0, at - MAX_HALF_LENGTH), at)
      .split(BLANK)
      .at(-1) ?? '';
  const behind = latin1.slice(at + 1, at + 1 + MAX_HALF_LENGTH).split(BLANK, 1)[0] ?? '';
  return Math.max(before.length, behind.length) >= MAX_HALF_LENGTH || LIKE_A_LINK.test(before + behind);
}
