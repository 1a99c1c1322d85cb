/** The reader of numbers and lengths in untrusted bytes: it only moves forward, and no length is trusted. */
import { describe, expect, test } from 'vitest';
import { ByteReader, OutOfBytes } from '../../lib/formats/byte-reader.ts';

const BYTES = Uint8Array.of(9, 9, 1, 2, 3, 4, 5, 6, 7).subarray(2);
const reader = (from = 0) => new ByteReader(BYTES, from);

test('numbers have their lowest byte first, and each is read once', () => {
  const one = reader();
  expect([one.byte(), one.word(), one.long(), one.at, one.left]).toEqual([1, 0x0302, 0x07060504, 7, 0]);
});

test('bytes are taken from the place of the reader, up to the last one', () => {
  const one = reader(1);
  one.skip(2);
  expect([[...one.take(4)], one.left, [...one.take(0)]]).toEqual([[4, 5, 6, 7], 0, []]);
});

describe('a read behind the end, or back, is refused and moves nothing:', () => {
  test.each<[string, number, (one: ByteReader) => unknown]>([
    ['a byte', 7, (one) => one.byte()],
    ['two bytes', 6, (one) => one.word()],
    ['four bytes', 4, (one) => one.long()],
    ['more bytes than there are', 3, (one) => one.take(5)],
    ['a negative length', 3, (one) => one.take(-1)],
    ['a length that is no number', 3, (one) => one.take(Number.NaN)],
    ['a jump behind the end', 3, (one) => one.skip(5)],
    ['a jump back', 3, (one) => one.skip(-1)],
  ])('%s', (_, from, read) => {
    const one = reader(from);
    expect(() => read(one)).toThrow(OutOfBytes);
    expect(one.at).toBe(from);
  });

  test.each([-1, Number.NaN])('a beginning at %d', (from) => {
    expect(() => reader(from)).toThrow(OutOfBytes);
  });

  test('a beginning behind the end, once something is read', () => {
    expect(() => reader(8).byte()).toThrow(OutOfBytes);
  });
});

describe('a list with its number of elements in front', () => {
  const list = (count: number) => new ByteReader(Uint8Array.of(count & 0xff, count >> 8, 1, 2, 3, 4));

  test.each([
    ['is skipped', 2, 2, undefined, 6],
    ['without elements is skipped', 0, 2, undefined, 2],
    ['is none, by the number for none', 0xffff, 2, 0xffff, 2],
  ])('%s', (_, count, elementBytes, none, at) => {
    const one = list(count);
    one.skipList(elementBytes, none);
    expect(one.at).toBe(at);
  });

  test.each([
    [3, 2],
    [0xffff, 2],
  ])('of %i elements that are not there is refused', (count, elementBytes) => {
    expect(() => list(count).skipList(elementBytes)).toThrow(OutOfBytes);
  });
});
