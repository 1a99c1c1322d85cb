/** Counts a workbook of Excel 5 or 95 (BIFF5): its worksheets, each text and number of their cells. */
import { decodeCharset } from '../decode-charset.ts';
import type { Units } from '../fact.ts';
import { tallyText, type WordTally } from '../word-tally.ts';
import { BEGIN } from './legacy-workbook.ts';

const END = 0x000a;
const SHEET = 0x0085;
const PASSWORD = 0x002f;
const CODE_PAGE = 0x0042;
const WORKSHEET = 0x10;
/** Names of code pages that are not of Windows. */
const CHARSETS: ReadonlyMap<number, string> = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [0x8000, 'macintosh'],
]);
/** Records with a text, by the offset of its length: labels, rich labels, results of formulas. */
const TEXTS: ReadonlyMap<number, number> = new Map([
  [0x0204, 6],
  [0x00d6, 6],
  [0x0207, 0],
]);
const NUMBER = 0x0203;

interface Reading {
  readonly tally: WordTally;
  readonly shown: Set<string>;
  /** Kinds of the substreams that are open. */
  readonly open: number[];
  sheets: number;
  page: number;
}

/** Counts each text once, as in the list of texts of the result. Returns null when the workbook is encrypted. */
export function countOldWorkbook(stream: Uint8Array, tally: WordTally): { readonly units: Units } | null {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const reading: Reading = { tally, shown: new Set(), open: [], sheets: 0, page: 1252 };
  for (let at = 0; at + 4 <= stream.length; ) {
    const kind = view.getUint16(at, true);
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > stream.length) break;
    if (kind === PASSWORD) return null;
    takeRecord(kind, Buffer.from(stream.buffer, stream.byteOffset + at + 4, end - at - 4), reading);
    at = end;
  }
  for (const text of reading.shown) tallyText(tally, `${decoded(text, reading.page)} `);
  return { units: { kind: 'sheets', count: reading.sheets } };
}

function takeRecord(kind: number, data: Buffer, reading: Reading): void {
  if (kind === CODE_PAGE && data.length >= 2) reading.page = data.readUInt16LE(0);
  if (kind === BEGIN) reading.open.push(data.length >= 4 ? data.readUInt16LE(2) : 0);
  if (kind === END) reading.open.pop();
  if (kind === SHEET && data[5] === 0) reading.sheets += 1;
  if (reading.open.at(-1) !== WORKSHEET) return;
  const lengthAt = TEXTS.get(kind);
  if (lengthAt !== undefined && data.length >= lengthAt + 2) {
    const from = lengthAt + 2;
    reading.shown.add(data.toString('latin1', from, from + data.readUInt16LE(lengthAt)));
  }
  if (kind === NUMBER && data.length >= 14) tallyText(reading.tally, `${data.readDoubleLE(6)} `);
}

function decoded(text: string, page: number): string {
  const windows = page === 874 || (page >= 1250 && page <= 1258) ? `windows-${page}` : 'windows-1252';
  return decodeCharset(Buffer.from(text, 'latin1'), CHARSETS.get(page) ?? windows);
}
