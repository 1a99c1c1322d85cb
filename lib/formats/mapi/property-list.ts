/** Reads a list of MAPI properties as TNEF encodes it (MS-OXTNEF 2.1.3.4). */
import { TYPE } from './properties.ts';

export interface MapiProperty {
  readonly id: number;
  /** The type without the flag for several values. */
  readonly type: number;
  readonly values: readonly Buffer[];
}

/** The possible faults of a list: it breaks off, holds a type that no standard names, or is too long. */
export type ListFault = 'cut-off' | 'unknown-type' | 'too-many';

const MULTIPLE = 0x1000;
/** From this id on, properties have a name, which follows their tag. */
const FIRST_NAMED = 0x8000;
/** Most properties, and most values of one. A list may claim four thousand million. */
const MOST = 10_000;
/** Bytes of a value, by type. Values of other types have a count, and a length each. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  1: 0,
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
const VARIABLE: readonly number[] = [TYPE.string8, TYPE.unicode, TYPE.binary, TYPE.object];

interface Cursor {
  readonly data: Buffer;
  at: number;
}

/** Returns all properties up to the first fault that makes the rest unreadable. Throws only the errors of `onFault`. */
export function* readPropertyList(data: Buffer, onFault: (fault: ListFault) => void): Generator<MapiProperty> {
  const cursor = { data, at: 0 };
  const count = u32(cursor);
  if (count === null) onFault('cut-off');
  else if (count > MOST) onFault('too-many');
  for (let left = Math.min(count ?? 0, MOST); left > 0; left--) {
    const found = readProperty(cursor);
    if (typeof found === 'string') {
      onFault(found);
      return;
    }
    yield found;
    // The padding of the last value to four bytes is missing.
    if (cursor.at > data.length) onFault('cut-off');
  }
}

function u32(cursor: Cursor): number | null {
  if (cursor.at + 4 > cursor.data.length) return null;
  cursor.at += 4;
  return cursor.data.readUInt32LE(cursor.at - 4);
}

const padded = (length: number) => Math.ceil(length / 4) * 4;

function readProperty(cursor: Cursor): MapiProperty | ListFault {
  const tag = u32(cursor);
  if (tag === null) return 'cut-off';
  const id = tag >>> 16;
  const type = tag & 0xffff & ~MULTIPLE;
  const isMultiple = (tag & MULTIPLE) !== 0;
  if (id >= FIRST_NAMED && !skipName(cursor)) return 'cut-off';
  const fixed = FIXED_BYTES[type];
  if (fixed === undefined && !VARIABLE.includes(type)) return 'unknown-type';
  // Variable values always carry a count, fixed ones only when there may be several.
  const count = fixed === undefined || isMultiple ? u32(cursor) : 1;
  const values = count === null ? null : fixed === undefined ? variable(cursor, count) : inPlace(cursor, count, fixed);
  return values === null ? 'cut-off' : { id, type, values };
}

/** Skips a name: property set, kind, and a number or a padded text. */
function skipName(cursor: Cursor): boolean {
  cursor.at += 16;
  const kind = u32(cursor);
  const length = u32(cursor);
  if (kind !== 0) cursor.at += padded(length ?? 0);
  return length !== null;
}

function inPlace(cursor: Cursor, count: number, bytes: number): Buffer[] | null {
  const { data, at } = cursor;
  if (at + count * bytes > data.length) return null;
  cursor.at += count * bytes;
  // Returns whether the type has no value. A property of such a type has none, however many it claims.
  const most = bytes === 0 ? 0 : MOST;
  return Array.from({ length: Math.min(count, most) }, (_, index) =>
    data.subarray(at + index * bytes, at + (index + 1) * bytes),
  );
}

function variable(cursor: Cursor, count: number): Buffer[] | null {
  const values: Buffer[] = [];
  for (let index = 0; index < count; index++) {
    const length = u32(cursor);
    if (length === null || cursor.at + length > cursor.data.length) return null;
    if (index < MOST) values.push(cursor.data.subarray(cursor.at, cursor.at + length));
    cursor.at += padded(length);
  }
  return values;
}
