/** A quick way over the cells of a sheet that hold nothing but a number, a text or a formula that only calculates. */
import { isCalmFormula } from './office-formula.ts';
import { tallyMarkup, type WordTally } from './word-tally.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const [C = 0, F = 0, V = 0] = Buffer.from('cfv');

/** Letters and digits: all that the attributes of such a cell hold. */
const PLAIN = 1;
/** Their names: its place, its style and the type of its value. */
const NAME = 2;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return (byte < 0x80 && /[A-Za-z0-9]/.test(character) ? PLAIN : 0) | (/[rst]/.test(character) ? NAME : 0);
});

/** The offset behind the cells that start at `from`; their values are counted. A cell with anything else in it ends them. */
export function takeCalmCells(bytes: Uint8Array, from: number, tally: WordTally | null): number {
  let at = from;
  for (let next = takeCell(bytes, at, tally); next !== -1; next = takeCell(bytes, at, tally)) at = next;
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

/** From behind the opening tag to behind the closing one. */
function takeContent(bytes: Uint8Array, from: number, tally: WordTally | null): number {
  let at = from;
  if (isOpening(bytes, at, F)) {
    const end = endOfText(bytes, at + 3);
    if (!isClosing(bytes, end, F) || !isCalmFormula(bytes, at + 3, end)) return -1;
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
