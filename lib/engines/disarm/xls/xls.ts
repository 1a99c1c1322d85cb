/**
 * Excel 97 to 2003 workbooks ([MS-XLS]). The records on the allow-list are written anew, sheet by sheet. A macro sheet becomes an empty
 * worksheet. Data outside the listed sheets does not reach the output.
 */

import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { type BiffRecord, RECORD } from '../../../formats/office/biff-records.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { readCompoundFile } from '../compound/read.ts';
import { finishCompound, keepSummary, noteDroppedStreams, streamOf } from '../compound/streams.ts';
import type { Disarmed } from '../disarm-module.ts';
import { withPassword } from '../encrypted/legacy.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { readBooks } from './books.ts';
import { disarmOldWorkbook, isOldWorkbook } from './old-workbook.ts';
import { readSubstream, recordOf } from './records.ts';
import { rewriteRecords, type SheetContext, type WrittenRecord } from './sheet.ts';

const CLSID = '2008020000000000c000000000000046';
const BIFF8 = 0x0600;
const WORKSHEET = 0x0010;
const CHART = 0x0020;
const MACRO_SHEET = 0x0040;
const VB_MODULE = 0x0006;
const PIVOT_CACHE = /^_sx_db_cur\/[0-9a-f]{4}$/;

/** Throws EngineError `encrypted`, `unsupported` (Excel 4 and before), `unreadable`, `oversize`. */
export const disarm = withPassword(disarmOpen);

async function disarmOpen(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const streams = readCompoundFile(input.bytes, limits);
  const log = removalLog();
  if (!streams.has('workbook') && streams.has('book')) {
    const book = streamOf(streams, 'book');
    if (!isOldWorkbook(book)) throw tooOld();
    noteDroppedStreams(streams, new Set(['book']), log);
    return disarmOldWorkbook(book, limits, input.keepMetadata === true, log);
  }
  const workbook = rewriteWorkbook(streamOf(streams, 'workbook'), log, input.keepMetadata === true);
  const output = new Map<string, Uint8Array>([['Workbook', workbook]]);
  const kept = new Set(['workbook']);
  for (const [key, entry] of streams) {
    if (!PIVOT_CACHE.test(key)) continue;
    kept.add(key);
    output.set(`_SX_DB_CUR/${entry.path.slice(-4)}`, filterPivotCache(entry.read(), log));
  }
  keepSummary(input, streams, output, kept);
  noteDroppedStreams(streams, kept, log);
  return finishCompound(input, describeType('application/vnd.ms-excel'), log, { clsid: CLSID, streams: output });
}

const tooOld = () =>
  new EngineError('unsupported', 'workbooks of Excel 4 and before cannot be disarmed: save it as a newer format');

interface Sheet {
  readonly record: BiffRecord;
  readonly records: readonly BiffRecord[];
  readonly isMacro: boolean;
  readonly name: string;
}

function rewriteWorkbook(stream: Buffer, log: RemovalLog, keepMetadata: boolean): Buffer {
  const globals = readSubstream(stream, 0);
  const version = globals.records[0]?.data;
  if (version === undefined || version.length < 4 || version.readUInt16LE(0) !== BIFF8) throw tooOld();
  const sheets = readSheets(stream, globals.records, globals.end);
  const books = readBooks(globals.records);
  const context = (where: string): SheetContext => ({
    books,
    keepMetadata,
    note: (kind, action) => log.note(kind, where, action),
  });
  const head = rewriteRecords(globals.records, context('workbook'));
  const bodies = sheets.map((sheet) => {
    if (sheet.isMacro) log.note('macro sheet', sheet.name);
    return sheet.isMacro ? emptySheet() : rewriteRecords(sheet.records, context(sheet.name)).map(({ bytes }) => bytes);
  });
  fixSheetList(head, sheets, bodies, log);
  fixStringIndex(head);
  return Buffer.concat([...head.map(({ bytes }) => bytes), ...bodies.flat()]);
}

/** Returns the sheets of the list, each with its own records. Throws EngineError when two share bytes, or one has no known kind. */
function readSheets(stream: Buffer, globals: readonly BiffRecord[], globalsEnd: number): Sheet[] {
  const entries = globals.filter(({ id }) => id === RECORD.sheet);
  const sheets: Sheet[] = [];
  const spans: { from: number; end: number }[] = [{ from: 0, end: globalsEnd }];
  const starts = new Set<number>();
  for (const record of entries) {
    if (record.data.length < 8) throw new EngineError('unreadable', 'the list of sheets is damaged');
    const from = record.data.readUInt32LE(0);
    // A list that names one long sheet many times would make us read it each time.
    if (starts.has(from)) throw new EngineError('unreadable', 'two sheets of the workbook share bytes');
    starts.add(from);
    const { records, end } = readSubstream(stream, from);
    spans.push({ from, end });
    const kind =
      records[0]?.data.length === undefined || records[0].data.length < 4 ? 0 : records[0].data.readUInt16LE(2);
    const listed = record.data[5] ?? 0;
    const isMacro = kind === MACRO_SHEET || kind === VB_MODULE || (listed !== 0 && listed !== 2);
    if (!isMacro && kind !== WORKSHEET && kind !== CHART)
      throw new EngineError('unreadable', 'a sheet is of no known kind');
    sheets.push({ record, records, isMacro, name: nameOf(record.data) });
  }
  refuseOverlaps(spans);
  if (sheets.length === 0) throw new EngineError('unreadable', 'the workbook has no sheet');
  return sheets;
}

