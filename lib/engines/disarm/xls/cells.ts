/** Cells with formulas ([MS-XLS] 2.4.127). A denied formula becomes the value it had, in all cells that share it. */
import { type BiffRecord, RECORD } from '../../../formats/office/biff-records.ts';
import { type FormulaScope, isSafeFormula } from './formulas.ts';
import { recordOf } from './records.ts';

const CELL_BYTES = 6;
const FORMULA_BYTES = 22;
const EXPRESSION = 0x01;
const TABLE = 0x02;
/** The most characters that a LABEL record holds. */
const MAX_LABEL_CHARACTERS = 255;

/** Cells with a formula for others (`row,column`), by whether it may stay. */
export type Anchors = ReadonlyMap<string, boolean>;

/** Judges the shared and array formulas of a sheet. Each follows the first cell that uses it. */
export function judgeAnchors(records: readonly BiffRecord[], scope: FormulaScope): Anchors {
  const anchors = new Map<string, boolean>();
  let cell = '';
  for (const { id, data } of records) {
    if (id === RECORD.formula && data.length >= FORMULA_BYTES) cell = anchorOf(data) ?? '';
    if (id !== RECORD.shared && id !== RECORD.array) continue;
    // A range of cells and flags come first. An array has four more bytes of flags.
    const at = id === RECORD.shared ? 8 : 12;
    const length = data.length >= at + 2 ? data.readUInt16LE(at) : Number.NaN;
    const isSafe = at + 2 + length <= data.length && isSafeFormula(data.subarray(at + 2, at + 2 + length), scope);
    anchors.set(cell, isSafe && (anchors.get(cell) ?? true));
  }
  return anchors;
}

/** Returns the cell whose formula this one shares; null when it has its own formula. */
function anchorOf(data: Buffer): string | null {
  const id = data[FORMULA_BYTES];
  if (id !== EXPRESSION || data.length < FORMULA_BYTES + 5) return null;
  return `${data.readUInt16LE(FORMULA_BYTES + 1)},${data.readUInt16LE(FORMULA_BYTES + 3)}`;
}

/** Returns whether the formula of a cell may stay. */
export function isSafeCell(data: Buffer, anchors: Anchors, scope: FormulaScope): boolean {
  if (data.length < FORMULA_BYTES) return false;
  const length = data.readUInt16LE(20);
  if (FORMULA_BYTES + length > data.length) return false;
  const code = data.subarray(FORMULA_BYTES, FORMULA_BYTES + length);
  const anchor = anchorOf(data);
  if (anchor !== null) return code.length === 5 && anchors.get(anchor) === true;
  if (code[0] === TABLE) return code.length === 5;
  return isSafeFormula(code, scope) && !holdsReference(code);
}

/** Returns true when the formula only refers to a shared one. No program writes that inside of a shared formula. */
function holdsReference(code: Buffer): boolean {
  return code[0] === EXPRESSION || code[0] === TABLE;
}

/** Returns the cell with its shown value, without its formula. `text` is the following record with a text result, if there is one. */
export function cachedCell(data: Buffer, text: Buffer | null): Buffer {
  const cell = data.subarray(0, CELL_BYTES);
  const value = data.subarray(CELL_BYTES, CELL_BYTES + 8);
  if (cell.length < CELL_BYTES || value.length < 8) return Buffer.alloc(0);
  if (value.readUInt16LE(6) !== 0xffff) return recordOf(RECORD.number, Buffer.concat([cell, value]));
  const kind = value[0];
  if (kind === 1 || kind === 2) {
    return recordOf(RECORD.truth, Buffer.concat([cell, Buffer.from([value[2] ?? 0, kind === 2 ? 1 : 0])]));
  }
  return recordOf(RECORD.label, Buffer.concat([cell, labelText(text)]));
}

function labelText(text: Buffer | null): Buffer {
  if (text === null || text.length < 3) return Buffer.from([0, 0, 0]);
  const isWide = (text[2] ?? 0) & 1;
  const width = isWide + 1;
  const count = Math.min(text.readUInt16LE(0), Math.floor((text.length - 3) / width), MAX_LABEL_CHARACTERS);
  const out = Buffer.alloc(3 + count * width);
  text.copy(out, 3, 3, 3 + count * width);
  out.writeUInt16LE(count, 0);
  out[2] = isWide;
  return out;
}
