/** Reads formulas of Excel 97-2003 token by token ([MS-XLS] 2.5.198), and looks for access outside the workbook. */
import { isLiveLink, OUTSIDE_REFERENCE } from '../live-values.ts';

/** Numbers of functions that run, call, load, or leave the workbook. */
const LIVE_FUNCTIONS = new Set([
  53, 54, 55, 110, 123, 132, 133, 134, 135, 136, 137, 138, 139, 149, 150, 166, 175, 176, 177, 178, 186, 201, 257, 267,
  304, 379,
]);
const LINK_FUNCTION = 359;
/** It makes a reference of a text. */
const INDIRECT = 148;
/** A number from the table of commands. Macros can use them, and cells cannot. */
const COMMAND = 0x8000;
const FUNCTION = 0x21;
const FUNCTION_OF_ANY_ARITY = 0x22;
const TEXT = 0x17;
const ATTRIBUTE = 0x19;
/** Bytes behind the number of a token. Operands of all three classes are listed under the first. */
const LENGTHS: ReadonlyMap<number, number> = new Map(
  `01:4 02:4 15:0 16:0 18:5 1c:1 1d:1 1e:2 1f:8 20:7 21:2 22:3 23:4 24:4 25:8 26:6 27:6 28:6 29:2 2a:4 2b:8 2c:4 2d:8 2e:2
   2f:2 39:6 3a:6 3b:10 3c:6 3d:10`
    .split(/\s+/)
    .map((pair) => [Number.parseInt(pair.slice(0, 2), 16), Number(pair.slice(3))]),
);

/**
 * Returns the fault in the formula of a record, or null. `lengthAt` is the offset of its length. `from` is the offset of its tokens, which
 * follow the length by default.
 */
export function formulaFault(data: Uint8Array, lengthAt: number, from = lengthAt + 2): string | null {
  if (lengthAt + 2 > data.length) return 'xls-damaged';
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const end = from + view.getUint16(lengthAt, true);
  if (end > data.length) return 'xls-damaged';
  const texts: string[] = [];
  for (let at = from; at < end; ) {
    const id = data[at] as number;
    const token = id >= 0x40 && id < 0x80 ? (id & 0x1f) | 0x20 : id;
    const length = lengthOf(view, token, at, end);
    if (length === null || at + 1 + length > end) return 'xls-unknown-formula';
    if (token === TEXT) texts.push(textOf(data, at));
    const isCall = token === FUNCTION || token === FUNCTION_OF_ANY_ARITY;
    if (isCall && isLiveCall(view.getUint16(at + (token === FUNCTION ? 1 : 2), true), texts)) return 'xls-formula';
    at += 1 + length;
  }
  return null;
}

function isLiveCall(number: number, texts: readonly string[]): boolean {
  if (LIVE_FUNCTIONS.has(number) || (number & COMMAND) !== 0) return true;
  if (number === INDIRECT) return texts.some((text) => OUTSIDE_REFERENCE.test(text));
  return number === LINK_FUNCTION && (texts[0] === undefined || isLiveLink(texts[0]));
}

function lengthOf(view: DataView, token: number, at: number, end: number): number | null {
  if (token >= 0x03 && token <= 0x14) return 0;
  if (at + 4 > end) return LENGTHS.get(token) ?? (token === TEXT ? 2 : null);
  if (token === TEXT) return 2 + view.getUint8(at + 1) * ((view.getUint8(at + 2) & 1) + 1);
  if (token !== ATTRIBUTE) return LENGTHS.get(token) ?? null;
  const isChoice = (view.getUint8(at + 1) & 0x04) !== 0;
  return isChoice ? 3 + (view.getUint16(at + 2, true) + 1) * 2 : 3;
}

function textOf(data: Uint8Array, at: number): string {
  const isWide = ((data[at + 2] ?? 0) & 1) === 1;
  const bytes = data.subarray(at + 3, at + 3 + (data[at + 1] ?? 0) * (isWide ? 2 : 1));
  return Buffer.from(bytes).toString(isWide ? 'utf16le' : 'latin1');
}
