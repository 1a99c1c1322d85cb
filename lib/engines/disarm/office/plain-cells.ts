/**
 * Skips cells of a sheet in their usual form, byte by byte. No rule concerns them, and a sheet has millions. The grammar is narrower than
 * XML. A cell of any other form is left to the scanner.
 */
import { isSafeFormula } from './formulas.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const OPEN_BRACKET = 0x28;
const SLASH = 0x2f;
const COLON = 0x3a;
const LT = 0x3c;
const EQUALS = 0x3d;
const GT = 0x3e;
const UNDERSCORE = 0x5f;
const LOWER_C = 0x63;
const LOWER_F = 0x66;
const LOWER_V = 0x76;

/** Longer formulas are judged by their length first. */
const MAX_FORMULA_BYTES = 1_000;

/** The roles that a byte may have: 1 a plain value of an attribute, 2 plain text, 4 a name in a formula, 8 its signs. */
const CLASS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  const isAlphanumeric = /[A-Za-z0-9]/.test(character);
  const isText = byte >= SPACE && !/[<&\]]/.test(character);
  const isName = isAlphanumeric || character === '.' || character === '_';
  return (
    (isAlphanumeric ? 1 : 0) | (isText ? 2 : 0) | (isName ? 4 : 0) | (/[$+\-*/^=<>(),;%!:]/.test(character) ? 8 : 0)
  );
});

/** `r`, `s` and `t`, each at most once. */
const ATTRIBUTES = new Uint8Array(256);
ATTRIBUTES[0x72] = 1;
ATTRIBUTES[0x73] = 2;
ATTRIBUTES[0x74] = 4;

/** The texts that the quick way compares at once: `<c r`, `="`, `" s=`, `" t=`, `"><v`, `</v>` and `</c>`, as little-endian numbers. */
const CELL_START = 0x7220633c;
const VALUE_START = 0x223d;
const STYLE_NEXT = 0x3d732022;
const TYPE_NEXT = 0x3d742022;
const VALUE_NEXT = 0x763c3e22;
const VALUE_END = 0x3e762f3c;
const CELL_END = 0x3e632f3c;
/** Twice the length of the longest of these. The fast way ends before the end of the bytes. */
const QUICK_BYTES = 8;

/**
 * Returns the offset after the plain cells that start at `from`, without prefix and without gaps; `from` when there are none. `view` is of
 * the same bytes.
 */
export function behindPlainCells(bytes: Uint8Array, from: number, view: DataView): number {
  let at = from;
  for (;;) {
    const quick = behindQuickCell(bytes, at, view);
    const next = quick === -1 ? behindCell(bytes, at) : quick;
    if (next === -1) return at;
    at = next;
  }
}

/** Skips cells of a value with their place and perhaps style and type in this order, which are nearly all. Returns -1 for any other. */
function behindQuickCell(bytes: Uint8Array, from: number, view: DataView): number {
  const last = bytes.length - QUICK_BYTES;
  if (from > last || view.getInt32(from, true) !== CELL_START) return -1;
  if (view.getInt16(from + 4, true) !== VALUE_START) return -1;
  let at = behindAlphanumerics(bytes, from + 6);
  if (at <= last && view.getInt32(at, true) === STYLE_NEXT && bytes[at + 4] === QUOTE) {
    at = behindAlphanumerics(bytes, at + 5);
  }
  if (at <= last && view.getInt32(at, true) === TYPE_NEXT && bytes[at + 4] === QUOTE) {
    at = behindAlphanumerics(bytes, at + 5);
  }
  if (at > last || view.getInt32(at, true) !== VALUE_NEXT || bytes[at + 4] !== GT) return -1;
  at += 5;
  while (((CLASS[bytes[at] as number] as number) & 2) !== 0) at += 1;
  const isEnd = at <= last && view.getInt32(at, true) === VALUE_END && view.getInt32(at + 4, true) === CELL_END;
  return isEnd ? at + 8 : -1;
}

function behindAlphanumerics(bytes: Uint8Array, from: number): number {
  let at = from;
  while (((CLASS[bytes[at] as number] as number) & 1) !== 0) at += 1;
  return at;
}