function refuseOverlaps(spans: { from: number; end: number }[]): void {
  spans.sort((one, other) => one.from - other.from);
  for (const [index, span] of spans.entries()) {
    if (span.from < (spans[index - 1]?.end ?? 0)) {
      throw new EngineError('unreadable', 'two sheets of the workbook share bytes');
    }
  }
}

function nameOf(data: Buffer): string {
  const isWide = ((data[7] ?? 0) & 1) === 1;
  return data.toString(isWide ? 'utf16le' : 'latin1', 8, 8 + (data[6] ?? 0) * (isWide ? 2 : 1));
}

/** Returns a worksheet without a cell: its begin, used range, window and end. */
function emptySheet(): Buffer[] {
  const begin = Buffer.alloc(16);
  begin.writeUInt16LE(BIFF8, 0);
  begin.writeUInt16LE(WORKSHEET, 2);
  return [
    recordOf(RECORD.begin, begin),
    recordOf(0x0200, Buffer.alloc(14)),
    recordOf(0x023e, Buffer.from('b60600000000400000000000000000000000', 'hex')),
    recordOf(RECORD.eof, Buffer.alloc(0)),
  ];
}

/** Writes the new places, kinds and states of the sheets, and the new places of the strings. */
function fixSheetList(
  head: WrittenRecord[],
  sheets: readonly Sheet[],
  bodies: readonly Buffer[][],
  log: RemovalLog,
): void {
  const headLength = head.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const lengths = bodies.map((body) => body.reduce((sum, { length }) => sum + length, 0));
  const hidden = (entry: Buffer): boolean => ((entry[8] ?? 0) & 0x03) !== 0;
  let at = headLength;
  const entries = head.filter(({ id }) => id === RECORD.sheet).map(({ bytes }) => bytes);
  for (const [index, entry] of entries.entries()) {
    entry.writeUInt32LE(at, 4);
    if (sheets[index]?.isMacro === true) entry[9] = 0;
    if (((entry[8] ?? 0) & 0x03) >= 2) {
      entry[8] = ((entry[8] ?? 0) & 0xfc) | 1;
      log.note('very hidden sheet', sheets[index]?.name ?? '', 'sanitized');
    }
    at += lengths[index] ?? 0;
  }
  // Excel does not open a workbook whose sheets are all hidden.
  const [first] = entries;
  if (first !== undefined && entries.every(hidden)) first[8] = (first[8] ?? 0) & 0xfc;
}

/** Writes new offsets into the index of strings ([MS-XLS] 2.4.107). All strings have moved by the same number of bytes. */
function fixStringIndex(head: readonly WrittenRecord[]): void {
  let at = 0;
  let moved = 0;
  for (const { id, bytes, offset } of head) {
    if (id === RECORD.strings) moved = at - offset;
    if (id === RECORD.stringIndex) {
      for (let entry = 6; entry + 8 <= bytes.length; entry += 8) {
        bytes.writeUInt32LE((bytes.readUInt32LE(entry) + moved) >>> 0, entry);
      }
    }
    at += bytes.length;
  }
}

/** Filters the cached values of a pivot table ([MS-XLS] 2.1.7.19), which are records like those of the workbook. */
function filterPivotCache(stream: Buffer, log: RemovalLog): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at + 4 <= stream.length; ) {
    const id = stream.readUInt16LE(at);
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (end > stream.length) throw new EngineError('unreadable', 'the cache of a pivot table is damaged');
    if (PIVOT_RECORDS.has(id)) out.push(stream.subarray(at, end));
    else log.note('pivot data', 'pivot cache');
    at = end;
    if (id === RECORD.eof) break;
  }
  return Buffer.concat(out);
}

const PIVOT_RECORDS = new Set<number>([
  0x000a, 0x003c, 0x00c6, 0x00c7, 0x00c8, 0x00c9, 0x00ca, 0x00cb, 0x00cc, 0x00cd, 0x00ce, 0x00cf, 0x00d8, 0x00d9,
  0x0122, 0x01bb, 0x0864,
]);
