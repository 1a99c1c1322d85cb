/** Binary workbooks (.xlsb): macro sheets, automatic names, formulas that reach the system or the network, and links to other programs. */

import {
  type Biff12Record,
  type Formula,
  readFormula,
  recordsOf,
  wideString,
} from '../../../formats/office/biff12-records.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { View } from '../findings/module.ts';
import { judgeClickedLinks } from '../findings/target-findings.ts';
import { isMacroBook } from './macro-sheets.ts';
import type { OpenPackage } from './package-parts.ts';

/** Records by number ([MS-XLSB] 2.3.1). */
const NAME = 39;
const SHEET_OF_BOOK = 156;
const OTHER_BOOK = 360;
/**
 * Records with formulas. Those of cells are named after the value in front of the formula. Those of tables and shared ones name a range.
 */
const FORMULA_TEXT = 8;
const FORMULA_NUMBER = 9;
const FORMULA_BOOLEAN = 10;
const FORMULA_ERROR = 11;
const FORMULA_TABLE = 426;
const FORMULA_SHARED = 427;

const BINARY_BOOK = 'application/vnd.ms-excel.sheet.binary.macroenabled.main';
/** Parts of a binary workbook that do not hold records. */
const OTHER_PARTS = /\/(?:printersettings|embeddings|media|activex|ctrlprops)\/|vbaproject[^/]*\.bin$/;
/** The first bytes of parts that matter under any name: a workbook, a sheet, a link to another book or program. */
const FIRST_BYTES = [Buffer.from([0x83, 0x01, 0x00]), Buffer.from([0x81, 0x01, 0x00]), Buffer.from([0xe8, 0x02])];

/** The names of functions that only macro sheets may call, and of those that reach the system or the network from ordinary sheets. */
const MACRO_CALLS = new Map([
  [110, 'EXEC'],
  [149, 'REGISTER'],
  [96, 'FORMULA'],
  [132, 'FOPEN'],
  [137, 'FWRITELN'],
  [138, 'FWRITE'],
  [175, 'INITIATE'],
  [178, 'EXECUTE'],
]);
const REACHING_CALLS = new Map([
  [150, 'CALL'],
  [267, 'REGISTER.ID'],
  [379, 'RTD'],
]);
const AUTO_NAME = /^(?:_xlnm\.)?auto_(?:open|close|activate|deactivate)/i;
/** Functions that Excel added later are written as names. */
const REACHING_NAME = /^_xlfn\.(?:_xlws\.)?(?:WEBSERVICE|IMAGE|IMPORTTEXT|IMPORTCSV)$/i;
const INTERPRETER = /^(?:cmd|powershell|mshta|wscript|cscript|rundll32|regsvr32|msexcel)(?:\.exe)?$/i;
/** The most texts of formulas that the rules get, and the most characters of a text that are shown. */
const MAX_TEXTS = 4_000;
const EVIDENCE = 6;

export interface BinaryWorkbook {
  readonly findings: readonly Finding[];
  /** The functions and texts of the formulas of a part, one formula per line. */
  readonly views: readonly View[];
  /** False when a record or a formula could not be read to its end. */
  readonly understood: boolean;
}

/** Judges every part that holds records, under any name. The result is empty for a package without such parts. */
export function judgeBinaryWorkbook(opened: OpenPackage): BinaryWorkbook {
  const isMacro = isMacroBook(opened);
  const isBinary = opened.contentTypes.has(BINARY_BOOK);
  const parts = [...opened.parts].filter(
    ([name, content]) =>
      startsAsRecords(content) || (isBinary && /^xl\/.*\.bin$/.test(name) && !OTHER_PARTS.test(name)),
  );
  const judged = parts.map(([name, content]) => judgePart(name, content, isMacro));
  return {
    findings: judged.flatMap(({ findings }) => findings),
    views: judged.flatMap(({ views }) => views),
    understood: judged.every(({ understood }) => understood),
  };
}

function startsAsRecords(content: Uint8Array): boolean {
  return FIRST_BYTES.some((first) => Buffer.from(content.subarray(0, first.length)).equals(first));
}

function judgePart(name: string, content: Uint8Array, isMacro: boolean): BinaryWorkbook {
  const findings: Finding[] = [];
  const lines: string[] = [];
  let understood = true;
  const records = recordsOf(content);
  for (let next = records.next(); ; next = records.next()) {
    if (next.done === true) {
      const views = lines.length === 0 ? [] : [{ where: `formulas of ${name}`, bytes: Buffer.from(lines.join('\n')) }];
      return { findings, views, understood: understood && next.value };
    }
    findings.push(...judgeRecord(next.value, name, isMacro));
    const formula = formulaOf(next.value);
    if (formula === null) continue;
    understood &&= formula.isWhole;
    findings.push(...judgeFormula(formula, name, isMacro));
    if (formula.texts.length > 0 && lines.length < MAX_TEXTS) lines.push(lineOf(formula));
  }
}

