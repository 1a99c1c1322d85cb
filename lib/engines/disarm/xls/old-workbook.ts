/**
 * Workbooks of Excel 5 and 95 (BIFF5). The visible content of their sheets is written as xlsx, which is then disarmed: values, the last
 * values of formulas, number formats, fonts, widths and heights. Formulas, names, macros, charts and objects are left out.
 */
import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { type BiffRecord, RECORD } from '../../../formats/office/biff-records.ts';
import { EngineError, type EngineLimits } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { disarmContainer } from '../office/office.ts';
import { partsContainer } from '../office-xml/parts-container.ts';
import type { RemovalLog } from '../removals.ts';
import { type Book, CellCount, type Font, type Format, type Sheet, type Styles } from '../workbook/book.ts';
import { bookParts } from '../workbook/write-book.ts';
import { OldSheet } from './old-sheet.ts';
import { readSubstream } from './records.ts';

const BIFF5 = 0x0500;
const WORKSHEET = 0x0010;
/** Records of the globals that are read here alone. */
const GLOBAL = { dateMode: 0x0022, font: 0x0031, codePage: 0x0042, format: 0x00e0, numberFormat: 0x041e };
/** Charsets by number; every other code page is one of Windows. */
const CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [437, 'ibm437'],
  [850, 'ibm850'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [0x8000, 'macintosh'],
  [0x8001, 'windows-1252'],
]);
/** Records of a sheet that are left out, and their names in the report: comments, and text boxes, pictures, charts and buttons. */
const LOST: readonly (readonly [number, string])[] = [
  [0x001c, 'comment'],
  [0x005d, 'drawing'],
];
const STATES = ['visible', 'hidden', 'veryHidden'] as const;
/** This format has no font 4. */
const MISSING_FONT = 4;
const HORIZONTAL = [null, 'left', 'center', 'right', 'fill', 'justify', 'centerContinuous', null];
const VERTICAL = ['top', 'center', 'bottom', 'justify'];

/** Returns whether a stream begins like a workbook of this format. */
export const isOldWorkbook = (stream: Buffer): boolean =>
  stream.length > 8 && stream.readUInt16LE(0) === RECORD.begin && stream.readUInt16LE(4) === BIFF5;

/** Throws EngineError `unreadable`, `encrypted`, `oversize`. */
export async function disarmOldWorkbook(
  stream: Buffer,
  limits: EngineLimits,
  keepMetadata: boolean,
  log: RemovalLog,
): Promise<Disarmed> {
  log.note('workbook of an old version', 'workbook', 'sanitized');
  const book = readBook(stream, log);
  return disarmContainer(partsContainer(bookParts(book, limits)), limits, keepMetadata, log.removals);
}

function readBook(stream: Buffer, log: RemovalLog): Book {
  const { records } = readSubstream(stream, 0);
  const decode = decoderOf(records);
  const starts = new Set<number>();
  const count = new CellCount();
  const sheets = records
    .filter(({ id }) => id === RECORD.sheet)
    .flatMap(({ data }) => {
      if (data.length < 7) throw new EngineError('unreadable', 'the list of sheets is damaged');
      const from = data.readUInt32LE(0);
      if (starts.has(from)) throw new EngineError('unreadable', 'two sheets of the workbook share bytes');
      starts.add(from);
      const name = decode(data.subarray(7, 7 + (data[6] ?? 0)));
      const content = readSubstream(stream, from).records;
      const kind = (content[0]?.data.length ?? 0) >= 4 ? content[0]?.data.readUInt16LE(2) : 0;
      if (kind === WORKSHEET && data[5] === 0) return [sheetOf(name, data[4] ?? 0, content, { decode, count, log })];
      log.note(kind === 0x0020 ? 'chart' : 'macro sheet', name);
      return [];
    });
  const is1904 = records.some(({ id, data }) => id === GLOBAL.dateMode && data[0] === 1);
  return { sheets, styles: stylesOf(records, decode), is1904 };
}

type Decode = (bytes: Uint8Array) => string;

function decoderOf(records: readonly BiffRecord[]): Decode {
  const page = records.find(({ id, data }) => id === GLOBAL.codePage && data.length >= 2)?.data.readUInt16LE(0) ?? 1252;
  const charset = CODE_PAGES.get(page) ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252');
  return (bytes) => decodeCharset(bytes, charset);
}

interface Reading {
  readonly decode: Decode;
  readonly count: CellCount;
  readonly log: RemovalLog;
}

function sheetOf(name: string, state: number, records: readonly BiffRecord[], { decode, count, log }: Reading): Sheet {
  const content = new OldSheet(decode, count);
  for (const record of records) content.take(record);
  if (content.hasFormulas) log.note('formula', name);
  for (const [id, kind] of LOST) if (records.some((record) => record.id === id)) log.note(kind, name);
  const { columns, rows } = content.finish();
  return {
    name,
    state: STATES[state & 3] ?? 'hidden',
    columns,
    rows,
    merges: [],
    links: [],
    comments: [],
    frozen: null,
  };
}

function stylesOf(records: readonly BiffRecord[], decode: Decode): Styles {
  const data = (id: number, bytes: number) =>
    records.filter((each) => each.id === id && each.data.length >= bytes).map((each) => each.data);
  const numberFormats = new Map(
    data(GLOBAL.numberFormat, 3).map((each) => [each.readUInt16LE(0), decode(each.subarray(3, 3 + (each[2] ?? 0)))]),
  );
  return {
    numberFormats,
    fonts: data(GLOBAL.font, 15).map((each) => fontOf(each, decode)),
    fills: [],
    borders: [],
    formats: data(GLOBAL.format, 8).map(formatOf),
  };
}

function fontOf(data: Buffer, decode: Decode): Font {
  const flags = data.readUInt16LE(2);
  const position = data.readUInt16LE(8);
  const underline = (data[10] ?? 0) & 0x0f;
  return {
    name: decode(data.subarray(15, 15 + (data[14] ?? 0))),
    size: data.readUInt16LE(0) / 20,
    isBold: data.readUInt16LE(6) >= 600,
    isItalic: (flags & 0x02) !== 0,
    isStruck: (flags & 0x08) !== 0,
    underline: underline === 0 ? null : underline === 2 ? 'double' : 'single',
    position: position === 1 ? 'superscript' : position === 2 ? 'subscript' : null,
    color: null,
  };
}

function formatOf(data: Buffer): Format {
  const font = data.readUInt16LE(0);
  const alignment = data[6] ?? 0;
  return {
    font: font > MISSING_FONT ? font - 1 : font,
    numberFormat: data.readUInt16LE(2),
    fill: -1,
    border: 0,
    horizontal: HORIZONTAL[alignment & 0x07] ?? null,
    vertical: VERTICAL[(alignment >> 4) & 0x03] ?? null,
    isWrapped: (alignment & 0x08) !== 0,
    indent: 0,
    rotation: 0,
  };
}
