/** Finds the records that make an Excel 5 to 2003 workbook act ([MS-XLS]). Those of Excel 5 and 95 have the same numbers. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { type BiffRecord, RECORD, readRecords } from '../../../formats/office/biff-records.ts';
import { hyperlinkTarget } from '../../../formats/office/hyperlink-object.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { asFact, finding } from '../findings/findings.ts';
import { isNearFile } from '../findings/link-target.ts';
import type { View } from '../findings/module.ts';
import { judgeClickedLinks } from '../findings/target-findings.ts';
import { type JudgedMacros, judgeFolded } from './macro-sheets.ts';
import { reachingFormula } from './xlm/reaching-formula.ts';
import { readWorkbookCells } from './xlm/workbook-cells.ts';

const BIFF8 = 0x0600;
/** Formulas of cells, names, and of several cells: shared ones, and those of tables. */
const WITH_FORMULA: ReadonlySet<number> = new Set([RECORD.formula, RECORD.name, 0x04bc, 0x0221]);
const NOT_FOLDED: JudgedMacros = { findings: [], views: [] };

/** Sheet kinds of BoundSheet8.dt (2.4.28). */
const MACRO_SHEET = 1;
const VB_MODULE = 6;
/** The kind that the stream of a sheet gives itself (BOF.dt, 2.4.21). */
const MACRO_SHEET_STREAM = 0x40;
/** Built-in names that run when the workbook is opened, closed, shown or left (2.5.66). */
const AUTO_NAMES = new Set([0x01, 0x02, 0x0a, 0x0b]);

export interface JudgedWorkbook {
  readonly findings: readonly Finding[];
  /** The actions of the macros, as text for the rules. */
  readonly views: readonly View[];
  readonly understood: boolean;
}

/** Reads all records. Throws EngineError('encrypted') for a workbook behind a password, 'unreadable' when it is none. */
export function judgeWorkbook(bytes: Uint8Array): JudgedWorkbook {
  const stream = asBuffer(bytes);
  if (stream.length < 8 || stream.readUInt16LE(0) !== RECORD.begin)
    throw new EngineError('unreadable', 'the workbook has no beginning');
  const findings: Finding[] = [];
  let calls = false;
  let before = 0;
  // The rest of a cut-off record is judged.
  for (const record of readRecords(stream, 0, () => undefined)) {
    const { id, data } = record;
    if (id === RECORD.filePassword) throw new EngineError('encrypted', 'the workbook needs a password');
    findings.push(...judgeRecord(record));
    if (before === RECORD.dataConnection && CONTINUED.has(id))
      findings.push(finding('office-data-connection', 'connection'));
    before = id;
    if (WITH_FORMULA.has(id)) calls ||= callsSystem(data);
    // Zeros fill up the stream.
    if (id === 0 && data.length === 0) break;
  }
  const isMacroBook = findings.some(({ id }) => id === 'office-xlm-macro');
  const isBiff8 = stream.readUInt16LE(4) === BIFF8;
  const folded = isMacroBook && isBiff8 ? judgeFolded(readWorkbookCells(stream), 'Workbook') : NOT_FOLDED;
  if (calls && isMacroBook && folded.findings.length === 0) findings.push(finding('xlm-dangerous-call', 'Workbook'));
  // Without macro sheets, only formulas that were read token by token count.
  const reaching = calls && !isMacroBook && isBiff8 ? reachingFormula(readWorkbookCells(stream)) : null;
  if (reaching !== null) findings.push(finding('office-dangerous-formula', 'Workbook', reaching));
  return { findings: [...findings, ...folded.findings], views: folded.views, understood: isBiff8 };
}

/** A hyperlink record begins with the cells that have the link (2.4.140). */
const RANGE_BYTES = 8;
const LINK = 'link of a cell';

/** Judges a link. A link to another kind of target than an address or a path, or to an unreadable one, is reported. */
function judgeHyperlink(object: Buffer): Finding[] {
  const target = hyperlinkTarget(object);
  if (target === null) return [finding('office-file-link', LINK)];
  return target.kind === 'inside' ? [] : judgeClickedLinks([target.untrustedTarget], LINK);
}

