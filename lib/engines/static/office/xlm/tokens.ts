/** Reads the tokens of formulas of Excel 97 to 2003 ([MS-XLS] 2.5.198) as expressions. */
import { ByteReader, OutOfBytes } from '../../../../formats/byte-reader.ts';
import type { CellRef, Expression } from './expression.ts';
import { functionOf } from './functions.ts';

/** The meaning of the numbers in tokens. */
export interface TokenNames {
  /** Returns the name of a defined name, by its number from 1. */
  nameOf(number: number): string;
  /** Returns the sheet of a reference to another one, by its number. */
  sheetOf(number: number): string | null;
}

const OPERATORS = ['+', '-', '*', '/', '^', '&', '<', '<=', '=', '>=', '>', '<>', ' ', ',', ':'];
const FIRST_OPERATOR = 0x03;
/** The bytes of tokens that push an unknown value, by the token of their first class. */
const UNKNOWN: Readonly<Record<number, number>> = {
  1: 4,
  2: 4,
  28: 1,
  32: 7,
  38: 6,
  39: 6,
  40: 6,
  41: 2,
  42: 4,
  43: 8,
  57: 6,
  60: 6,
  61: 10,
};
/** Tokens for areas in memory, which only say how many bytes of tokens follow. */
const SILENT = new Set([0x26, 0x27, 0x28, 0x29]);

/** Returns the expression of a formula, or null when a token is unknown or cut off. */
export function readTokens(bytes: Uint8Array, names: TokenNames): Expression | null {
  const reader = new ByteReader(bytes);
  const stack: Expression[] = [];
  try {
    while (reader.at < bytes.length) if (!readToken(reader, stack, names)) return null;
  } catch (error) {
    if (error instanceof OutOfBytes) return null;
    throw error;
  }
  return stack.length === 1 ? (stack[0] ?? null) : null;
}

/** Reads one token. Returns false for an unknown token, or one that does not fit the tokens in front of it. */
function readToken(reader: ByteReader, stack: Expression[], names: TokenNames): boolean {
  const first = reader.byte();
  const token = first < 0x20 ? first : (first & 0x1f) | 0x20;
  const operator = OPERATORS[token - FIRST_OPERATOR];
  if (operator !== undefined && token >= FIRST_OPERATOR) return apply(stack, operator, 2);
  switch (token) {
    case 0x12:
      return apply(stack, 'u+', 1);
    case 0x13:
      return apply(stack, 'u-', 1);
    case 0x14:
      return apply(stack, '%', 1);
    case 0x15:
      return true;
    case 0x19:
      return skipAttribute(reader);
    case 0x21: {
      const { name, count } = functionOf(reader.word());
      return count !== null && call(stack, name, count);
    }
    case 0x22: {
      const count = reader.byte() & 0x7f;
      return call(stack, functionOf(reader.word()).name, count);
    }
    default: {
      const operand = operandOf(token, reader, names);
      if (operand === null) return false;
      if (!SILENT.has(token)) stack.push(operand);
      return true;
    }
  }
}

function apply(stack: Expression[], operator: string, count: number): boolean {
  if (stack.length < count) return false;
  const args = stack.splice(-count);
  const [from, to] = args;
  if (operator === ':' && from?.kind === 'cell' && to?.kind === 'cell')
    stack.push({ kind: 'range', from: from.cell, to: to.cell });
  else stack.push({ kind: 'operation', operator, args });
  return true;
}

/** Reads a function of the user, or of a library, which has its name as its first argument. */
function call(stack: Expression[], name: string, count: number): boolean {
  if (stack.length < count) return false;
  const args = count === 0 ? [] : stack.splice(-count);
  const [target] = args;
  if (name === 'USER' && target?.kind === 'name')
    stack.push({ kind: 'call', name: target.name.toUpperCase(), args: args.slice(1) });
  else stack.push({ kind: 'call', name, args });
  return true;
}

const CHOOSE = 0x04;

function skipAttribute(reader: ByteReader): boolean {
  const kind = reader.byte();
  const count = reader.word();
  if ((kind & CHOOSE) !== 0) reader.skip((count + 1) * 2);
  return true;
}

function operandOf(token: number, reader: ByteReader, names: TokenNames): Expression | null {
  switch (token) {
    case 0x16:
      return { kind: 'missing' };
    case 0x17:
      return { kind: 'value', value: shortText(reader) };
    case 0x1d:
      return { kind: 'value', value: reader.byte() !== 0 };
    case 0x1e:
      return { kind: 'value', value: reader.word() };
    case 0x1f:
      return { kind: 'value', value: Buffer.from(reader.take(8)).readDoubleLE() };
    case 0x23: {
      const number = reader.word();
      reader.skip(2);
      return { kind: 'name', name: names.nameOf(number).toLowerCase() };
    }
    case 0x24:
      return { kind: 'cell', cell: cellAt(reader, null, false) };
    case 0x2c:
      return { kind: 'cell', cell: cellAt(reader, null, true) };
    case 0x25:
      return rangeAt(reader, null);
    case 0x3a:
      return { kind: 'cell', cell: cellAt(reader, names.sheetOf(reader.word()), false) };
    case 0x3b:
      return rangeAt(reader, names.sheetOf(reader.word()));
    default: {
      const bytes = UNKNOWN[token];
      if (bytes === undefined) return null;
      reader.skip(bytes);
      return { kind: 'name', name: '?' };
    }
  }
}

/** Reads a text with its length in one byte, and one byte for the width of its characters. */
export function shortText(reader: ByteReader): string {
  const length = reader.byte();
  const isWide = (reader.byte() & 1) !== 0;
  return Buffer.from(reader.take(isWide ? length * 2 : length)).toString(isWide ? 'utf16le' : 'latin1');
}

const COLUMN = 0x3fff;

function cellAt(reader: ByteReader, sheet: string | null, isDistance: boolean): CellRef {
  const [row, column] = [reader.word(), reader.word()];
  if (!isDistance) return { sheet, row, column: column & COLUMN };
  const [isRowRelative, isColumnRelative] = [(column & 0x8000) !== 0, (column & 0x4000) !== 0];
  return {
    sheet,
    row: isRowRelative ? (row << 16) >> 16 : row,
    column: isColumnRelative ? (column << 24) >> 24 : column & 0xff,
    isRowRelative,
    isColumnRelative,
  };
}

function rangeAt(reader: ByteReader, sheet: string | null): Expression {
  const [first, last, left, right] = [reader.word(), reader.word(), reader.word() & COLUMN, reader.word() & COLUMN];
  return {
    kind: 'range',
    from: { sheet, row: first, column: left },
    to: { sheet, row: last, column: right },
  };
}
