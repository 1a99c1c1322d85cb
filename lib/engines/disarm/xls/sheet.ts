/** One substream of a workbook (the globals, a sheet, a chart), record by record. */
import { type BiffRecord, RECORD } from '../../../formats/office/biff-records.ts';
import type { Note } from '../compound/drawing.ts';
import { isSafeHyperlink } from '../compound/hyperlink.ts';
import type { Books } from './books.ts';
import { type Anchors, cachedCell, isSafeCell, judgeAnchors } from './cells.ts';
import { rewriteName } from './defined-names.ts';
import { filterDrawings } from './drawings.ts';
import { rewriteCondition, rewriteObject, rewriteSeries, rewriteValidation } from './objects.ts';
import { droppedKind, isPlainRecord, recordOf } from './records.ts';

const SHEET_SETTINGS = 0x0081;
const HEADER_BYTES = 4;
const IS_DIALOG = 0x0010;
const CHART = 0x0020;
const THEME = 0x0896;
/** Records that continue the data of the one before them. */
const CONTINUATIONS = new Set<number>([RECORD.continued, 0x0812, 0x087f, 0x0875]);
/** The range of cells with which a hyperlink record begins. */
const RANGE_BYTES = 8;

export interface SheetContext {
  readonly books: Books;
  readonly note: Note;
  readonly keepMetadata: boolean;
}

interface Walk extends SheetContext {
  readonly anchors: Anchors;
  readonly drawings: ReadonlyMap<BiffRecord, Buffer>;
  names: number;
  /** Whether the last formula was kept. The following text result and shared formula are kept or removed with it. */
  isFormulaKept: boolean;
}

export interface WrittenRecord {
  readonly id: number;
  readonly bytes: Buffer;
  /** The offset of the record in the input. */
  readonly offset: number;
}

/** Returns the records that stay, rewritten if needed. Throws EngineError `unreadable` for damaged drawings. */
export function rewriteRecords(found: readonly BiffRecord[], context: SheetContext): WrittenRecord[] {
  const records = withoutInnerSheets(found, context.note);
  const walk: Walk = {
    ...context,
    anchors: judgeAnchors(records, context.books.scope),
    drawings: filterDrawings(records, context.note),
    names: 0,
    isFormulaKept: true,
  };
  const written: WrittenRecord[] = [];
  let isOwnerKept = true;
  for (const [index, record] of records.entries()) {
    const isContinuation = CONTINUATIONS.has(record.id);
    if (isContinuation && !isOwnerKept && !walk.drawings.has(record)) continue;
    const bytes = rewrite(record, textBehind(records, index), walk);
    // A continuation only fits a record that was kept unchanged.
    if (!isContinuation) isOwnerKept = bytes?.subarray(HEADER_BYTES).equals(record.data) === true;
    if (bytes !== null) written.push({ id: record.id, bytes, offset: record.offset });
  }
  return written;
}

/** Removes substreams inside of a sheet, except charts. Any other substream is a sheet that no list of sheets shows. */
function withoutInnerSheets(records: readonly BiffRecord[], note: Note): BiffRecord[] {
  let depth = 0;
  return records.filter((record, index) => {
    const isBegin = record.id === RECORD.begin;
    if (isBegin && index > 0 && (depth > 0 || !isChart(record))) {
      if (depth === 0) note('macro sheet');
      depth += 1;
    }
    const isLeftOut = depth > 0;
    if (isLeftOut && record.id === RECORD.eof) depth -= 1;
    return !isLeftOut;
  });
}

const isChart = ({ data }: BiffRecord): boolean => data.length >= 4 && data.readUInt16LE(2) === CHART;

/** Finds the text result of a formula. It follows the formula, with at most a shared or array formula in between. */
function textBehind(records: readonly BiffRecord[], index: number): Buffer | null {
  if (records[index]?.id !== RECORD.formula) return null;
  for (const { id, data } of records.slice(index + 1, index + 4)) {
    if (id === RECORD.text) return data;
    if (id === RECORD.formula) return null;
  }
  return null;
}

