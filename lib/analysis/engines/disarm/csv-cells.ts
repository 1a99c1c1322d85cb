/** Cells of a comma-separated file: where they stand, and which of them a spreadsheet program would calculate. */

export interface Cell {
  /** Offsets of the cell in the text, quotes included. */
  readonly start: number;
  readonly end: number;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Characters looked at to tell the delimiter. */
const HEAD_LENGTH = 64 * 1024;

/** The delimiter of the table: what its first line names (`sep=;`), else what its first lines hold most of outside quotes. */
export function delimiterOf(text: string): string {
  const named = /^\ufeff?"?sep=(.)/i.exec(text)?.[1];
  if (named !== undefined) return named;
  const bare = text.slice(0, HEAD_LENGTH).replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

/** The cells in order (RFC 4180: a cell that starts with a quote ends at the delimiter after its closing quote). */
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

/** Offset behind the closing quote; a quote that is never closed holds the rest. */
function afterQuotes(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    if (text.charAt(quote + 1) !== '"') return quote + 1;
    at = quote + 2;
  }
}

/** Characters that programs drop before they look at what a cell starts with: blanks of all kinds, quotes, controls. */
const LEADING = /^[\s"\p{Cc}\p{Cf}\u00a0\u3000]*/u;
const FORMULA_SIGN = /^[=+\-@＝＋－＠]/;
/** `service|topic!item`: spreadsheet programs start the service. */
const DDE = /[\w.")\]]\s{0,9}\|[\s\S]{0,4000}!/;

/** A plain signed number, amount, percentage, time or telephone number, or a dash for "nothing": the sign is not a formula's. */
const PLAIN =
  /^(?:[-+－＋]{1,3}|[-+－＋]\s?[€$£¥]?\s?\d[\d.,'’ \u00a0]{0,40}(?:e[-+]?\d{1,3})?\s?(?:%|[€$£¥]|[A-Z]{3})?|[-+]\d{1,3}:\d\d(?::\d\d)?|\+\d[\d ()./-]{4,24})$/i;

export type CellKind = 'safe' | 'formula' | 'command';

/** What a spreadsheet program makes of a cell. */
export function kindOfCell(cell: string): CellKind {
  // Most cells of most tables: a letter or digit first, and nothing that could name a service.
  if (/^[a-z0-9]/i.test(cell) && !cell.includes('|')) return 'safe';
  const content = cell.replace(LEADING, '').replace(/[\s"]{1,100}$/, '');
  const isFormula = FORMULA_SIGN.test(content) && !PLAIN.test(content);
  if (isFormula && DDE.test(content)) return 'command';
  if (isFormula) return 'formula';
  return /^[\w.]{1,60}\|[\s\S]{0,4000}!/.test(content) ? 'formula' : 'safe';
}

/**
 * Starts of cells for programs that read the table with another delimiter or without quotes, where a formula is plain to see: an
 * equals sign with something to calculate behind it, or a function call behind another sign.
 */
export const OTHER_STARTS =
  /(?=[=＝+\-@＋－＠])(?<=^|[\r\n,;\t|]["\s\u00a0]{0,20})(?=[=＝][\s"]{0,9}[\w("'+\-@$.[{]|[+\-@＋－＠][\s"]{0,9}[a-z_.]{1,40}[\s"]{0,9}[(|!])/gi;
