/** Records of a sheet with a formula or something active inside of a larger structure. They are written anew without it. */
import { RECORD } from '../../../formats/office/biff-records.ts';
import { type FormulaScope, isSafeFormula } from './formulas.ts';
import { recordOf } from './records.ts';

const REFERENCE_ERROR = Buffer.from([0x1c, 0x17]);

/** Parts of an object ([MS-XLS] 2.4.181) that only describe it. Macros, linked cells and the formulas of OLE objects are not listed. */
const PLAIN_PARTS = new Set([0x15, 0x06, 0x07, 0x0a, 0x0b, 0x0c, 0x0d, 0x0f, 0x10, 0x11, 0x12]);
const PICTURE_FLAGS = 0x08;
const LIST_DATA = 0x13;
/** The one flag of a picture that stays: it fits its cell. The others mean DDE, a control or the icon of an object. */
const PLAIN_PICTURE_FLAGS = 0x0001;
const DROPPED_PARTS: Readonly<Record<number, string>> = {
  4: 'macro',
  9: 'embedded object',
  14: 'linked cell',
  20: 'linked cell',
};

/** Returns the object without its active parts. It is never removed completely, because drawings refer to it. */
export function rewriteObject(data: Buffer, note: (kind: string) => void): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 4 <= data.length; ) {
    const kind = data.readUInt16LE(at);
    const end = at + 4 + data.readUInt16LE(at + 2);
    if (kind === 0 || kind === LIST_DATA || end > data.length) {
      // The part with the list of a drop-down does not state its length. It is eight zeros when the list has no source.
      if (kind === LIST_DATA) parts.push(listPart(data.subarray(at), note));
      break;
    }
    const part = Buffer.from(data.subarray(at, end));
    if (kind === PICTURE_FLAGS && part.length >= 6) part.writeUInt16LE(part.readUInt16LE(4) & PLAIN_PICTURE_FLAGS, 4);
    if (PLAIN_PARTS.has(kind) || kind === PICTURE_FLAGS) parts.push(part);
    else note(DROPPED_PARTS[kind] ?? 'unknown object part');
    at = end;
  }
  return recordOf(RECORD.object, Buffer.concat([...parts, Buffer.alloc(4)]));
}

/** Keeps a list without a formula, such as the drop-down of a filter. */
function listPart(part: Buffer, note: (kind: string) => void): Buffer {
  const formulaBytes = part.length >= 6 ? part.readUInt16LE(4) : 0;
  const end = part.lastIndexOf(Buffer.alloc(4)) === part.length - 4 ? part.length - 4 : part.length;
  if (formulaBytes === 0) return part.subarray(0, Math.max(6, end));
  note('linked cell');
  return Buffer.from([LIST_DATA, 0, 0xee, 0x1f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

/** Judges a rule of conditional formatting ([MS-XLS] 2.4.42). With a denied formula, it is changed so that it never applies. */
export function rewriteCondition(data: Buffer, scope: FormulaScope, note: (kind: string) => void): Buffer {
  if (data.length < 6) return recordOf(RECORD.conditionalFormat, data);
  const first = data.readUInt16LE(2);
  const second = data.readUInt16LE(4);
  const at = data.length - first - second;
  const isWhole = at >= 6;
  const codes = isWhole ? [data.subarray(at, at + first), data.subarray(at + first)] : [];
  if (isWhole && codes.every((code) => isSafeFormula(code, scope))) return recordOf(RECORD.conditionalFormat, data);
  note('live formula');
  const head = Buffer.from(data.subarray(0, Math.max(6, at)));
  head[0] = 2;
  head[1] = 0;
  head.writeUInt16LE(REFERENCE_ERROR.length, 2);
  head.writeUInt16LE(0, 4);
  return recordOf(RECORD.conditionalFormat, Buffer.concat([head, REFERENCE_ERROR]));
}

/** Judges a check of typed text in a cell ([MS-XLS] 2.4.91). With a denied formula, it accepts everything and keeps its messages. */
export function rewriteValidation(data: Buffer, scope: FormulaScope, note: (kind: string) => void): Buffer | null {
  let at = 4;
  for (let text = 0; text < 4; text++) {
    if (at + 3 > data.length) return null;
    at += 3 + data.readUInt16LE(at) * (((data[at + 2] ?? 0) & 1) + 1);
  }
  const textEnd = at;
  const codes: Buffer[] = [];
  for (let formula = 0; formula < 2; formula++) {
    if (at + 4 > data.length) return null;
    const length = data.readUInt16LE(at);
    codes.push(data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  if (at > data.length) return null;
  if (codes.every((code) => isSafeFormula(code, scope))) return recordOf(RECORD.validation, data);
  note('live formula');
  const head = Buffer.from(data.subarray(0, textEnd));
  head.writeUInt32LE((head.readUInt32LE(0) & ~0x0f) >>> 0, 0);
  return recordOf(RECORD.validation, Buffer.concat([head, Buffer.alloc(8), data.subarray(at)]));
}

/** Judges the source of a series in a chart ([MS-XLS] 2.4.29). A denied source becomes "typed in", and the series keeps its values. */
export function rewriteSeries(data: Buffer, scope: FormulaScope, note: (kind: string) => void): Buffer {
  const length = data.length >= 8 ? data.readUInt16LE(6) : 0;
  const isWhole = data.length === 8 + length;
  if (isWhole && isSafeFormula(data.subarray(8), scope)) return recordOf(RECORD.series, data);
  note('external workbook link');
  const head = Buffer.alloc(8);
  data.copy(head, 0, 0, 6);
  head[1] = 1;
  return recordOf(RECORD.series, head);
}