function judgeRecord({ type, data }: Biff12Record, name: string, isMacro: boolean): Finding[] {
  switch (type) {
    case SHEET_OF_BOOK:
      return isMacro && (data[0] ?? 0) !== 0 ? [finding('xlm-hidden-sheet', name)] : [];
    case NAME:
      return judgeName(data, name);
    case OTHER_BOOK:
      return judgeOtherBook(data, name);
    default:
      return [];
  }
}

/** Where a name begins in its record (2.4.712), behind flags, a key and the sheet. */
const NAME_AT = 9;

function judgeName(data: Uint8Array, where: string): Finding[] {
  const text = wideString(data, NAME_AT)?.text ?? '';
  if (AUTO_NAME.test(text)) return [finding('office-xlm-macro', where, text), finding('xlm-auto-run', where, text)];
  return REACHING_NAME.test(text) ? [finding('office-dangerous-formula', where, text)] : [];
}

const OF_DDE = 1;

/** Judges a link to another book ([MS-XLSB] 2.4.811), which is a file, or a program and the request to it. */
function judgeOtherBook(data: Uint8Array, where: string): Finding[] {
  if (data[0] !== OF_DDE) return [finding('office-data-connection', where)];
  const program = wideString(data, 2);
  const topic = program === null ? null : wideString(data, program.end);
  const evidence = `${program?.text ?? ''}|${topic?.text ?? ''}`;
  const starts = INTERPRETER.test(program?.text.trim() ?? '');
  return [finding('office-dde', where, evidence), ...(starts ? [finding('dde-starts-program', where, evidence)] : [])];
}

/** The offset of the value of a cell, behind column and style. Two bytes of flags follow it. */
const VALUE_AT = 8;
const FLAG_BYTES = 2;
/** The range of cells in front of a formula that is shared or belongs to a table. The second has one more byte of flags. */
const RANGE_BYTES = 16;

function formulaOf({ type, data }: Biff12Record): Formula | null {
  switch (type) {
    case FORMULA_NUMBER:
      return readFormula(data, VALUE_AT + 8 + FLAG_BYTES);
    case FORMULA_BOOLEAN:
    case FORMULA_ERROR:
      return readFormula(data, VALUE_AT + 1 + FLAG_BYTES);
    case FORMULA_TEXT:
      return readFormula(data, (wideString(data, VALUE_AT)?.end ?? data.length) + FLAG_BYTES);
    case FORMULA_TABLE:
      return readFormula(data, RANGE_BYTES + 1);
    case FORMULA_SHARED:
      return readFormula(data, RANGE_BYTES);
    case NAME:
      return readFormula(data, wideString(data, NAME_AT)?.end ?? data.length);
    default:
      return null;
  }
}

const HYPERLINK = 359;
/** Texts that can only be the target of a link. Others may be words. */
const ADDRESS = /^\s*(?:\\\\|(?:file|smb|javascript|vbscript|search-ms|ms-[a-z-]{1,40}):)/i;

/** Returns the links of a formula. It is not known where its texts are joined, so they are also judged as one. */
function judgeLinks({ functions, texts }: Formula, where: string): Finding[] {
  if (!functions.includes(HYPERLINK)) return [];
  const links = [...texts, texts.join('')].filter((text) => ADDRESS.test(text));
  return judgeClickedLinks(links, where);
}

function judgeFormula(formula: Formula, where: string, isMacro: boolean): Finding[] {
  const macro = formula.functions.some((number) => MACRO_CALLS.has(number));
  const reaches = formula.functions.some((number) => REACHING_CALLS.has(number));
  if (!macro && !reaches) return judgeLinks(formula, where);
  // An ordinary sheet cannot hold such a call. So a sheet with one is a macro sheet, in spite of its declared kind.
  const isCall = isMacro || macro;
  return [finding(isCall ? 'xlm-dangerous-call' : 'office-dangerous-formula', where, lineOf(formula))];
}

function lineOf({ functions, texts }: Formula): string {
  const names = functions.flatMap((number) => MACRO_CALLS.get(number) ?? REACHING_CALLS.get(number) ?? []);
  return `${names.join(' ')} (${texts.slice(0, EVIDENCE).join(', ')})`;
}
