/** Reads the cells of an Excel 97 to 2003 workbook ([MS-XLS]) whose sheets hold macros. */

import { ByteReader, OutOfBytes } from '../../../../formats/byte-reader.ts';
import { type BiffRecord, RECORD, readRecords } from '../../../../formats/office/biff-records.ts';
import type { Expression } from './expression.ts';
import { type Cell, keyOf, MAX_CELLS, type MacroBook, type Sheet, type Value } from './macro-book.ts';
import { sharedTexts } from './shared-texts.ts';
import { readTokens, shortText, type TokenNames } from './tokens.ts';

/** More records of cells (2.3.2). */
const LABEL_SHARED = 0x00fd;
const SHARED_FORMULA = 0x04bc;
const TABLE_FORMULA = 0x0221;
const PACKED_NUMBER = 0x027e;
const PACKED_NUMBERS = 0x00bd;
const MACRO_SHEET = 1;
const MACRO_SHEET_STREAM = 0x40;
/** Built-in names that run by themselves (2.5.66), by their number. */
const AUTO_NAMES: Readonly<Record<number, string>> = {
  1: 'auto_open',
  2: 'auto_close',
  10: 'auto_activate',
  11: 'auto_deactivate',
};

interface Reading {
  readonly sheets: { readonly offset: number; readonly sheet: Sheet }[];
  /** The formulas of defined names, read when all of them are known. */
  readonly names: { readonly name: string; readonly tokens: Uint8Array }[];
  /** The first sheet of each reference to other sheets. */
  readonly externs: number[];
  texts: readonly string[];
  current: Sheet | null;
  cells: number;
}

/** Returns the sheets, cells and names of the workbook, as far as they can be read. */
export function readWorkbookCells(stream: Buffer): MacroBook {
  const reading: Reading = { sheets: [], names: [], externs: [], texts: [], current: null, cells: 0 };
  const lookUp: TokenNames = {
    nameOf: (number) => reading.names[number - 1]?.name ?? '?',
    sheetOf: (number) => reading.sheets[reading.externs[number] ?? -1]?.sheet.name ?? null,
  };
  const shared: Buffer[] = [];
  for (const record of readRecords(stream, 0, () => undefined)) {
    if (record.id === 0 && record.data.length === 0) break;
    if (record.id === RECORD.strings || (record.id === RECORD.continued && shared.length > 0)) shared.push(record.data);
    else if (shared.length > 0) reading.texts = sharedTexts(shared.splice(0));
    try {
      readRecord(record, reading, lookUp);
    } catch (error) {
      // A record that is cut off holds nothing more.
      if (!(error instanceof OutOfBytes)) throw error;
    }
  }
  const names = new Map<string, Expression>();
  for (const { name, tokens } of reading.names) {
    const expression = readTokens(tokens, lookUp);
    if (expression !== null) names.set(name.toLowerCase(), expression);
  }
  return { sheets: reading.sheets.map(({ sheet }) => sheet), names };
}

function readRecord({ id, data, offset }: BiffRecord, reading: Reading, lookUp: TokenNames): void {
  const reader = new ByteReader(data);
  switch (id) {
    case RECORD.begin:
      reading.current = reading.sheets.find((sheet) => sheet.offset === offset)?.sheet ?? reading.current;
      // A sheet of macros says so itself, in spite of the list of sheets.
      if (data[2] === MACRO_SHEET_STREAM && reading.current !== null) reading.current.isMacro = true;
      return;
    case RECORD.sheet: {
      const at = reader.long();
      const [, kind] = [reader.byte(), reader.byte()];
      const sheet = { name: shortText(reader), isMacro: kind === MACRO_SHEET, cells: new Map<number, Cell>() };
      reading.sheets.push({ offset: at, sheet });
      return;
    }
    case RECORD.externSheet:
      for (let left = reader.word(); left > 0; left--) {
        reader.skip(2);
        reading.externs.push(reader.word());
        reader.skip(2);
      }
      return;
    case RECORD.name:
      reading.names.push(readName(reader));
      return;
    default:
      readCell(id, reader, reading, lookUp);
  }
}

