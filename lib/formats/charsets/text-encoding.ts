/** Decides whether bytes are text. A file counts as text only when text can hold each of its bytes. */
import { isUtf8 } from 'node:buffer';
import { decodeCharset } from './decode-charset.ts';
import { markedEncoding } from './labels.ts';
import { utf32Order } from './utf32.ts';

/** Control bytes of text files: tab, line feed, vertical tab, form feed, carriage return, and the escape of ISO-2022. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
const IS_TEXT_BYTE = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 0x20 && byte !== 0x7f) || TEXT_CONTROLS.has(byte) ? 1 : 0,
);

/**
 * Returns true when a text in an 8-bit or 7-bit charset can hold all of the bytes. It uses an index, because an iterator over 40 MB costs a
 * second.
 */
export function areTextBytes(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % WORD_BYTES);
  for (let at = 0; at < whole; at += WORD_BYTES) {
    if (holdsControls(view.getInt32(at, true)) && !areTextBytesBetween(bytes, at, at + WORD_BYTES)) return false;
  }
  return areTextBytesBetween(bytes, whole, bytes.length);
}

function areTextBytesBetween(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (IS_TEXT_BYTE[bytes[at] ?? 0] === 0) return false;
  return true;
}

/** Four bytes are checked together, because nearly all of them are letters. */
const WORD_BYTES = 4;

/** Returns whether one of four bytes may be below 0x20, or 0x7f. Only then, a subtraction in each byte borrows from its highest bit. */
function holdsControls(word: number): boolean {
  const low = (word - 0x20202020) & ~word;
  const turned = word ^ 0x7f7f7f7f;
  const deleted = (turned - 0x01010101) & ~turned;
  return ((low | deleted) & 0x80808080) !== 0;
}

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be' | 'windows-1252';

/** Returns the encoding in which all the bytes are text, or null when they are not text. An empty file is text. */
export function textEncoding(bytes: Uint8Array): TextEncoding | null {
  const wide = utf32Order(bytes);
  if (wide !== null) return `utf-32${wide}`;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return isUtf16Text(bytes, 1, 2) ? 'utf-16le' : null;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return isUtf16Text(bytes, 0, 2) ? 'utf-16be' : null;
  const unmarked = unmarkedUtf16(bytes);
  if (unmarked !== null) return unmarked;
  if (!areTextBytes(bytes)) return null;
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** Decodes text by its byte order mark, else as UTF-8. Wrong sequences become U+FFFD. */
export function decodeMarked(bytes: Uint8Array): string {
  return decodeCharset(bytes, markedEncoding(bytes) ?? 'utf-8');
}

/** Returns true when text can hold every code unit. `high` is the place of the high byte in a unit. */
function isUtf16Text(bytes: Uint8Array, high: 0 | 1, from: number): boolean {
  if (bytes.length % 2 !== 0) return false;
  for (let at = from; at < bytes.length; at += 2) {
    const upper = bytes[at + high] ?? 0;
    const lower = bytes[at + 1 - high] ?? 0;
    if (upper === 0 && IS_TEXT_BYTE[lower] === 0) return false;
    if (upper === 0xff && lower >= 0xfe) return false;
  }
  return true;
}

/** Returns the order of UTF-16 without a byte order mark. Returns null for all other bytes. */
export function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length < 4) return null;
  if (bytes[1] === 0 && bytes[0] !== 0) return isLatinUtf16(bytes, 1) ? 'utf-16le' : null;
  return bytes[0] === 0 && bytes[1] !== 0 && isLatinUtf16(bytes, 0) ? 'utf-16be' : null;
}

/** Returns true when every high byte is zero. Without a byte order mark, only Latin text can be distinguished from binary data. */
function isLatinUtf16(bytes: Uint8Array, high: 0 | 1): boolean {
  if (bytes.length % 2 !== 0) return false;
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at + high] !== 0 || IS_TEXT_BYTE[bytes[at + 1 - high] ?? 0] === 0) return false;
  }
  return true;
}
