/**
 * Escape characters in text. A terminal reads the following characters as a command: it retitles its window, hides lines, writes to the
 * clipboard, or answers as if somebody had typed. No other program needs them, except for the charsets of ISO 2022, which change their
 * letters by their own short escapes.
 */
import { withoutStains } from '../../../formats/charsets/stained-text.ts';
import { type TextEncoding, textEncoding } from '../../../formats/charsets/text-encoding.ts';

const ESCAPE = 0x1b;
const SPACE = 0x20;
/** The signs after an escape of ISO 2022 (ECMA-35, 14), which name a set of letters, such as `$B` and `(J` in Japanese mail. */
const NAMES_LETTERS = /^(?:\$[@AB]|\$?[()*+][@A-J])/;
const LONGEST = 3;
/** The first byte of U+0080 to U+009F in UTF-8. Some of them are commands of terminals, too. */
const C1_LEAD = 0xc2;

/** Text without a few control bytes and without commands of terminals. */
export interface ControlFree {
  readonly bytes: Uint8Array;
  /** Null for bytes that are no text, which stay unchanged. */
  readonly encoding: TextEncoding | null;
  /** True when something became a space. */
  readonly isChanged: boolean;
}

/** Replaces each of a few control bytes, and each command of a terminal, by a space. */
export function withoutControls(bytes: Uint8Array): ControlFree {
  const cleaned = withoutStains(bytes);
  const encoding = textEncoding(cleaned ?? bytes);
  const plain = (encoding && withoutTerminalEscapes(cleaned ?? bytes, encoding)) ?? cleaned;
  return { bytes: plain ?? bytes, encoding, isChanged: plain !== null };
}

/** Returns the same text with a space for each escape that is a command; null when there is none. All other letters stay. */
function withoutTerminalEscapes(bytes: Uint8Array, encoding: TextEncoding): Buffer | null {
  const wide = WIDE[encoding];
  if (wide !== undefined) return withoutWideEscapes(bytes, wide);
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

interface Unit {
  readonly bytes: 2 | 4;
  /** The place of the low byte. */
  readonly low: number;
}

const WIDE: Partial<Record<TextEncoding, Unit>> = {
  'utf-16le': { bytes: 2, low: 0 },
  'utf-16be': { bytes: 2, low: 1 },
  'utf-32le': { bytes: 4, low: 0 },
  'utf-32be': { bytes: 4, low: 3 },
};

/** Finds escapes. In UTF-16 and UTF-32 no escape names letters, so each is a command. */
function withoutWideEscapes(bytes: Uint8Array, unit: Unit): Buffer | null {
  let out: Buffer | null = null;
  for (let at = 0; at + unit.bytes <= bytes.length; at += unit.bytes) {
    const letter = bytes[at + unit.low] ?? 0;
    if (letter !== ESCAPE && !isC1Command(letter)) continue;
    const isAlone = bytes.subarray(at, at + unit.bytes).every((byte, place) => place === unit.low || byte === 0);
    if (!isAlone) continue;
    out ??= Buffer.from(bytes);
    out[at + unit.low] = SPACE;
  }
  return out;
}

function namesLetters(bytes: Uint8Array, at: number): boolean {
  return NAMES_LETTERS.test(Buffer.from(bytes.subarray(at, at + LONGEST)).toString('latin1'));
}

/**
 * Returns true for DCS, CSI and OSC (ECMA-48), which begin commands. The others only hide following text, and tables of Czech and Polish
 * words that were converted twice have them as letters.
 */
const isC1Command = (code: number) => code === 0x90 || code === 0x9b || code === 0x9d;
