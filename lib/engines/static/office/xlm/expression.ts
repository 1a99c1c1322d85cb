/** The expressions of formulas, and their reading from text. */

/**
 * A cell, in a named sheet or in the sheet of the formula (null). Rows and columns count from 0. A relative one is a distance from the
 * formula.
 */
export interface CellRef {
  readonly sheet: string | null;
  readonly row: number;
  readonly column: number;
  readonly isRowRelative?: boolean;
  readonly isColumnRelative?: boolean;
}

export type Expression =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'missing' }
  | { readonly kind: 'cell'; readonly cell: CellRef }
  /** A rectangle, by its first and its last cell. */
  | { readonly kind: 'range'; readonly from: CellRef; readonly to: CellRef }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'operation'; readonly operator: string; readonly args: readonly Expression[] };

/** The longest formula, and the deepest nesting, that is read. Excel has 8,192 characters and 64 levels. */
const MAX_FORMULA = 16_384;
const MAX_DEPTH = 80;

/** The kinds of tokens, in the order in which they are tried. */
const TOKENS = {
  text: /"(?:[^"]|"")*"/,
  number: /(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?(?![\w.!])/,
  sheet: /(?:'(?:[^']|'')*'|[\w.\\]+)!/,
  cell: /\$?[A-Z]{1,3}\$?\d{1,7}(?![\w.(])|R(?:\[-?\d+\]|\d+)?C(?:\[-?\d+\]|\d+)?(?![\w.(])/,
  name: /[A-Za-z_\\][\w.\\]*/,
  sign: /<>|<=|>=|[-+*/^&=<>%(),;:{}]/,
} as const;
const KINDS = Object.keys(TOKENS) as (keyof typeof TOKENS)[];
const TOKEN = new RegExp(
  `\\s*(?:${Object.values(TOKENS)
    .map(({ source }) => `(${source})`)
    .join('|')})`,
  'iy',
);

interface Tokens {
  readonly text: string;
  at: number;
  depth: number;
}

interface Token {
  readonly kind: keyof typeof TOKENS | 'end';
  readonly text: string;
}

/** Thrown inside of this module for a text that is no formula. */
class NoFormula extends Error {}

/** Returns the expression of a formula, with or without `=` in front of it, or null for a text that is none. */
export function parseFormula(text: string): Expression | null {
  const tokens: Tokens = { text: text.slice(0, MAX_FORMULA).replace(/^\s*=/, ''), at: 0, depth: 0 };
  try {
    const expression = binary(tokens, 0);
    return peek(tokens).kind === 'end' ? expression : null;
  } catch (error) {
    if (error instanceof NoFormula) return null;
    throw error;
  }
}

/** Returns the cell that a text names, in the form of A1 or R1C1, or null. */
export function parseCell(text: string): CellRef | null {
  const parsed = parseFormula(text);
  return parsed?.kind === 'cell' ? parsed.cell : parsed?.kind === 'range' ? parsed.from : null;
}

function peek(tokens: Tokens): Token & { readonly end: number } {
  TOKEN.lastIndex = tokens.at;
  const match = TOKEN.exec(tokens.text);
  if (match === null) {
    if (tokens.text.slice(tokens.at).trim() === '') return { kind: 'end', text: '', end: tokens.at };
    throw new NoFormula();
  }
  const index = match.slice(1).findIndex((group) => group !== undefined);
  return { kind: KINDS[index] ?? 'end', text: match[index + 1] ?? '', end: TOKEN.lastIndex };
}

function next(tokens: Tokens): Token {
  const token = peek(tokens);
  tokens.at = token.end;
  return token;
}

/** Returns true when the next token is the sign, and takes it. */
function takes(tokens: Tokens, ...signs: readonly string[]): boolean {
  const token = peek(tokens);
  if (token.kind !== 'sign' || !signs.includes(token.text)) return false;
  tokens.at = token.end;
  return true;
}

/** The operators, beginning with those that bind least. */
const LEVELS = [['=', '<>', '<', '>', '<=', '>='], ['&'], ['+', '-'], ['*', '/'], ['^']];

function binary(tokens: Tokens, level: number): Expression {
  const operators = LEVELS[level];
  if (operators === undefined) return unary(tokens);
  if (++tokens.depth > MAX_DEPTH * LEVELS.length) throw new NoFormula();
  let left = binary(tokens, level + 1);
  for (let token = peek(tokens); token.kind === 'sign' && operators.includes(token.text); token = peek(tokens)) {
    tokens.at = token.end;
    left = { kind: 'operation', operator: token.text, args: [left, binary(tokens, level + 1)] };
  }
  tokens.depth--;
  return left;
}

function unary(tokens: Tokens): Expression {
  for (const operator of ['-', '+']) {
    if (!takes(tokens, operator)) continue;
    if (++tokens.depth > MAX_DEPTH * LEVELS.length) throw new NoFormula();
    const args = [unary(tokens)];
    tokens.depth--;
    return { kind: 'operation', operator: `u${operator}`, args };
  }
  const expression = primary(tokens);
  if (takes(tokens, '%')) return { kind: 'operation', operator: '%', args: [expression] };
  if (!takes(tokens, ':')) return expression;
  const last = primary(tokens);
  if (expression.kind !== 'cell' || last.kind !== 'cell') throw new NoFormula();
  return { kind: 'range', from: expression.cell, to: last.cell };
}

function primary(tokens: Tokens): Expression {
  const { kind, text } = next(tokens);
  switch (kind) {
    case 'text':
      return { kind: 'value', value: text.slice(1, -1).replaceAll('""', '"') };
    case 'number':
      return { kind: 'value', value: Number(text) };
    case 'cell':
      return { kind: 'cell', cell: cellOf(text, null) };
    case 'sheet':
      return onSheet(tokens, text.slice(0, -1).replace(/^'|'$/g, '').replaceAll("''", "'"));
    case 'name':
      return named(tokens, text);
    default: {
      if (text !== '(') throw new NoFormula();
      const inner = binary(tokens, 0);
      if (!takes(tokens, ')')) throw new NoFormula();
      return inner;
    }
  }
}

function onSheet(tokens: Tokens, sheet: string): Expression {
  const { kind, text } = next(tokens);
  if (kind === 'cell') return { kind: 'cell', cell: cellOf(text, sheet) };
  if (kind === 'name') return named(tokens, text);
  throw new NoFormula();
}

function named(tokens: Tokens, text: string): Expression {
  const name = text.toUpperCase().replace(/^_XLFN\.|^_XLL\./, '');
  if (!takes(tokens, '(')) {
    if (name === 'TRUE' || name === 'FALSE') return { kind: 'value', value: name === 'TRUE' };
    return { kind: 'name', name: text.toLowerCase() };
  }
  const args: Expression[] = [];
  while (!takes(tokens, ')')) {
    const isMissing = [',', ';', ')'].includes(peek(tokens).text);
    args.push(isMissing ? { kind: 'missing' } : binary(tokens, 0));
    if (!takes(tokens, ',', ';') && peek(tokens).text !== ')') throw new NoFormula();
  }
  return { kind: 'call', name, args };
}

function cellOf(text: string, sheet: string | null): CellRef {
  const upper = text.toUpperCase().replaceAll('$', '');
  const numbered = /^R(\[?)(-?\d*)\]?C(\[?)(-?\d*)\]?$/.exec(upper);
  if (numbered && !/^[A-Z]{1,3}\d+$/.test(upper)) {
    const [, rowMark = '', row = '', columnMark = '', column = ''] = numbered;
    const [isRowRelative, isColumnRelative] = [rowMark !== '' || row === '', columnMark !== '' || column === ''];
    return {
      sheet,
      row: isRowRelative ? Number(row) : Number(row) - 1,
      column: isColumnRelative ? Number(column) : Number(column) - 1,
      isRowRelative,
      isColumnRelative,
    };
  }
  const letters = /^[A-Z]+/.exec(upper)?.[0] ?? 'A';
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { sheet, row: Number(upper.slice(letters.length)) - 1, column };
}
