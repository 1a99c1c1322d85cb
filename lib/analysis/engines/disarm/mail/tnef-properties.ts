/** A list of MAPI properties as TNEF encodes it (MS-OXTNEF 2.1.3.4). */

import { decodeCharset } from '../../../../unpacking/decode-charset.ts';
import { EngineError } from '../../engine.ts';
import type { MapiProperties } from './mapi-mail.ts';

export interface TnefProperties extends MapiProperties {
  /** An object's bytes behind its class id: a message within the message. */
  object(id: number): Buffer | null;
}

const MAX_PROPERTIES = 10_000;
const MULTIPLE = 0x1000;
const NAMED = 0x8000;
const EPOCH_OFFSET_MS = 11_644_473_600_000;
const CLASS_ID_BYTES = 16;

/** Bytes of a value in place, by type; the others are counted and have a length each. */
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
const TYPE = { text: 0x1e, wideText: 0x1f, object: 0x0d, binary: 0x102 } as const;

interface Value {
  readonly type: number;
  readonly data: Buffer;
}

/** Properties of an attribute that has none. */
export const EMPTY_PROPERTIES: TnefProperties = accessTo(new Map(), 'windows-1252');

/** Reads the list. Throws EngineError `unreadable` where it breaks off or holds a type nobody knows. */
export function readMapiProperties(data: Buffer, charset: string): TnefProperties {
  const reader = readerOf(data);
  const count = reader.number();
  if (count > MAX_PROPERTIES) throw new EngineError('oversize', 'the container has too many properties');
  const values = new Map<number, Value>();
  for (let index = 0; index < count; index++) {
    const tag = reader.number();
    const [id, type] = [tag >>> 16, tag & 0xffff];
    if (id >= NAMED) skipName(reader);
    const value = readValue(reader, type);
    if (value !== null && !values.has(id)) values.set(id, { type: type & ~MULTIPLE, data: value });
  }
  return accessTo(values, charset);
}

interface Reader {
  readonly number: () => number;
  readonly take: (length: number) => Buffer;
}

function readerOf(data: Buffer): Reader {
  let at = 0;
  const take = (length: number) => {
    if (at + length > data.length) throw new EngineError('unreadable', 'the properties of the container are cut off');
    at += length;
    return data.subarray(at - length, at);
  };
  return { number: () => take(4).readUInt32LE(0), take };
}

function skipName(reader: Reader): void {
  reader.take(16);
  if (reader.number() === 0) reader.take(4);
  else reader.take(padded(reader.number()));
}

/** The first value of a property; multiple values are read over. */
function readValue(reader: Reader, type: number): Buffer | null {
  const isMultiple = (type & MULTIPLE) !== 0;
  const base = type & ~MULTIPLE;
  const fixed = FIXED_BYTES[base];
  if (fixed !== undefined) {
    const count = isMultiple ? reader.number() : 1;
    const all = reader.take(count * fixed);
    return all.subarray(0, fixed);
  }
  if (!(Object.values(TYPE) as readonly number[]).includes(base)) {
    throw new EngineError('unreadable', 'a property of the container has a type that no standard names');
  }
  const count = reader.number();
  let first: Buffer | null = null;
  for (let index = 0; index < count; index++) {
    const length = reader.number();
    const value = reader.take(padded(length)).subarray(0, length);
    first ??= value;
  }
  return first;
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function accessTo(values: ReadonlyMap<number, Value>, charset: string): TnefProperties {
  const of = (id: number, ...types: number[]) => {
    const value = values.get(id);
    return value !== undefined && types.includes(value.type) ? value : null;
  };
  return {
    text(id) {
      const value = of(id, TYPE.text, TYPE.wideText);
      if (value === null) return null;
      return decodeCharset(value.data, value.type === TYPE.wideText ? 'utf-16le' : charset).replace(/\0[\s\S]*$/, '');
    },
    binary: (id) => of(id, TYPE.binary, TYPE.object)?.data ?? null,
    number: (id) => of(id, 3)?.data.readInt32LE(0) ?? null,
    time(id) {
      const value = of(id, 64);
      if (value === null) return null;
      const milliseconds = Number(value.data.readBigUInt64LE(0) / 10_000n) - EPOCH_OFFSET_MS;
      return Math.abs(milliseconds) < 8e15 ? milliseconds : null;
    },
    object: (id) => of(id, TYPE.object)?.data.subarray(CLASS_ID_BYTES) ?? null,
  };
}
