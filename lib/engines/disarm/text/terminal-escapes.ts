/**
 * Escape characters in text. A terminal takes what follows one for a command: it retitles its window, hides lines, writes to the clipboard, or answers as if
 * somebody had typed. No other program needs them, but for the charsets of ISO 2022, which change their letters by short escapes of their own.
 */
import type { TextEncoding } from '../../../formats/charsets/text-encoding.ts';

const ESCAPE = 0x1b;
const SPACE = 0x20;
/** What follows an escape of ISO 2022 (ECMA-35, 14): a set of letters is named, such as `$B` and `(J` in Japanese mail. */
const NAMES_LETTERS = /^(?:\$[@AB]|\$?[()*+][@A-J])/;
const LONGEST = 3;
/** The first byte of U+0080 to U+009F in UTF-8, among which are commands of terminals, too. */
const C1_LEAD = 0xc2;

/** The same text with a space for each escape that is a command; null when there is none. All other letters stay. */
export function withoutTerminalEscapes(bytes: Uint8Array, encoding: TextEncoding): Buffer | null {
  if (encoding === 'utf-16le' || encoding === 'utf-16be')
    return withoutWideEscapes(bytes, encoding === 'utf-16le' ? 0 : 1);
  const isUtf8 = encoding === 'utf-8';
  let out: Buffer | null = null;
  for (let at = 0; at < bytes.length; at++) {
    const isCommand = bytes[at] === ESCAPE && !namesLetters(bytes, at + 1);
    const isC1 = isUtf8 && bytes[at] === C1_LEAD && isC1Command(bytes[at + 1] ?? 0);
    if (!isCommand && !isC1) continue;
    out ??= Buffer.from(bytes);
    out[at] = SPACE;
    if (isC1) out[at + 1] = SPACE;
  }
  return out;
}

/** In UTF-16 no escape names letters: each is a command. `low` is the place of the low byte in a unit. */
function withoutWideEscapes(bytes: Uint8Array, low: 0 | 1): Buffer | null {
  let out: Buffer | null = null;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const letter = bytes[at + low] ?? 0;
    if (bytes[at + 1 - low] !== 0 || (letter !== ESCAPE && !isC1Command(letter))) continue;
    out ??= Buffer.from(bytes);
    out[at + low] = SPACE;
  }
  return out;
}

function namesLetters(bytes: Uint8Array, at: number): boolean {
  return NAMES_LETTERS.test(Buffer.from(bytes.subarray(at, at + LONGEST)).toString('latin1'));
}

/**
 * DCS, CSI and OSC (ECMA-48), with which commands begin. The others only hide what follows, and tables of Czech and Polish words that were
 * converted twice have them as letters.
 */
const isC1Command = (code: number) => code === 0x90 || code === 0x9b || code === 0x9d;