/** Reads a defined name (Lbl, 2.4.150). */
function readName(reader: ByteReader): Reading['names'][number] {
  const isBuiltIn = (reader.word() & 0x20) !== 0;
  reader.skip(1);
  const [length, tokenBytes] = [reader.byte(), reader.word()];
  reader.skip(8);
  const isWide = (reader.byte() & 1) !== 0;
  const bytes = Buffer.from(reader.take(isWide ? length * 2 : length));
  const name = isBuiltIn ? (AUTO_NAMES[bytes[0] ?? 0] ?? '') : bytes.toString(isWide ? 'utf16le' : 'latin1');
  return { name, tokens: reader.take(tokenBytes) };
}

function readCell(id: number, reader: ByteReader, reading: Reading, lookUp: TokenNames): void {
  const { current } = reading;
  if (current === null || reading.cells >= MAX_CELLS) return;
  const put = (row: number, column: number, value: Value, formula: Expression | null = null) => {
    reading.cells++;
    current.cells.set(keyOf({ row, column }), { formula, value });
  };
  switch (id) {
    case RECORD.formula: {
      const [row, column] = [reader.word(), reader.word()];
      reader.skip(2);
      const result = Buffer.from(reader.take(8));
      reader.skip(6);
      const formula = readTokens(reader.take(reader.word()), lookUp);
      put(row, column, resultOf(result), formula);
      return;
    }
    case SHARED_FORMULA:
    case TABLE_FORMULA: {
      const [row, , column] = [reader.word(), reader.word(), reader.byte()];
      reader.skip(id === SHARED_FORMULA ? 3 : 7);
      put(row, column, null, readTokens(reader.take(reader.word()), lookUp));
      return;
    }
    case LABEL_SHARED:
      {
        const [row, column] = [reader.word(), reader.word()];
        reader.skip(2);
        put(row, column, reading.texts[reader.long()] ?? null);
      }
      return;
    case RECORD.number: {
      const [row, column] = [reader.word(), reader.word()];
      reader.skip(2);
      put(row, column, Buffer.from(reader.take(8)).readDoubleLE());
      return;
    }
    case PACKED_NUMBER: {
      const [row, column] = [reader.word(), reader.word()];
      reader.skip(2);
      put(row, column, packedNumber(reader.long()));
      return;
    }
    case PACKED_NUMBERS: {
      const [row, first] = [reader.word(), reader.word()];
      for (let column = first; reader.at + 8 <= reader.bytes.length; column++) {
        reader.skip(2);
        put(row, column, packedNumber(reader.long()));
      }
      return;
    }
    case RECORD.label: {
      const [row, column] = [reader.word(), reader.word()];
      reader.skip(2);
      const length = reader.word();
      const isWide = (reader.byte() & 1) !== 0;
      put(row, column, Buffer.from(reader.take(isWide ? length * 2 : length)).toString(isWide ? 'utf16le' : 'latin1'));
      return;
    }
    default:
  }
}

/** Returns the last value of a formula (FormulaValue, 2.5.133): a number, or something else where the last two bytes are set. */
function resultOf(bytes: Buffer): Value {
  if (bytes.readUInt16LE(6) !== 0xffff) return bytes.readDoubleLE();
  return bytes[0] === 1 ? bytes[2] !== 0 : null;
}

/** Reads a number in four bytes (RkNumber, 2.5.217): whole or the upper half of eight bytes, and divided by 100 or not. */
function packedNumber(bits: number): number {
  const upper = Buffer.alloc(8);
  upper.writeUInt32LE((bits & ~3) >>> 0, 4);
  const number = (bits & 2) !== 0 ? (bits | 0) >> 2 : upper.readDoubleLE();
  return (bits & 1) !== 0 ? number / 100 : number;
}