function judgeRecord({ id, data }: BiffRecord): Finding[] {
  switch (id) {
    case RECORD.begin:
      // The list of sheets may call it an ordinary one.
      return data[2] === MACRO_SHEET_STREAM ? [finding('office-xlm-macro', 'sheet')] : [];
    case RECORD.sheet:
      return judgeSheet(data);
    case RECORD.name:
      if (REACHING_NAME.test(nameOf(data))) return [finding('office-dangerous-formula', 'name')];
      if (isAutomaticName(data)) return [finding('office-xlm-macro', 'name'), finding('xlm-auto-run', 'name')];
      return isProcedureName(data) ? [finding('office-xlm-macro', 'name')] : [];
    case RECORD.book:
      return isExternalBook(data) ? [judgeBook(data)] : [];
    case RECORD.externName:
      return isDdeName(data) ? [finding('office-dde', 'external name')] : [];
    case RECORD.hyperlink:
      return judgeHyperlink(data.subarray(RANGE_BYTES));
    case RECORD.dataConnection:
      return [judgeConnection(data)];
    default:
      return [];
  }
}

function judgeSheet(data: Uint8Array): Finding[] {
  if (data[5] !== MACRO_SHEET) return data[5] === VB_MODULE ? [finding('office-macro', 'sheet')] : [];
  const isHidden = ((data[4] ?? 0) & 0x03) !== 0;
  return [finding('office-xlm-macro', 'sheet'), ...(isHidden ? [finding('xlm-hidden-sheet', 'sheet')] : [])];
}

/**
 * Numbers of functions that only macro sheets have ([MS-XLS] 2.5.198.17): EXEC, CALL, REGISTER, FORMULA, FOPEN, FWRITE, INITIATE, EXECUTE,
 * and those that reach out of any sheet: REGISTER.ID, RTD.
 */
const SYSTEM_FUNCTIONS = new Set([
  0x006e, 0x0096, 0x0095, 0x0060, 0x0084, 0x0089, 0x008a, 0x0101, 0x010b, 0x017b, 0x00af, 0x00b2,
]);
/** PtgFunc and PtgFuncVar in their three classes. */
const FUNCTION = new Set([0x21, 0x41, 0x61]);
const FUNCTION_WITH_COUNT = new Set([0x22, 0x42, 0x62]);

/**
 * Returns true when a formula calls the system. Tokens are not read one by one, because their lengths differ between versions. Any bytes
 * that look like such a call count, and only in a workbook with macro sheets.
 */
function callsSystem(data: Uint8Array): boolean {
  for (let at = 14; at + 2 < data.length; at++) {
    const token = data[at] ?? 0;
    const direct = (data[at + 1] ?? 0) | ((data[at + 2] ?? 0) << 8);
    const counted = ((data[at + 2] ?? 0) | ((data[at + 3] ?? 0) << 8)) & 0x7fff;
    if (FUNCTION.has(token) && SYSTEM_FUNCTIONS.has(direct)) return true;
    if (FUNCTION_WITH_COUNT.has(token) && (data[at + 1] ?? 0) <= 30 && SYSTEM_FUNCTIONS.has(counted)) return true;
  }
  return false;
}

const flagsOf = (data: Uint8Array): number => (data[0] ?? 0) | ((data[1] ?? 0) << 8);
const BUILT_IN = 0x0020;
/** The name of a function or of a macro. Somebody has to call it. */
const PROCEDURE = 0x000e;

/** Returns true for a name (Lbl, 2.4.150) that runs by itself: a built-in one by its number, or an ordinary one called `auto_open`. */
function isAutomaticName(data: Uint8Array): boolean {
  if ((flagsOf(data) & BUILT_IN) !== 0) return AUTO_NAMES.has(data[15] ?? 0) || AUTO_NAMES.has(data[14] ?? 0);
  return /^auto_(?:open|close|activate|deactivate)/i.test(nameOf(data));
}

function isProcedureName(data: Uint8Array): boolean {
  if (FUNCTION_OF_LATER_EXCEL.test(nameOf(data)) && hasOnlyNameError(data)) return false;
  // The name of a macro of VBA leads nowhere by itself. The project is judged where it is.
  if (formulaBytesOf(data) === 0) return false;
  return (flagsOf(data) & PROCEDURE) !== 0 && (flagsOf(data) & BUILT_IN) === 0;
}

/** Returns the text of a name, from more bytes than it has. Since Excel 97 a byte in front of it gives the width of its characters. */
function nameOf(data: Uint8Array): string {
  const length = data[3] ?? 0;
  return Buffer.from(data.subarray(14, 15 + length * 2).filter((byte) => byte > 1)).toString('latin1');
}

/** Functions of later versions that reach the network. Excel calls them from a workbook of this format, too. */
const REACHING_NAME = /^_xlfn\.(?:_xlws\.)?(?:WEBSERVICE|IMAGE|IMPORTTEXT|IMPORTCSV|PY)(?![A-Z\d.])/i;

