/** Reads runs of digits that write bytes into a text: base64 in both alphabets, and hexadecimal. */
import { asBuffer } from '../../formats/byte-scan.ts';

/** A way of writing bytes in digits. */
export interface Digits {
  readonly encoding: 'base64' | 'hex';
  /** For each byte of a text what it is: one of the three classes below. */
  readonly classes: Uint8Array;
  /** Bytes that one digit writes. */
  readonly bytesPerDigit: number;
}

const OTHER = 0;
const DIGIT = 1;
/** Blanks, and the marks in front of quoted and listed lines. */
const BETWEEN = 2;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const DASH = 0x2d;

function classes(digits: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of asBuffer(Buffer.from(' \t\r\n>|*#'))) table[byte] = BETWEEN;
  for (const byte of asBuffer(Buffer.from(digits))) table[byte] = DIGIT;
  return table;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const BASE64: Digits = { encoding: 'base64', classes: classes(`${LETTERS}+/-_`), bytesPerDigit: 3 / 4 };
export const HEX: Digits = { encoding: 'hex', classes: classes('0123456789abcdefABCDEF'), bytesPerDigit: 1 / 2 };

/**
 * Returns what the digits from `start` write, up to the first character that is neither a digit nor between digits, and at most `most` bytes.
 * Line ends and slashes as JSON writes them count as what they mean. Two dashes end the run: a line of dashes follows.
 */
export function digitRun(
  text: Buffer,
  start: number,
  { encoding, classes: table, bytesPerDigit }: Digits,
  most = Number.POSITIVE_INFINITY,
): { readonly bytes: Buffer; readonly end: number } {
  const mostDigits = Math.ceil(most / bytesPerDigit);
  const pieces: string[] = [];
  let [from, at, count] = [start, start, 0];
  for (; at < text.length && count < mostDigits; at++) {
    const byte = text[at] as number;
    const kind = table[byte];
    if (kind === DIGIT && !(byte === DASH && text[at + 1] === DASH)) {
      count++;
      continue;
    }
    const skipped = kind === BETWEEN ? 1 : byte === BACKSLASH ? escapeLength(text[at + 1]) : OTHER;
    if (skipped === 0) break;
    if (at > from) pieces.push(text.toString('latin1', from, at));
    from = at + skipped;
    at = from - 1;
  }
  pieces.push(text.toString('latin1', from, at));
  const bytes = Buffer.from(pieces.join(''), encoding);
  return { bytes: bytes.subarray(0, Math.min(bytes.length, most)), end: at };
}

/** Returns how many characters of an escape are skipped: both of `\\n`, and the backslash of `\\/`. */
function escapeLength(next: number | undefined): number {
  if (next === SLASH) return 1;
  return next === 0x6e || next === 0x72 || next === 0x74 ? 2 : 0;
}
