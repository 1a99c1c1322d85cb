/** The readers of Outlook's encodings: who reads decides at each fault, and what is readable is read. */
import { describe, expect, test } from 'vitest';
import { decompressRtf } from '../../lib/formats/mapi/compressed-rtf.ts';
import { readPropertyList } from '../../lib/formats/mapi/property-list.ts';
import { readTnefAttributes } from '../../lib/formats/mapi/tnef.ts';
import { tnefAttribute } from '../fixtures/build-tnef.ts';

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

/** What was read, as one line, and the faults. */
function listOf(...pieces: readonly Buffer[]) {
  const faults: string[] = [];
  const found = [...readPropertyList(Buffer.concat(pieces), (fault) => faults.push(fault))];
  return {
    found: found.map(({ id, type, values }) => `${id.toString(16)}:${type.toString(16)}=${values.join(',')}`),
    faults,
  };
}

const TEXT = 0x0037001e;
const hello = [numbers(TEXT, 1, 5), Buffer.from('hello\0\0\0')] as const;

describe('a list of properties', () => {
  test('is read with names, several values, and properties without a value', () => {
    const named = [
      numbers(0x8001001e),
      Buffer.alloc(16),
      numbers(1, 3),
      Buffer.from('a\0\0\0'),
      numbers(1, 2),
      Buffer.from('hi\0\0'),
    ];
    const several = [numbers(0x0035101e, 2, 1), Buffer.from('a\0\0\0'), numbers(1), Buffer.from('b\0\0\0')];
    expect(listOf(numbers(4), ...named, ...several, numbers(0x00340001), ...hello)).toEqual({
      found: ['8001:1e=hi', '35:1e=a,b', '34:1=', '37:1e=hello'],
      faults: [],
    });
  });

  test.each([
    ['cut-off', 1, [numbers(2), ...hello]],
    ['cut-off', 1, [numbers(1, TEXT, 1, 5), Buffer.from('hello')]],
    ['cut-off', 0, [numbers(1, TEXT, 1, 5), Buffer.from('hell')]],
    ['cut-off', 0, [numbers(1, 0x00341003, 0xffffffff, 1)]],
    ['cut-off', 0, [Buffer.from([1, 0])]],
    ['unknown-type', 1, [numbers(2), ...hello, numbers(0x00370099)]],
    ['too-many', 1, [numbers(10_001), ...hello]],
  ] as const)('%s: what stands before it is read (%d)', (fault, count, pieces) => {
    const { found, faults } = listOf(...pieces);
    expect([found.length, faults[0]]).toEqual([count, fault]);
  });

  test('four thousand million values without bytes are read at once', () => {
    const { found } = listOf(numbers(2, 0x00341001, 0xffffffff), ...hello);
    expect(found).toEqual(['34:1=', '37:1e=hello']);
  });
});

describe('a container of attributes', () => {
  const attributes = [tnefAttribute(1, 0x8004, Buffer.from('one')), tnefAttribute(1, 0x800c, Buffer.from('two'))];
  const whole = Buffer.concat([numbers(0x223e9f78), Buffer.alloc(2), ...attributes]);
  const read = (bytes: Buffer) => {
    const faults: string[] = [];
    const texts = [...readTnefAttributes(bytes, (fault) => faults.push(fault))].map(({ data }) => data.toString());
    return { texts, faults };
  };

  test.each([
    [whole, ['one', 'two'], []],
    [whole.subarray(0, -1), ['one', 'two'], ['no-checksum']],
    [whole.subarray(0, -3), ['one', 'tw'], ['cut-off']],
    [whole.subarray(1), [], ['no-signature']],
  ])('gives what there is of it, and says what is missing (%#)', (bytes, texts, faults) => {
    expect(read(bytes)).toEqual({ texts, faults });
  });
});

test('compressed text that claims too much is cut, and a caller that throws gets none', () => {
  const stored = Buffer.concat([numbers(100, 11, 0x414c454d, 0), Buffer.from('{\\rtf hello')]);
  const faults: string[] = [];
  expect(Buffer.from(decompressRtf(stored, 5, (fault) => faults.push(fault)) ?? []).toString()).toBe('{\\rtf');
  expect(decompressRtf(stored.subarray(0, 15), 5, (fault) => faults.push(fault))).toBeNull();
  expect(decompressRtf(Buffer.alloc(16), 5, (fault) => faults.push(fault))).toBeNull();
  expect(faults).toEqual(['too-long', 'cut-off', 'unknown-kind']);
});
