/** Inspects the main stream of an Excel 97-2003 workbook ([MS-XLS] 2.1.7), record by record. */
import type { Findings, Units } from '../fact.ts';
import { isLiveLink } from '../live-values.ts';
import { tallyBytes, type WordTally } from '../word-tally.ts';
import { formulaFault } from './legacy-formula.ts';
import { picturesOfStore } from './legacy-pictures.ts';

/** Records that must not be in a workbook ([MS-XLS] 2.3), by number. */
const DENIED: ReadonlyMap<number, string> = new Map([
  [0x00d3, 'xls-macro'],
  [0x01bd, 'xls-macro'],
  [0x01ad, 'xls-query'],
  [0x0803, 'xls-query'],
  [0x0876, 'xls-connection'],
  [0x0050, 'xls-connection'],
  [0x0051, 'xls-connection'],
  [0x0801, 'xls-web-publishing'],
  [0x0060, 'xls-template'],
  [0x004d, 'xls-printer'],
]);
const ENCRYPTION = 0x002f;
const SHARED_STRINGS = 0x00fc;
const CONTINUE = 0x003c;
const LABEL = 0x0204;
const SHEET = 0x0085;
/** The record with which a substream begins. */
export const BEGIN = 0x0809;
/** Kinds of a substream: macro sheet, module ([MS-XLS] 2.4.21). */
const MACRO_KINDS = new Set([0x0040, 0x0006]);
const BOOK = 0x01ae;
const EXTERNAL_NAME = 0x0023;
const NAME = 0x0018;
const HYPERLINK = 0x01b8;
const OBJECT = 0x005d;
/** The store of the drawings of all sheets, in as many records as it needs. */
const DRAWING_GROUP = 0x00eb;
/** Pictures outside of any store: a picture behind the cells, in a header, or of Excel 95. */
const OTHER_PICTURES = new Set([0x00e9, 0x0866, 0x007f]);
/** The offset of the length of a formula in the records that hold one. Its tokens follow. Shared, array, cell. */
const FORMULAS: ReadonlyMap<number, number> = new Map([
  [0x0006, 20],
  [0x04bc, 8],
  [0x0221, 12],
]);

interface Reading {
  readonly tally: WordTally;
  readonly findings: Findings | null;
  sheets: number;
  isText: boolean;
  isStore: boolean;
  readonly store: Uint8Array[];
  otherPictures: number;
}

/** Counts words, sheets and pictures. With findings it also searches the stream. Returns null when the workbook is encrypted. */
export function readWorkbook(
  workbook: Uint8Array,
  tally: WordTally,
  findings: Findings | null,
): { readonly units: Units; readonly pictures: number } | null {
  const view = new DataView(workbook.buffer, workbook.byteOffset, workbook.byteLength);
  const reading: Reading = {
    tally,
    findings,
    sheets: 0,
    isText: false,
    isStore: false,
    store: [],
    otherPictures: 0,
  };
  for (let at = 0; at + 4 <= workbook.length; ) {
    const kind = view.getUint16(at, true);
    const end = at + 4 + view.getUint16(at + 2, true);
    if (end > workbook.length) break;
    if (kind === ENCRYPTION) {
      findings?.add('xls-encrypted', `record at ${at}`);
      return null;
    }
    count(reading, kind, workbook, at + 4, end);
    if (findings !== null) {
      const id = DENIED.get(kind) ?? faultOf(kind, workbook.subarray(at + 4, end));
      if (id !== null) findings.add(id, `record at ${at}`);
    }
    at = end;
  }
  const pictures = picturesOfStore(Buffer.concat(reading.store), null) + reading.otherPictures;
  return { units: { kind: 'sheets', count: reading.sheets }, pictures };
}

function count(reading: Reading, kind: number, workbook: Uint8Array, from: number, to: number): void {
  reading.isText = kind === SHARED_STRINGS || kind === LABEL || (kind === CONTINUE && reading.isText);
  if (reading.isText) tallyBytes(reading.tally, workbook, from, to);
  reading.isStore = kind === DRAWING_GROUP || (kind === CONTINUE && reading.isStore);
  if (reading.isStore) reading.store.push(workbook.subarray(from, to));
  if (OTHER_PICTURES.has(kind)) reading.otherPictures += 1;
  // No reader sees macro sheets. They count as sheets only where they became plain sheets.
  if (kind === SHEET) reading.sheets += 1;
}