/** Skips a plain cell. Returns -1 when there is none. */
function behindCell(bytes: Uint8Array, from: number): number {
  if (bytes[from] !== LT || bytes[from + 1] !== LOWER_C) return -1;
  let at = behindAttributes(bytes, from + 2);
  if (at === -1) return -1;
  if (bytes[at] === SLASH) return bytes[at + 1] === GT ? at + 2 : -1;
  if (bytes[at] !== GT) return -1;
  at += 1;
  if (bytes[at] === LT && bytes[at + 1] === LOWER_F) at = behindFormula(bytes, at);
  if (at !== -1 && bytes[at] === LT && bytes[at + 1] === LOWER_V) at = behindValue(bytes, at);
  return at === -1 ? -1 : behindClosing(bytes, at, LOWER_C);
}

function behindAttributes(bytes: Uint8Array, from: number): number {
  let at = from;
  let seen = 0;
  while (bytes[at] === SPACE) {
    const bit = ATTRIBUTES[bytes[at + 1] as number] ?? 0;
    if (bit === 0 || (seen & bit) !== 0 || bytes[at + 2] !== EQUALS || bytes[at + 3] !== QUOTE) return -1;
    seen |= bit;
    at += 4;
    while (((CLASS[bytes[at] as number] as number) & 1) !== 0) at += 1;
    if (bytes[at] !== QUOTE) return -1;
    at += 1;
  }
  return at;
}

function behindValue(bytes: Uint8Array, from: number): number {
  if (bytes[from + 2] !== GT) return -1;
  let at = from + 3;
  while (((CLASS[bytes[at] as number] as number) & 2) !== 0) at += 1;
  return behindClosing(bytes, at, LOWER_V);
}

function behindClosing(bytes: Uint8Array, at: number, name: number): number {
  const isThere = bytes[at] === LT && bytes[at + 1] === SLASH && bytes[at + 2] === name && bytes[at + 3] === GT;
  return isThere ? at + 4 : -1;
}

/** Skips a formula of references, numbers, signs and calls of safe functions, without quotes, brackets, bars and references of XML. */
function behindFormula(bytes: Uint8Array, from: number): number {
  if (bytes[from + 2] !== GT) return -1;
  let at = from + 3;
  let start = at;
  for (;;) {
    const byte = bytes[at] as number;
    const kind = CLASS[byte] as number;
    if ((kind & 4) === 0) {
      if (byte === LT) return at - from > MAX_FORMULA_BYTES ? -1 : behindClosing(bytes, at, LOWER_F);
      if ((kind & 8) === 0) return -1;
      if (at > start && !isSafeEnd(bytes, start, at)) return -1;
      start = at + 1;
    }
    at += 1;
  }
}

/** Returns whether the sign after a name makes it neither an unknown call nor a scheme. `file:` is the beginning of another workbook. */
function isSafeEnd(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[end] === COLON) return ((bytes[end - 1] as number) | 0x20) !== 0x65;
  // A function that another one calls has a prefix (`_xleta.LEN`), and no bracket.
  if (bytes[end] !== OPEN_BRACKET) return bytes[start] !== UNDERSCORE;
  return isSafeCall(bytes, start, end);
}

/** Function names are short. Longer ones are checked by the scanner. */
const MAX_NAME_BYTES = 20;
/** Formulas use some dozens of functions; a file that invents more gains nothing. */
const MAX_KNOWN_NAMES = 1_000;

interface KnownName {
  readonly bytes: Uint8Array;
  readonly isSafe: boolean;
}

/** The answer of the formula judge about a call without arguments, by hash. */
const knownNames = new Map<number, KnownName>();

function isSafeCall(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > MAX_NAME_BYTES) return false;
  let hash = 0;
  for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  const known = knownNames.get(hash);
  if (known === undefined) return learn(hash, new Uint8Array(bytes.subarray(from, to)));
  if (known.bytes.length !== to - from) return false;
  for (let at = from; at < to; at += 1) if (bytes[at] !== known.bytes[at - from]) return false;
  return known.isSafe;
}

function learn(hash: number, name: Uint8Array): boolean {
  const isSafe = isSafeFormula(`${Buffer.from(name).toString('latin1')}()`);
  if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(hash, { bytes: name, isSafe });
  return isSafe;
}
