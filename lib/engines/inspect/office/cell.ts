/** A quick way over the cells of a sheet that hold nothing but a number, a text or a formula that only calculates. */

import { countUpToMarkup, isCount, tallyMarkup, type WordTally } from '../word-tally.ts';
import { isSafeFormula } from './formula.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const [C = 0, F = 0, V = 0] = Buffer.from('cfv');

/** Letters and digits. The attributes of such a cell hold nothing else. */
const PLAIN = 1;
/** The names of the attributes: the place, the style and the type of the value. */
const NAME = 2;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return (byte < 0x80 && /[A-Za-z0-9]/.test(character) ? PLAIN : 0) | (/[rst]/.test(character) ? NAME : 0);
});

/** Four signs at once, as little-endian numbers: `<c r`, `" s=`, `" t=`, `"><v`, `</v>`, `</c>`; and `="`. */
const OPEN_CELL = 0x7220633c;
const THEN_STYLE = 0x3d732022;
const THEN_TYPE = 0x3d742022;
const THEN_VALUE = 0x763c3e22;
const CLOSE_VALUE = 0x3e762f3c;
const CLOSE_CELL = 0x3e632f3c;
const IS_QUOTED = 0x223d;
/** The number of bytes that are read ahead. */
const AHEAD = 8;

/**
 * Returns the offset behind the cells that start at `from`, and counts their values. A cell with any other content ends them. `view` is of
 * the same bytes.
 */
export function skipPlainCells(bytes: Uint8Array, from: number, view: DataView, tally: WordTally | null): number {
  const quick = tally === null || isCount(tally) ? tally : undefined;
  let at = from;
  for (;;) {
    const value = quick === undefined ? -1 : valueOfQuickCell(bytes, at, view);
    let next = value === -1 ? -1 : takeQuickValue(bytes, value, view, quick ?? null);
    if (next === -1) next = takeCell(bytes, at, tally);
    if (next === -1) return at;
    at = next;
  }
}

/**
 * Returns where the value of a cell starts. The cell has a place, and perhaps a style, a type and a value. Returns -1 for any other cell.
 */
function valueOfQuickCell(bytes: Uint8Array, from: number, view: DataView): number {
  const last = bytes.length - AHEAD;
  if (from > last || view.getInt32(from, true) !== OPEN_CELL) return -1;
  if (view.getInt16(from + 4, true) !== IS_QUOTED) return -1;
  let at = endOfPlain(bytes, from + 6);
  if (at <= last && view.getInt32(at, true) === THEN_STYLE && bytes[at + 4] === QUOTE) at = endOfPlain(bytes, at + 5);
  if (at <= last && view.getInt32(at, true) === THEN_TYPE && bytes[at + 4] === QUOTE) at = endOfPlain(bytes, at + 5);
  return at <= last && view.getInt32(at, true) === THEN_VALUE && bytes[at + 4] === GREATER ? at + 5 : -1;
}

/** Reads from the value to behind the cell. Returns -1 when the cell ends otherwise, and then counts nothing of it. */
function takeQuickValue(bytes: Uint8Array, from: number, view: DataView, tally: WordTally | null): number {
  const words = tally?.words ?? 0;
  const at = tally === null ? endOfText(bytes, from) : countUpToMarkup(tally, bytes, from);
  const isFar = at > bytes.length - AHEAD;
  if (!isFar && view.getInt32(at, true) === CLOSE_VALUE && view.getInt32(at + 4, true) === CLOSE_CELL) return at + 8;
  if (tally !== null) tally.words = words;
  return -1;
}

function endOfPlain(bytes: Uint8Array, from: number): number {
  let at = from;
  while (((KINDS[bytes[at] as number] as number) & PLAIN) !== 0) at++;
  return at;
}

function takeCell(bytes: Uint8Array, from: number, tally: WordTally | null): number {
  if (bytes[from] !== LESS || bytes[from + 1] !== C) return -1;
  let at = from + 2;
  while (bytes[at] === SPACE) {
    if (((KINDS[bytes[at + 1] as number] as number) & NAME) === 0) return -1;
    if (bytes[at + 2] !== EQUALS || bytes[at + 3] !== QUOTE) return -1;
    at += 4;
    while (((KINDS[bytes[at] as number] as number) & PLAIN) !== 0) at++;
    if (bytes[at] !== QUOTE) return -1;
    at++;
  }
  if (bytes[at] === SLASH && bytes[at + 1] === GREATER) return at + 2;
  return bytes[at] === GREATER ? takeContent(bytes, at + 1, tally) : -1;
}

/** Reads from behind the opening tag to behind the closing one. */
function takeContent(bytes: Uint8Array, from: number, tally: WordTally | null): number {
  let at = from;
  if (isOpening(bytes, at, F)) {
    const end = endOfText(bytes, at + 3);
    if (!isClosing(bytes, end, F) || !isSafeFormula(bytes, at + 3, end)) return -1;
    at = end + 4;
  }
  if (!isOpening(bytes, at, V)) return isClosing(bytes, at, C) ? at + 4 : -1;
  const end = endOfText(bytes, at + 3);
  if (!isClosing(bytes, end, V) || !isClosing(bytes, end + 4, C)) return -1;
  if (tally !== null) tallyMarkup(tally, bytes, at + 3, end);
  return end + 8;
}

function isOpening(bytes: Uint8Array, at: number, letter: number): boolean {
  return bytes[at] === LESS && bytes[at + 1] === letter && bytes[at + 2] === GREATER;
}

function isClosing(bytes: Uint8Array, at: number, letter: number): boolean {
  return bytes[at] === LESS && bytes[at + 1] === SLASH && bytes[at + 2] === letter && bytes[at + 3] === GREATER;
}

function endOfText(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = from;
  while (at < length && bytes[at] !== LESS) at++;
  return at;
}