/** Returns the record in its written form; null when it is removed. */
function rewrite(record: BiffRecord, text: Buffer | null, walk: Walk): Buffer | null {
  const { id, data } = record;
  const { note, books } = walk;
  const drawing = walk.drawings.get(record);
  if (drawing !== undefined) return recordOf(id, drawing);
  switch (id) {
    case RECORD.formula:
      return rewriteFormula(data, text, walk);
    case RECORD.shared:
    case RECORD.array:
      return rewriteAnchor(record, walk);
    case RECORD.text:
      return walk.isFormulaKept ? recordOf(id, data) : null;
    case RECORD.name:
      return rewriteName(data, walk.names++, books.scope, note);
    case RECORD.book:
    case RECORD.externName:
      return books.rewrite(record, note);
    case RECORD.object:
      return rewriteObject(data, note);
    case RECORD.conditionalFormat:
      return rewriteCondition(data, books.scope, note);
    case RECORD.conditionalFormatExtension:
      // An extension of a rule of the newer format is useless without it. Such rules are removed, because their formulas cannot be read.
      return data.length >= 16 && data.readUInt32LE(12) === 0 ? recordOf(id, data) : rewritePlain(record, note);
    case RECORD.validation:
      return rewriteValidation(data, books.scope, note) ?? noted('damaged record', note);
    case RECORD.series:
      return rewriteSeries(data, books.scope, note);
    case RECORD.hyperlink:
      return isSafeHyperlink(data.subarray(RANGE_BYTES)) ? recordOf(id, data) : noted('unsafe hyperlink', note);
    case RECORD.writeAccess:
      return writeAccess(data, walk);
    case SHEET_SETTINGS:
      return sheetSettings(data, note);
    default:
      return rewritePlain(record, note);
  }
}

const noted = (kind: string, note: Note): null => {
  note(kind);
  return null;
};

function rewriteFormula(data: Buffer, text: Buffer | null, walk: Walk): Buffer {
  const isSafe = isSafeCell(data, walk.anchors, walk.books.scope);
  walk.isFormulaKept = isSafe;
  if (isSafe) return recordOf(RECORD.formula, data);
  walk.note('live formula');
  return cachedCell(data, text);
}

/** A shared formula stays when the formula of the cell before it stayed. */
function rewriteAnchor({ id, data }: BiffRecord, walk: Walk): Buffer | null {
  return walk.isFormulaKept ? recordOf(id, data) : null;
}

/** Blanks the name of the last user, which is in a field of fixed length, unless metadata is kept. */
function writeAccess(data: Buffer, { keepMetadata, note }: Walk): Buffer {
  const blank = Buffer.alloc(112, 0x20);
  blank.fill(0, 0, 3);
  if (keepMetadata || data.equals(blank)) return recordOf(RECORD.writeAccess, data);
  note('author', 'sanitized');
  return recordOf(RECORD.writeAccess, blank);
}

/** Removes the mark of a dialog sheet, which is a form for macros. A sheet without the mark is shown with its texts. */
function sheetSettings(data: Buffer, note: Note): Buffer {
  const out = Buffer.from(data);
  if (out.length >= 2 && out.readUInt16LE(0) & IS_DIALOG) {
    out.writeUInt16LE(out.readUInt16LE(0) & ~IS_DIALOG, 0);
    note('macro sheet', 'sanitized');
  }
  return recordOf(SHEET_SETTINGS, out);
}

function rewritePlain({ id, data }: BiffRecord, note: Note): Buffer | null {
  const isKept =
    isPlainRecord(id) ||
    id === RECORD.begin ||
    id === RECORD.eof ||
    id === RECORD.continued ||
    id === RECORD.externSheet ||
    id === RECORD.strings ||
    id === RECORD.stringIndex ||
    id === RECORD.sheet ||
    id === RECORD.number ||
    id === RECORD.label ||
    id === RECORD.truth ||
    id === RECORD.textObject ||
    id === RECORD.hyperlinkTooltip ||
    // A short record has the number of a built-in theme. A custom theme is a package of files.
    (id === THEME && data.length <= 16);
  if (isKept) return recordOf(id, data);
  const kind = droppedKind(id);
  return kind === '' ? null : noted(kind, note);
}
