/** Defined names of an Excel 97 to 2003 workbook ([MS-XLS] 2.4.150). Formulas count them, so a denied one stays as an empty name. */
import { RECORD } from '../../../formats/office/biff-records.ts';
import { isAutoRunName } from '../office/formulas.ts';
import { type FormulaScope, isSafeFormula } from './formulas.ts';
import { recordOf } from './records.ts';

const FIXED_BYTES = 14;
/** fFunc, fOB, fProc, fCalcExp and the function group: all of them belong to macros. */
const MACRO_FLAGS = 0x000e | 0x0fc0;
const BUILT_IN = 0x0020;
/** Names that run when the workbook is opened, closed, shown or left. */
const AUTO_RUN = new Set([0x01, 0x02, 0x0a, 0x0b]);
const REFERENCE_ERROR = Buffer.from([0x1c, 0x17]);
const EMPTY_NAME = /^removed_name_\d+$/;

/** Returns the record, or a name with the meaning `#REF!` instead. `index` counts all names of the workbook. */
export function rewriteName(data: Buffer, index: number, scope: FormulaScope, note: (kind: string) => void): Buffer {
  const name = parseName(data);
  if (name !== null && isSafeName(name, scope)) return recordOf(RECORD.name, data);
  if (name === null || !EMPTY_NAME.test(name.text)) note('defined name');
  return recordOf(RECORD.name, emptyName(index, data.length >= 10 ? data.readUInt16LE(8) : 0));
}

interface Name {
  readonly flags: number;
  readonly text: string;
  readonly code: Buffer;
}

function parseName(data: Buffer): Name | null {
  if (data.length < FIXED_BYTES + 1) return null;
  const isWide = ((data[FIXED_BYTES] ?? 0) & 1) === 1;
  const from = FIXED_BYTES + 1;
  const end = from + (data[3] ?? 0) * (isWide ? 2 : 1);
  const codeEnd = end + data.readUInt16LE(4);
  if (codeEnd > data.length) return null;
  return {
    flags: data.readUInt16LE(0),
    text: data.toString(isWide ? 'utf16le' : 'latin1', from, end),
    code: data.subarray(end, codeEnd),
  };
}

function isSafeName({ flags, text, code }: Name, scope: FormulaScope): boolean {
  if (flags & MACRO_FLAGS) return false;
  if (flags & BUILT_IN && AUTO_RUN.has(text.charCodeAt(0))) return false;
  return !isAutoRunName(text) && isSafeFormula(code, scope);
}

function emptyName(index: number, sheet: number): Buffer {
  const text = Buffer.from(`removed_name_${index + 1}`, 'latin1');
  const head = Buffer.alloc(FIXED_BYTES + 1);
  head[3] = text.length;
  head.writeUInt16LE(REFERENCE_ERROR.length, 4);
  head.writeUInt16LE(sheet, 8);
  return Buffer.concat([head, text, REFERENCE_ERROR]);
}
