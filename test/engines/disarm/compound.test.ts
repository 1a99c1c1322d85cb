import { describe, expect, test } from 'vitest';
import { readCompoundFile } from '../../../lib/engines/disarm/compound/read.ts';
import { writeCompoundFile } from '../../../lib/engines/disarm/compound/write.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../lib/engines/engine.ts';
import { compoundFile } from '../office-fixture.ts';
import { streamsOf } from './legacy-contents.ts';

const CLSID = '0609020000000000c000000000000046';
const write = (streams: Readonly<Record<string, Uint8Array>>) =>
  writeCompoundFile({ clsid: CLSID, streams: new Map(Object.entries(streams)) });
const read = (bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS) =>
  Object.fromEntries([...readCompoundFile(bytes, limits).values()].map(({ path, read: content }) => [path, content()]));

function filled(length: number, seed: number): Buffer {
  const out = Buffer.alloc(length);
  for (let index = 0; index < length; index++) out[index] = (index * 31 + seed) & 0xff;
  return out;
}

const STREAMS = {
  small: filled(100, 1),
  edge: filled(4096, 2),
  below: filled(4095, 3),
  large: filled(70_001, 4),
  '_SX_DB_CUR/0001': filled(65, 5),
};

test('our reader and another reader read back what was written', () => {
  const bytes = write(STREAMS);
  expect(read(bytes)).toEqual(STREAMS);
  expect(Object.fromEntries(streamsOf(bytes))).toEqual(STREAMS);
  expect(Buffer.compare(bytes, write(STREAMS))).toBe(0);
});

test('a file of more than 109 table sectors is written and read', () => {
  const big = { big: filled(8 * 1024 * 1024, 6), other: filled(10, 7) };
  expect(read(write(big)).big?.equals(big.big)).toBe(true);
  expect(streamsOf(write(big)).get('big')?.equals(big.big)).toBe(true);
});

test('a file of another program is read', () => {
  expect(read(compoundFile({ one: STREAMS.large, two: STREAMS.small }))).toMatchObject({
    one: STREAMS.large,
    two: STREAMS.small,
  });
});

describe('a hostile file is refused', () => {
  const failure = (change: (bytes: Buffer) => Buffer | undefined, limits = DEFAULT_ENGINE_LIMITS) => {
    const bytes = write(STREAMS);
    try {
      read(change(bytes) ?? bytes, limits);
      return 'read';
    } catch (error) {
      return error instanceof EngineError ? error.code : String(error);
    }
  };
  const directory = (bytes: Buffer) => (bytes.readUInt32LE(0x30) + 1) * 512;
  const entry = (bytes: Buffer, name: string) => {
    for (let at = directory(bytes); ; at += 128)
      if (bytes.toString('utf16le', at, at + name.length * 2) === name) return at;
  };
  const fat = 512;

  test.each([
    [
      'a chain that loops',
      (bytes: Buffer) =>
        void bytes.writeUInt32LE(
          bytes.readUInt32LE(entry(bytes, 'large') + 116),
          fat + 4 * (bytes.readUInt32LE(entry(bytes, 'large') + 116) + 3),
        ),
    ],
    [
      'two streams over one sector',
      (bytes: Buffer) =>
        void bytes.writeUInt32LE(bytes.readUInt32LE(entry(bytes, 'large') + 116), entry(bytes, 'edge') + 116),
    ],
    [
      'two small streams over one sector',
      (bytes: Buffer) =>
        void bytes.writeUInt32LE(bytes.readUInt32LE(entry(bytes, 'below') + 116), entry(bytes, 'small') + 116),
    ],
    [
      'a stream that claims gigabytes',
      (bytes: Buffer) => void bytes.writeUInt32LE(0xfffffff0, entry(bytes, 'large') + 120),
    ],
    ['a stream that ends early', (bytes: Buffer) => void bytes.writeUInt32LE(90_000, entry(bytes, 'large') + 120)],
    [
      'a directory that is a ring',
      (bytes: Buffer) =>
        void bytes.writeUInt32LE(bytes.readUInt32LE(directory(bytes) + 76), entry(bytes, 'small') + 68),
    ],
    ['two streams of one name', (bytes: Buffer) => void bytes.write('SMALL', entry(bytes, 'large'), 'utf16le')],
    [
      'a directory chain that loops',
      (bytes: Buffer) => void bytes.writeUInt32LE(bytes.readUInt32LE(0x30), fat + 4 * bytes.readUInt32LE(0x30)),
    ],
    ['sectors of an unknown size', (bytes: Buffer) => void bytes.writeUInt16LE(20, 0x1e)],
    ['nothing behind its header', (bytes: Buffer) => bytes.subarray(0, 512)],
    ['no header', () => Buffer.alloc(4096)],
  ])('with %s', (_what, change) => {
    expect(failure(change)).toBe('unreadable');
  });

  test('with more streams than the limit', () => {
    expect(failure(() => undefined, { ...DEFAULT_ENGINE_LIMITS, entries: 3 })).toBe('oversize');
  });
});
