/**
 * Converts formulas of Excel 2003 in XML, which name cells by relative row and column (`R[-1]C`), to the form of xlsx (`A1`). The names of
 * functions are the same in both.
 */
import { columnName, MAX_COLUMNS, MAX_ROWS } from './book.ts';

/** Excel's own limit. */
const MAX_LENGTH = 8_192;
const ROW = String.raw`\[-?\d{1,7}\]|\d{1,7}`;
const COLUMN = String.raw`\[-?\d{1,5}\]|\d{1,5}`;
/** No letter, bracket or call follows a reference. */
const END = String.raw`(?![\w.([\\])`;
/** A text, a name of a sheet in quotes, a number, a cell, a row, a column, and any other word. */
const TOKEN = new RegExp(
  [
    `"(?:[^"]|"")*"|'(?:[^']|'')*'`,
    String.raw`\d[\d.]*(?:E[+-]?\d+)?`,
    `(?<cell>R(?<row>${ROW})?C(?<column>${COLUMN})?)${END}`,
    `(?<line>R(?<lineRow>${ROW})?|C(?<lineColumn>${COLUMN})?)${END}`,
    String.raw`(?<word>[\p{L}_\\][\p{L}\w.\\]*)`,
  ].join('|'),
  'gu',
);

/** The place of the cell, counted from 0. */
export interface Standing {
  readonly row: number;
  readonly column: number;
}

/**
 * Returns the formula without its equals sign. Returns null when it is none, when a reference leads out of the sheet, or when it uses a
 * name, which xlsx would not have.
 */
export function formulaInA1(formula: string, standing: Standing): string | null {
  if (!/^=./.test(formula) || formula.length > MAX_LENGTH) return null;
  const code = formula.slice(1);
  let written = '';
  let last = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [token] = match;
    const around = {
      before: code.slice(Math.max(0, match.index - 6), match.index),
      behind: code.charAt(match.index + token.length),
    };
    const name = translated(token, match.groups ?? {}, around, standing);
    if (name === null) return null;
    written += code.slice(last, match.index) + name;
    last = match.index + token.length;
  }
  return written + code.slice(last);
}

interface Around {
  readonly before: string;
  readonly behind: string;
}

function translated(
  token: string,
  { cell, row, column, line, lineRow, lineColumn, word }: Readonly<Record<string, string | undefined>>,
  { before, behind }: Around,
  standing: Standing,
): string | null {
  if (cell !== undefined) return joined(columnIn(column, standing), rowIn(row, standing));
  if (line !== undefined) {
    const name = line.startsWith('R') ? rowIn(lineRow, standing) : columnIn(lineColumn, standing);
    const isOfRange = before.endsWith(':') || behind === ':';
    return isOfRange ? name : joined(name, name, ':');
  }
  // A call, a sheet, a truth value, or the word of an error. Any other word is a name.
  const isKnown =
    behind === '(' || behind === '!' || /^(?:TRUE|FALSE)$/i.test(token) || /#(?:[A-Z]{1,4}\/)?$/.test(before);
  return word === undefined || isKnown ? token : null;
}

const joined = (one: string | null, other: string | null, between = '') =>
  one === null || other === null ? null : `${one}${between}${other}`;

function rowIn(written: string | undefined, { row }: Standing): string | null {
  const at = placeOf(written, row);
  return at < 0 || at >= MAX_ROWS ? null : `${signOf(written)}${at + 1}`;
}

function columnIn(written: string | undefined, { column }: Standing): string | null {
  const at = placeOf(written, column);
  return at < 0 || at >= MAX_COLUMNS ? null : `${signOf(written)}${columnName(at)}`;
}

/** Reads an index. `3` is the third one, `[2]` the second from here, and an empty one is the cell's own. */
function placeOf(written: string | undefined, own: number): number {
  if (written === undefined) return own;
  return written.startsWith('[') ? own + Number(written.slice(1, -1)) : Number(written) - 1;
}

const signOf = (written: string | undefined) => (written === undefined || written.startsWith('[') ? '' : '$');