function faultOf(kind: number, data: Uint8Array): string | null {
  const at = FORMULAS.get(kind);
  if (at !== undefined) return formulaFault(data, at);
  switch (kind) {
    case SHEET:
      return data.length > 5 && [1, 6].includes(data[5] as number) ? 'xls-macro-sheet' : null;
    case BEGIN:
      return data.length > 3 && MACRO_KINDS.has((data[2] ?? 0) | ((data[3] ?? 0) << 8)) ? 'xls-macro-sheet' : null;
    case BOOK:
      return hasAddress(data) ? 'xls-external-book' : null;
    case EXTERNAL_NAME:
      // Flags of DDE items and of linked objects ([MS-XLS] 2.4.105).
      if (((data[0] ?? 0) & 0x1e) !== 0) return 'xls-dde';
      return LIVE_NAME.test(Buffer.from(data.subarray(8)).toString('latin1').replaceAll('\0', ''))
        ? 'xls-formula'
        : null;
    case NAME:
      return nameFault(data);
    case HYPERLINK:
      return linkFault(Buffer.from(data.subarray(8)));
    case OBJECT:
      return objectFault(data);
    default:
      return null;
  }
}

/**
 * Returns whether a book is foreign. A book of four bytes is this workbook or the add-ins; any other names a file or a program ([MS-XLS]
 * 2.4.271).
 */
function hasAddress(data: Uint8Array): boolean {
  if (data.length <= 4) return false;
  return data.subarray(5, 5 + (data[2] ?? 0) * 2).some((byte) => byte > 0x20) || (data[3] ?? 0) > 0;
}

/**
 * Returns the fault of a name that runs on opening, closing or switching, by its built-in number or its text, or is a macro's ([MS-XLS]
 * 2.4.150).
 */
function nameFault(data: Uint8Array): string | null {
  if (data.length < 16) return null;
  const flags = data[0] ?? 0;
  if ((flags & 0x0e) !== 0) return 'xls-name-macro';
  const isWide = (data[14] ?? 0) & 1;
  const end = 15 + (data[3] ?? 0) * (isWide + 1);
  const text = Buffer.from(data.subarray(15, end)).toString(isWide === 1 ? 'utf16le' : 'latin1');
  if ((flags & 0x20) !== 0 && [0x01, 0x02, 0x0a, 0x0b].includes(text.charCodeAt(0))) return 'xls-auto-name';
  if (LIVE_NAME.test(text)) return 'xls-formula';
  if (/^(?:_xlnm\.)?auto_?(?:open|close|activate|deactivate)/i.test(text)) return 'xls-auto-name';
  return formulaFault(data, 4, end);
}

/** Functions that are called by name, because they are newer than the format or belong to an add-in. */
const LIVE_NAME =
  /^(?:_xl[a-z]*\.)*(?:call|register(?:\.id)?|exec|webservice|filterxml|rtd|sql\.request|image|py|stockhistory)$/i;

const URL_MONIKER = Buffer.from('e0c9ea79f9bace118c8200aa004ba90b', 'hex');
/** File, composite, anti and item monikers start with the same bytes behind their number. */
const OTHER_MONIKER = Buffer.from('000000000000c000000000000046', 'hex');

/**
 * Searches for hyperlinks ([MS-OSHARED] 2.3.7.1). They are found by the class ids at any place, because programs disagree about the bytes
 * in front of them.
 */
function linkFault(link: Buffer): string | null {
  const behindClass = link.subarray(16);
  if (behindClass.includes(OTHER_MONIKER)) return 'xls-link';
  for (let at = behindClass.indexOf(URL_MONIKER); at !== -1; at = behindClass.indexOf(URL_MONIKER, at + 16)) {
    const text =
      behindClass
        .subarray(at + 20)
        .toString('utf16le')
        .split('\0', 1)[0] ?? '';
    if (isLiveLink(text)) return 'xls-link';
  }
  return null;
}

/** Searches the parts of an object ([MS-XLS] 2.5.143): a macro that runs on a click, and the formula of an embedded object or a control. */
function objectFault(data: Uint8Array): string | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 4 <= data.length; at += 4 + view.getUint16(at + 2, true)) {
    const kind = view.getUint16(at, true);
    const isEmpty = view.getUint16(at + 2, true) === 0;
    if (kind === 0x04 && !isEmpty) return 'xls-object-macro';
    if (kind === 0x09 && !isEmpty) return 'xls-object';
  }
  return null;
}