/** Excel notes each function that Excel 2003 does not have as a hidden procedure of this name, whose formula is `#NAME?`. */
const FUNCTION_OF_LATER_EXCEL = /^_xlfn\./i;
const NAME_ERROR = Buffer.from([0x1c, 0x1d]);

/** Returns whether the formula of a name (Lbl, 2.4.150) is the error `#NAME?` alone. */
function hasOnlyNameError(data: Uint8Array): boolean {
  return formulaBytesOf(data) === NAME_ERROR.length && NAME_ERROR.equals(data.subarray(-NAME_ERROR.length));
}

const formulaBytesOf = (data: Uint8Array): number => (data[4] ?? 0) | ((data[5] ?? 0) << 8);

/**
 * Returns true for a book (SupBook, 2.4.271) that is a file or a DDE service. 0x0401 means this workbook, and 0x3A01 functions of add-ins.
 */
function isExternalBook(data: Uint8Array): boolean {
  const marker = (data[2] ?? 0) | ((data[3] ?? 0) << 8);
  return data.length >= 4 && marker !== 0x0401 && marker !== 0x3a01;
}

/** Letters of an encoded path (VirtualPath, 2.5.277): a volume, the folders of this one, the folder above, and a complete address. */
const [ENCODED, SAME_VOLUME, FOLDER, ABOVE, WRITTEN_OUT] = ['\u0001', '\u0002', '\u0003', '\u0004', '\u0005'];

/**
 * Judges another workbook. A workbook near by is a fact. A program and the request to it have the sign of a folder between them, and no
 * encoding.
 */
function judgeBook(data: Uint8Array): Finding {
  const found = finding('office-data-connection', 'external workbook');
  const length = (data[2] ?? 0) | ((data[3] ?? 0) << 8);
  const isWide = ((data[4] ?? 0) & 1) === 1;
  const name = Buffer.from(data.subarray(5, 5 + length * (isWide ? 2 : 1))).toString(isWide ? 'utf16le' : 'latin1');
  const path = pathOfBook(name);
  return path !== null && path !== '' && isNearFile(path)
    ? { ...asFact(found), evidence: path.slice(0, MAX_PATH) }
    : found;
}

const MAX_PATH = 300;

/** Returns the path as Windows writes it. Returns null for a program, a complete address, and an unknown form. */
function pathOfBook(name: string): string | null {
  if (!name.startsWith(`${ENCODED}`)) return /\p{Cc}/u.test(name) ? null : name;
  const [kind = '', volume = ''] = name.slice(1);
  if (kind === `${WRITTEN_OUT}`) return null;
  const isVolume = kind === `${ENCODED}`;
  const start = isVolume ? (volume === '@' ? '\\\\' : `${volume}:\\`) : kind === `${SAME_VOLUME}` ? '\\' : '';
  const rest = name.slice(isVolume ? 3 : start === '' ? 1 : 2);
  const path = start + rest.replaceAll(`${FOLDER}`, '\\').replaceAll(`${ABOVE}`, '..\\');
  return /\p{Cc}/u.test(path) ? null : path;
}

/** The kind of a connection (DConn.dbt, [MS-XLS] 2.4.84) to a text, and its place. */
const [KIND, TEXT_FILE] = [4, 6];
/** A file on a drive, and the two slashes with which every address and every path to another machine begins. */
const [ON_DRIVE, REMOTE] = [/(?:^|[^a-z])[a-z]:[\\/][^\\/]/i, /[\\/]{2}/];
/** The records that continue the one in front of them. */
const CONTINUED: ReadonlySet<number> = new Set([RECORD.continued, 0x0812, 0x087f]);

/** Judges a connection. One to a text on a drive is a fact: nothing in it leads to another machine. */
function judgeConnection(data: Uint8Array): Finding {
  const found = finding('office-data-connection', 'connection');
  const text = Buffer.from(data).toString('latin1').replaceAll('\0', '');
  const isText = data[KIND] === TEXT_FILE && data[KIND + 1] === 0;
  return isText && ON_DRIVE.test(text) && !REMOTE.test(text) ? asFact(found) : found;
}

/** Returns true for a name (ExternName, 2.4.105) of automatic DDE, of an OLE link, or of a picture of one. */
function isDdeName(data: Uint8Array): boolean {
  return (flagsOf(data) & 0x0012) !== 0;
}
