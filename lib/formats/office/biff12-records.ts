/** The records of binary workbooks of Excel 2007 and later ([MS-XLSB] 2.1.4), and the tokens of their formulas (2.2.2). */

export interface Biff12Record {
  readonly type: number;
  readonly data: Uint8Array;
}

/** The most records of one part. A real table of a million rows has this many. */
const MAX_RECORDS = 4_000_000;

/** Yields the records of a part, in order. The last value is false when the part does not end with the end of a record. */
export function* recordsOf(part: Uint8Array): Generator<Biff12Record, boolean> {
  let at = 0;
  for (let count = 0; at < part.length && count < MAX_RECORDS; count++) {
    const type = numberAt(part, at, 2);
    const size = numberAt(part, at + type.bytes, 4);
    const start = at + type.bytes + size.bytes;
    const end = start + size.value;
    if (type.bytes === 0 || size.bytes === 0 || end > part.length) return false;
    yield { type: type.value, data: part.subarray(start, end) };
    at = end;
  }
  return at === part.length;
}

/**
 * Reads a number of seven bits per byte, the lowest first. The highest bit says that another byte follows. `bytes` is 0 when the part ends
 * within it.
 */
function numberAt(part: Uint8Array, at: number, mostBytes: number): { value: number; bytes: number } {
  let value = 0;
  for (let index = 0; index < mostBytes; index++) {
    const byte = part[at + index];
    if (byte === undefined) return { value: 0, bytes: 0 };
    value += (byte & 0x7f) * 2 ** (7 * index);
    if ((byte & 0x80) === 0) return { value, bytes: index + 1 };
  }
  return { value, bytes: mostBytes };
}

/** Returns a text after its length in characters (XLWideString), and its end; null when it is cut off. */
export function wideString(data: Uint8Array, at: number): { text: string; end: number } | null {
  if (at < 0 || at + 4 > data.length) return null;
  const length = viewOf(data).getUint32(at, true);
  // This length means a missing string (XLNullableWideString).
  if (length === 0xffffffff) return { text: '', end: at + 4 };
  const end = at + 4 + length * 2;
  if (end > data.length) return null;
  return { text: textOf(data.subarray(at + 4, end)), end };
}

export interface Formula {
  /** The numbers of the functions that the formula calls. */
  readonly functions: readonly number[];
  /** The texts in the formula. Untrusted. */
  readonly texts: readonly string[];
  /** False when a token is unknown or cut off, so that the rest was not read. */
  readonly isWhole: boolean;
}

/** The bytes after the first one, for tokens of a fixed length. A token with classes is listed under its first class. */
const TOKEN_BYTES = new Map<number, number>([
  [0x01, 4],
  ...Array.from({ length: 0x14 }, (_, index): [number, number] => [0x03 + index, 0]),
  [0x1c, 1],
  [0x1d, 1],
  [0x1e, 2],
  [0x1f, 8],
  [0x20, 14],
  [0x21, 2],
  [0x22, 3],
  [0x23, 4],
  [0x24, 6],
  [0x25, 12],
  [0x26, 6],
  [0x27, 6],
  [0x28, 6],
  [0x29, 2],
  [0x2a, 6],
  [0x2b, 12],
  [0x2c, 6],
  [0x2d, 12],
  [0x39, 6],
  [0x3a, 8],
  [0x3b, 14],
  [0x3c, 8],
  [0x3d, 14],
]);
const TEXT = 0x17;
const EXTENDED = 0x18;
const ATTRIBUTE = 0x19;
const FUNCTION = 0x21;
const FUNCTION_WITH_COUNT = 0x22;
/** The bytes of extended tokens, by kind: a reference to a table, and a field of a pivot table. */
const EXTENDED_BYTES = new Map([
  [0x19, 13],
  [0x1d, 5],
]);
const CHOOSE = 0x04;

/** Reads a formula: its length in four bytes, and then its tokens. */
export function readFormula(data: Uint8Array, from: number): Formula {
  const functions: number[] = [];
  const texts: string[] = [];
  if (from < 0 || from + 4 > data.length) return { functions, texts, isWhole: false };
  const end = from + 4 + viewOf(data).getUint32(from, true);
  const tokens = data.subarray(from + 4, Math.min(end, data.length));
  const view = viewOf(tokens);
  let at = 0;
  while (at < tokens.length) {
    const token = baseOf(tokens[at] ?? 0);
    const next = at + 1 + bytesBehind(token, tokens, at + 1);
    if (Number.isNaN(next) || next > tokens.length) return { functions, texts, isWhole: false };
    if (token === TEXT) texts.push(textOf(tokens.subarray(at + 3, next)));
    if (token === FUNCTION) functions.push(view.getUint16(at + 1, true));
    // Commands of menus have numbers with the highest bit set.
    if (token === FUNCTION_WITH_COUNT) functions.push(view.getUint16(at + 2, true));
    at = next;
  }
  return { functions, texts, isWhole: end <= data.length };
}

/** Returns the token of the first class. Tokens of the second and third class mean the same. */
function baseOf(token: number): number {
  return token < 0x20 ? token : (token & 0x1f) | 0x20;
}

/** Returns the number of bytes after the first one of a token; NaN for an unknown token. */
function bytesBehind(token: number, tokens: Uint8Array, at: number): number {
  const short = (offset: number) => (tokens[at + offset] ?? 0) | ((tokens[at + offset + 1] ?? 0) << 8);
  if (token === TEXT) return 2 + short(0) * 2;
  if (token === EXTENDED) return EXTENDED_BYTES.get(tokens[at] ?? 0) ?? Number.NaN;
  if (token === ATTRIBUTE) return ((tokens[at] ?? 0) & CHOOSE) === 0 ? 3 : 3 + (short(1) + 1) * 2;
  return TOKEN_BYTES.get(token) ?? Number.NaN;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf16le');
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
