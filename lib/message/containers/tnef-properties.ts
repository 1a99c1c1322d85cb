/** The encapsulated MAPI properties of a TNEF attribute (MS-OXTNEF 2.1.3.4). */

export interface MapiProperty {
  readonly id: number;
  /** Without the flag for several values. */
  readonly type: number;
  readonly value: Uint8Array;
}

const MULTIPLE = 0x1000;
/** Properties that have a name instead of a number carry it behind their tag. */
const FIRST_NAMED = 0x8000;
/** A count of four thousand million is not believed. */
const MOST_PROPERTIES = 10_000;
const FIXED_BYTES: Readonly<Record<number, number>> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const VARIABLE = new Set([0x1e, 0x1f, 0x102, 0x0d]);

/** Every property that can be read, values of several one by one. Stops at the first it cannot follow. Never throws. */
export function readMapiProperties(data: Buffer): MapiProperty[] {
  const properties: MapiProperty[] = [];
  const cursor = { data, at: 0 };
  const count = Math.min(u32(cursor) ?? 0, MOST_PROPERTIES);
  for (let index = 0; index < count && properties.length < MOST_PROPERTIES; index++) {
    const tag = u32(cursor);
    if (tag === null) break;
    const type = tag & 0xffff;
    const id = tag >>> 16;
    if (id >= FIRST_NAMED && !skipName(cursor)) break;
    const values = readValues(cursor, type);
    if (values === null) break;
    for (const value of values) properties.push({ id, type: type & ~MULTIPLE, value });
  }
  return properties;
}

interface Cursor {
  readonly data: Buffer;
  at: number;
}

function u32(cursor: Cursor): number | null {
  if (cursor.at + 4 > cursor.data.length) return null;
  const value = cursor.data.readUInt32LE(cursor.at);
  cursor.at += 4;
  return value;
}

/** Property set, kind, and a number or a padded name. */
function skipName(cursor: Cursor): boolean {
  cursor.at += 16;
  const kind = u32(cursor);
  if (kind === 0) return u32(cursor) !== null;
  const length = u32(cursor);
  if (length === null) return false;
  cursor.at += padded(length);
  return true;
}

const padded = (length: number) => Math.ceil(length / 4) * 4;

function readValues(cursor: Cursor, type: number): Uint8Array[] | null {
  const base = type & ~MULTIPLE;
  const isVariable = VARIABLE.has(base);
  const fixed = FIXED_BYTES[base];
  if (!isVariable && fixed === undefined) return null;
  // Variable values always carry a count, fixed ones only when there may be several.
  const count = isVariable || (type & MULTIPLE) !== 0 ? u32(cursor) : 1;
  if (count === null) return null;
  const values: Uint8Array[] = [];
  for (let index = 0; index < Math.min(count, MOST_PROPERTIES); index++) {
    const length = isVariable ? u32(cursor) : (fixed as number);
    if (length === null || cursor.at + length > cursor.data.length) return null;
    values.push(cursor.data.subarray(cursor.at, cursor.at + length));
    cursor.at += isVariable ? padded(length) : length;
  }
  return values;
}
