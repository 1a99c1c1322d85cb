/** Metafiles as the second look sees them: records of a closed list, as long as [MS-EMF] and [MS-WMF] say, and nothing beside them. */
import { describe, expect, test } from 'vitest';
import { openFindings } from '../../../lib/engines/inspect/fact.ts';
import { inspectPicture } from '../../../lib/engines/inspect/picture/picture.ts';

function isSound(bytes: Uint8Array): boolean {
  const findings = openFindings();
  const isWhole = inspectPicture(bytes, findings, 'a.emf');
  return isWhole && findings.list.length === 0;
}

const longs = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => void bytes.writeInt32LE(value | 0, index * 4));
  return bytes;
};
const words = (...values: readonly number[]) => Buffer.from(Uint16Array.from(values).buffer);
/** Types in hexadecimal by the length of their records, header included. */
type Lengths = Readonly<Record<number, string>>;
const typesOf = (lengths: Lengths) =>
  Object.entries(lengths).flatMap(([length, types]) =>
    types.split(' ').map((type) => [type, Number(length), Number.parseInt(type, 16)] as const),
  );

describe('an enhanced metafile', () => {
  const record = (type: number, length: number, slot = 1) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32LE(type, 0);
    bytes.writeUInt32LE(length, 4);
    if (length >= 12) bytes.writeUInt32LE(slot, 8);
    return bytes;
  };
  interface Header {
    readonly size?: number;
    readonly more?: number;
    readonly count?: number;
    readonly at?: number;
    readonly end?: Buffer;
  }
  function emf(
    records: readonly Buffer[],
    { size = 88, more = 0, count = 2, at, end = record(14, 20, 0) }: Header = {},
  ) {
    end.writeUInt32LE(end.length, end.length - 4);
    const body = Buffer.concat([...records, end]);
    const header = Buffer.alloc(size);
    const total = size + body.length + more;
    longs(1, size, 0, 0, 9, 9, 0, 0, 99, 99, 0x464d4520, 0x10000, total, records.length + count, 4).copy(header);
    if (at !== undefined) header.writeUInt32LE(1, at);
    return Buffer.concat([header, body]);
  }

  const LENGTHS: Lengths = {
    8: '1c 21 3b 3c 3d 41 42 44',
    12: '10 11 12 13 14 15 16 18 19 22 25 28 39 3a 43 73',
    16: '9 a b c d 1a 1b 36 78',
    20: 'f',
    24: '1d 1e 1f 20 27 2a 2b 35 3e 3f 40',
    28: '26 29',
    32: '17 23 2c',
    36: '24',
    40: '2d 2e 2f 37',
    332: '52',
  };
  test.each(typesOf(LENGTHS))('may have the record %s of %i bytes, and no longer one', (_, length, type) => {
    expect(isSound(emf([record(type, length)]))).toBe(true);
    expect(isSound(emf([record(type, length + 4)]))).toBe(false);
  });
  test.each([0x01, 0x46, 0x4f, 0x5c, 0x60, 0x69, 0x6d, 0x6f, 0x79, 0x7b, 0x8000])(
    'may not have the record %i',
    (type) => {
      for (const length of [8, 12, 16, 20, 24, 28, 32]) expect(isSound(emf([record(type, length)]))).toBe(false);
    },
  );

  test('is what its header says', () => {
    expect(isSound(emf([]))).toBe(true);
    expect(isSound(emf([], { size: 108 }))).toBe(true);
    expect(isSound(emf([], { size: 100 }))).toBe(false);
    expect(isSound(emf([], { more: 4 }))).toBe(false);
    expect(isSound(emf([], { count: 3 }))).toBe(false);
    for (const at of [58, 60, 64, 68]) expect(isSound(emf([], { at }))).toBe(false);
    for (const at of [88, 92, 96]) expect(isSound(emf([], { size: 108, at }))).toBe(false);
    expect(isSound(emf([], { size: 108, at: 100 }))).toBe(true);
  });

  test('ends with its end, and has nothing behind it', () => {
    expect(isSound(emf([], { end: record(14, 24, 0) }))).toBe(false);
    expect(isSound(emf([], { end: record(14, 20, 1) }))).toBe(false);
    expect(isSound(Buffer.concat([emf([]), longs(0)]))).toBe(false);
    expect(isSound(emf([record(14, 20, 0)]))).toBe(false);
    expect(isSound(emf([]).subarray(0, -20))).toBe(false);
  });

  test.each([
    [0x25, 1, true],
    [0x25, 3, true],
    [0x25, 4, false],
    [0x25, 0, false],
    [0x25, 0x8000_0000, true],
    [0x25, 0x8000_0013, true],
    [0x25, 0x8000_0014, false],
    [0x28, 3, true],
    [0x28, 0x8000_0000, false],
    [0x28, 0, false],
  ])('names with the record %i the slot %i: %s', (type, slot, expected) => {
    expect(isSound(emf([record(type, 12, slot)]))).toBe(expected);
  });

  test.each([
    [2, 8],
    [6, 8],
    [85, 4],
    [89, 4],
  ])('has as many points in the record %i as it says', (type, size) => {
    const points = (count: number, length: number) => {
      const bytes = record(type, length);
      bytes.writeUInt32LE(count, 24);
      return emf([bytes]);
    };
    expect(isSound(points(3, 28 + 3 * size))).toBe(true);
    expect(isSound(points(3, 28 + 4 * size))).toBe(false);
  });

  test.each([
    [7, 8],
    [8, 8],
    [90, 4],
    [91, 4],
  ])('has as many points in the groups of the record %i as they say', (type, size) => {
    const groups = (first: number, total: number) => {
      const bytes = record(type, 40 + total * size);
      for (const [at, value] of [
        [24, 2],
        [28, total],
        [32, first],
        [36, 1],
      ] as const)
        bytes.writeUInt32LE(value, at);
      return emf([bytes]);
    };
    expect(isSound(groups(2, 3))).toBe(true);
    expect(isSound(groups(1, 3))).toBe(false);
    expect(isSound(groups(3, 3))).toBe(false);
  });
});

