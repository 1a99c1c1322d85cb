/**
 * The targets that the formulas of a workbook can refer to: sheets and names of this workbook, functions of add-ins, other workbooks, DDE
 * and OLE links ([MS-XLS] 2.4.271, 2.4.105, 2.4.106). Everything keeps its number, because formulas refer to it by number.
 */

import { type BiffRecord, RECORD } from '../../../formats/office/biff-records.ts';
import { isSafeFormula as isSafeFormulaText } from '../office/formulas.ts';
import type { FormulaScope } from './formulas.ts';
import { recordOf } from './records.ts';

const THIS_WORKBOOK = 0x0401;
const ADD_IN = 0x3a01;

interface Book {
  readonly kind: 'internal' | 'add-in' | 'external';
  /** Whether each name of an add-in only calculates. */
  readonly safeNames: boolean[];
}

export interface Books {
  readonly scope: FormulaScope;
  /** Returns the record of this group in its written form; null when it is removed. */
  rewrite(record: BiffRecord, note: (kind: string) => void): Buffer | null;
}

/** Reads the books of the globals. */
export function readBooks(globals: readonly BiffRecord[]): Books {
  const books: Book[] = [];
  const sheets: number[] = [];
  const owner = new Map<BiffRecord, Book>();
  for (const record of globals) {
    const { id, data } = record;
    if (id === RECORD.book) books.push({ kind: bookKind(data), safeNames: [] });
    const book = books.at(-1);
    if (id === RECORD.externName && book !== undefined) {
      owner.set(record, book);
      book.safeNames.push(book.kind === 'add-in' && isSafeAddInName(data));
    }
    if (id === RECORD.externSheet) sheets.push(...booksOfSheets(data));
  }
  const bookOf = (sheet: number): Book | undefined => books[sheets[sheet] ?? -1];
  return {
    scope: {
      isInternalSheet: (sheet) => bookOf(sheet)?.kind === 'internal',
      isSafeExternalName: (sheet, name) => {
        const book = bookOf(sheet);
        // Names of this workbook can be reached in this way, too.
        return book?.kind === 'internal' || book?.safeNames[name - 1] === true;
      },
    },
    rewrite: (record, note) => rewrite(record, owner.get(record), note),
  };
}

function bookKind(data: Buffer): Book['kind'] {
  if (data.length !== 4) return 'external';
  const mark = data.readUInt16LE(2);
  return mark === THIS_WORKBOOK ? 'internal' : mark === ADD_IN ? 'add-in' : 'external';
}

function booksOfSheets(data: Buffer): number[] {
  const count = Math.min(data.length >= 2 ? data.readUInt16LE(0) : 0, Math.floor((data.length - 2) / 6));
  return Array.from({ length: Math.max(0, count) }, (_, index) => data.readUInt16LE(2 + index * 6));
}

/** Returns whether a function of an add-in only calculates ([MS-XLS] 2.5.2: two bytes of flags, four reserved, the name). */
function isSafeAddInName(data: Buffer): boolean {
  if (data.length < 8 || data.readUInt16LE(0) !== 0) return false;
  const length = data[6] ?? 0;
  const isWide = ((data[7] ?? 0) & 1) === 1;
  const name = data.toString(isWide ? 'utf16le' : 'latin1', 8, 8 + length * (isWide ? 2 : 1));
  return /^[A-Za-z_][\w.]{0,60}$/.test(name) && isSafeFormulaText(`${name}()`);
}

/** A book that leads nowhere: it has no sheets, and its address is one space ([MS-XLS] 2.5.277). */
const NO_BOOK = Buffer.from([0, 0, 1, 0, 0, 0x20]);
/** A name that means nothing: no flags, no sheet, one letter, the formula `#REF!`. */
const NO_NAME = Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 0x5f, 2, 0, 0x1c, 0x17]);

function rewrite(record: BiffRecord, book: Book | undefined, note: (kind: string) => void): Buffer {
  const { id, data } = record;
  if (id === RECORD.book && bookKind(data) === 'external' && !data.equals(NO_BOOK)) {
    note('external workbook link');
    return recordOf(id, NO_BOOK);
  }
  if (id === RECORD.externName && !(book?.kind === 'add-in' && isSafeAddInName(data)) && !data.equals(NO_NAME)) {
    note((data[0] ?? 0) & 0x18 || data.length < 8 ? 'DDE link' : 'external workbook link');
    return recordOf(id, NO_NAME);
  }
  return recordOf(id, data);
}
