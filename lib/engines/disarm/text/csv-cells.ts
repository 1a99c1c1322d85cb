/** Cells of a comma-separated file: their places, and the cells that a spreadsheet program would calculate. */

export interface Cell {
  /** Offsets of the cell in the text, quotes included. */
  readonly start: number;
  readonly end: number;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** The number of characters that are read to find the delimiter. */
const HEAD_LENGTH = 64 * 1024;

/** Returns the delimiter that the first line names; null without such a line. */
export function namedDelimiter(text: string): string | null {
  return /^[\ufeff\s]{0,9}"?sep=(.)/i.exec(text)?.[1] ?? null;
}

/**
 * Returns the delimiter of the table. Its first line may name it (`sep=;`). Otherwise it is the most frequent one in the first lines,
 * outside quotes.
 */
export function delimiterOf(text: string): string {
  const named = namedDelimiter(text);
  if (named !== null) return named;
  const bare = text.slice(0, HEAD_LENGTH).replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

/** Yields the cells in order (RFC 4180: a cell that starts with a quote ends at the delimiter after its closing quote). */
export function* cellsOf(text: string, delimiter: string): Generator<Cell> {
  const ends = new RegExp(`[${escapeInClass(delimiter)}\\r\\n]`, 'g');
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    ends.lastIndex = text.charAt(at) === '"' ? afterQuotes(text, at) : at;
    const end = ends.exec(text)?.index ?? text.length;
    yield { start: at, end };
    at = end + 1;
  }
}

function escapeInClass(character: string): string {
  return character.replace(/[\\\]^-]/g, '\\$&');
}

/** Returns the offset after the closing quote. A quote that is never closed contains the rest. */
function afterQuotes(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    if (text.charAt(quote + 1) !== '"') return quote + 1;
    at = quote + 2;
  }
}

/** Characters that programs drop before they read the start of a cell: blanks of all kinds, quotes, control characters. */
const LEADING = /^[\s"\p{Cc}\p{Cf}\u00a0\u3000]*/u;
const FORMULA_SIGN = /^[=+\-@＝＋－＠]/;
/** `service|topic!item`: spreadsheet programs start the service. */
const DDE = /[\w.")\]]\s{0,9}\|[\s\S]{0,4000}!/;

/** A plain signed number, amount, percentage, time or telephone number, or a dash for "nothing". The sign does not start a formula. */
const PLAIN =
  /^(?:[-+－＋]{1,3}|[-+－＋]\s?[€$£¥]?\s?\d[\d.,'’ \u00a0]{0,40}(?:e[-+]?\d{1,3})?\s?(?:%|[€$£¥]|[A-Z]{3})?|[-+]\d{1,3}:\d\d(?::\d\d)?|\+\d[\d ()./-]{4,24})$/i;

/** Returns true for cells of numbers in programs that split at another delimiter: `-5;-6,5` calculates nothing in any reading. */
function areNumbers(content: string): boolean {
  return content.split(/[,;\t|]/).every((piece) => /^["\s]*[\d.' ]*["\s]*$/.test(piece) || PLAIN.test(piece.trim()));
}

export type CellKind = 'safe' | 'formula' | 'command';

/** Returns how a spreadsheet program reads a cell. */
export function kindOfCell(cell: string): CellKind {
  // Most cells of most tables: a letter or digit first, and nothing that could name a service.
  if (/^[a-z0-9]/i.test(cell) && !cell.includes('|')) return 'safe';
  const content = cell.replace(LEADING, '').replace(/[\s"]{1,100}$/, '');
  const isFormula = FORMULA_SIGN.test(content) && !PLAIN.test(content) && !areNumbers(content);
  if (isFormula && DDE.test(content)) return 'command';
  if (isFormula) return 'formula';
  return /^[\w.]{1,60}\|[\s\S]{0,4000}!/.test(content) ? 'formula' : 'safe';
}

/** After an equals sign: something to calculate. */
const CALCULATION = /[=＝][\s"]*[\p{L}\p{N}_("'+\-@$.[{#!\\]/uy;
/**
 * After another sign: terms and operators, as many as there are, up to a function call, a service or a sheet. Prose without blanks has
 * neither.
 */
const CALL =
  /[+\-@＋－＠][\s"]*(?:[\p{L}\p{N}_.$:%"'()[\]{}]+\s?[-+*/^&=<>@]+\s?)*[\p{L}_.][\p{L}\p{N}_.]*[\s"]{0,9}[(|!]/uy;
/** The pipe between a service and its topic. Quotes may be around both, and blanks where a quote starts the topic. */
const SERVICE =
  /\|(?<=[\p{L}\p{N}_.]["'\s]{0,9}\|)(?:\s{0,9}["']{1,4}[^|!]{0,4000}["']{1,4}\s{0,9}|[^\s|!,;"']{1,400})!/gu;
/** Excel takes no longer formula. */
const FORMULA_LENGTH = 8_192;

/**
 * Yields offsets of signs that start a formula in programs that read the table with another delimiter or without quotes. These depend on
 * the country of a program. Only clear cases count: a calculation after an equals sign, or a function call or a DDE service after another
 * sign. Linear: every search continues at the end of the earlier one.
 */
export function* otherStarts(text: string, named: string | null): Generator<number> {
  const services = [...text.matchAll(SERVICE)].map(({ index }) => index);
  const nextOf = { pipe: seeker(text, /\|/g), quote: seeker(text, /["']/g), end: seeker(text, /[\r\n]/g) };
  let next = 0;
  for (const { at, isQuoted } of signsAtStart(text, named)) {
    while ((services[next] ?? Number.POSITIVE_INFINITY) < at) next++;
    const service = services[next] ?? Number.POSITIVE_INFINITY;
    const pipe = nextOf.pipe(at);
    // A pipe before the service's own pipe ends the cell, unless it is inside a text of the formula.
    const isInCell = pipe >= service || nextOf.quote(at) < pipe;
    const isInLine = isQuoted || nextOf.end(at) > service;
    const isCommand = service - at <= FORMULA_LENGTH && isInCell && isInLine;
    if (isCommand || matchesAt(CALCULATION, text, at) || matchesAt(CALL, text, at)) yield at;
  }
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Finds the next match from offsets that only grow, without reading any character twice. */
function seeker(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    pattern.lastIndex = from;
    found = pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY;
    return found;
  };
}

const SIGNS = new Set('=+-@＝＋－＠');
const STARTS = new Set(',;\t|\r\n\v\f\u0085\u2028\u2029');
const SKIPPED = /[\s"\p{Cc}\p{Cf}]/u;

interface Sign {
  readonly at: number;
  /** Whether a quote precedes it, so that line ends do not end the cell. */
  readonly isQuoted: boolean;
}

/** Yields signs that come first in a cell under any reading, after any blanks and quotes. */
function* signsAtStart(text: string, named: string | null): Generator<Sign> {
  let isStart = true;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (STARTS.has(character) || character === named) {
      isStart = true;
      isQuoted = false;
    } else if (isStart && SIGNS.has(character)) {
      yield { at, isQuoted };
      isStart = false;
    } else if (isStart) {
      isStart = SKIPPED.test(character);
      isQuoted ||= character === '"';
    }
  }
}