describe('a Windows metafile', () => {
  const record = (type: number, length: number, first = 0) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt32LE(length / 2, 0);
    bytes.writeUInt16LE(type, 4);
    if (length >= 8) bytes.writeUInt16LE(first, 6);
    return bytes;
  };
  const PLACEABLE = Buffer.concat([longs(0x9ac6cdd7), Buffer.alloc(18)]);
  function wmf(records: readonly Buffer[], more = 0, end = record(0, 6)): Buffer {
    const body = Buffer.concat([...records, end]);
    const total = (18 + body.length) / 2 + more;
    return Buffer.concat([words(1, 9, 0x300, total & 0xffff, total >>> 16, 2, 20, 0, 0), body]);
  }

  const LENGTHS: Lengths = {
    6: '1e',
    8: '102 103 104 106 107 108 127 12d 12e 1f0',
    10: '149 201 209 20a 20b 20c 20d 20e 20f 211 213 214 220 231',
    14: '410 412 415 416 418 419 41b 41f 2fc',
    16: '548 2fa',
    18: '61c 61d',
    22: '817 81a 830',
    24: '940',
    28: 'b41',
    56: '2fb',
  };
  test.each(typesOf(LENGTHS))('may have the record %s of %i bytes, and no longer one', (_, length, type) => {
    expect(isSound(wmf([record(type, length)]))).toBe(true);
    expect(isSound(wmf([record(type, length + 2)]))).toBe(false);
  });
  test.each([0x626, 0xff, 0x1f9, 0x35, 0xf7, 0x101, 0x105])('may not have the record %i', (type) => {
    for (const length of [6, 8, 10, 12, 14, 16, 18]) expect(isSound(wmf([record(type, length)]))).toBe(false);
  });

  test('is what its header says, with a frame in front of it or without', () => {
    expect(isSound(wmf([record(0x102, 8)]))).toBe(true);
    expect(isSound(Buffer.concat([PLACEABLE, wmf([])]))).toBe(true);
    expect(isSound(wmf([record(0x102, 8)], 1))).toBe(false);
    expect(isSound(Buffer.concat([wmf([record(0x102, 8)]), words(0)]))).toBe(false);
    expect(isSound(wmf([record(0x102, 8)], 0, record(0, 8)))).toBe(false);
    expect(isSound(wmf([record(0x102, 8), record(0, 6)]))).toBe(false);
    const other = wmf([record(0x102, 8)]);
    other.writeUInt16LE(8, 2);
    expect(isSound(other)).toBe(false);
  });

  test.each([0x12d, 0x1f0])('names with the record %i a slot that there is', (type) => {
    expect([0, 1, 2].map((slot) => isSound(wmf([record(type, 8, slot)])))).toEqual([true, true, false]);
  });

  test('has as many points and letters as it says', () => {
    const lists = [0x324, 0x325].flatMap((type) => [record(type, 8 + 12, 3), record(type, 8 + 12, 2)]);
    expect(lists.map((bytes) => isSound(wmf([bytes])))).toEqual([true, false, true, false]);
    expect([3, 4, 5].map((count) => isSound(wmf([record(0x521, 16, count)])))).toEqual([true, true, false]);
    const groups = (first: number) => {
      const bytes = record(0x538, 12 + 12, 2);
      bytes.writeUInt16LE(first, 8);
      bytes.writeUInt16LE(1, 10);
      return isSound(wmf([bytes]));
    };
    expect([1, 2, 3].map(groups)).toEqual([false, true, false]);
    const spaced = (length: number, count: number, options: number) => {
      const bytes = record(0xa32, length);
      bytes.writeUInt16LE(count, 10);
      bytes.writeUInt16LE(options, 12);
      return isSound(wmf([bytes]));
    };
    expect([spaced(18, 3, 0), spaced(24, 3, 0), spaced(26, 3, 2), spaced(32, 3, 4)]).toEqual([true, true, true, true]);
    expect([spaced(20, 3, 0), spaced(18, 3, 2), spaced(26, 3, 0)]).toEqual([false, false, false]);
  });
});
