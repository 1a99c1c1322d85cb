/** Compound files and the formulas in them, as the second look's own readers see them. */
import { describe, expect, test } from 'vitest';
import { openCompound } from '../../../lib/engines/inspect/office/compound.ts';
import { formulaFault } from '../../../lib/engines/inspect/office/legacy-formula.ts';
import { compoundFile } from '../office-fixture.ts';

const bytesOf = (length: number, seed: number) =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7 + seed) % 251));

describe('a compound file', () => {
  const small = bytesOf(100, 1);
  const almost = bytesOf(4_095, 2);
  const large = bytesOf(4_096, 3);
  const huge = bytesOf(8_000_000, 4);
  const file = compoundFile({ small, 'a/almost': almost, 'a/b/large': large, '\u0001c': Buffer.of(9) });
  const open = (bytes: Uint8Array) => openCompound(bytes) ?? expect.fail('not opened');

  test('has its streams, short ones and long ones, by their paths', () => {
    const { read, entries } = open(file);
    const hex = (path: string) => Buffer.from(read(path) ?? []).toString('hex');
    expect(hex('small')).toBe(small.toString('hex'));
    expect(hex('a/almost')).toBe(almost.toString('hex'));
    expect(hex('a/b/large')).toBe(large.toString('hex'));
    expect(hex('^1c')).toBe('09');
    expect([read('a'), read('large'), read('nothing')]).toEqual([null, null, null]);
    const paths = entries
      .filter(({ path }) => !path.includes('Sh33tJ5'))
      .map(({ path, isStream }) => `${path}:${isStream}`);
    expect(paths.sort()).toEqual([
      ':false',
      '^1c:true',
      'a/almost:true',
      'a/b/large:true',
      'a/b:false',
      'a:false',
      'small:true',
    ]);
  });

  test('of many sectors, whose table needs a list of its own, is read to its end', () => {
    expect(Buffer.compare(open(compoundFile({ huge })).read('huge') ?? Buffer.alloc(0), huge)).toBe(0);
  });

  test('is none without its first bytes, or when it is too short', () => {
    expect(openCompound(file.subarray(1))).toBeNull();
    expect(openCompound(file.subarray(0, 511))).toBeNull();
    expect(openCompound(Buffer.alloc(2_000))).toBeNull();
  });

  test('whose chains or entries are rings ends', () => {
    const ring = Buffer.from(file);
    const fatAt = (ring.readUInt32LE(0x4c) + 1) * 512;
    for (let at = 0; at < 512; at += 4) ring.writeUInt32LE(at / 4, fatAt + at);
    expect(open(ring).entries.length).toBeGreaterThan(0);
    const entries = Buffer.from(file);
    const directoryAt = (entries.readUInt32LE(0x30) + 1) * 512;
    for (let id = 0; id < 4; id++)
      for (const link of [68, 72, 76]) entries.writeUInt32LE(id, directoryAt + id * 128 + link);
    expect(open(entries).entries).toHaveLength(1);
  });

  test('that is cut anywhere does not throw', () => {
    for (let end = 512; end < file.length; end += 256) openCompound(file.subarray(0, end))?.read('a/b/large');
  });
});

describe('a formula', () => {
  const fault = (tokens: string) => {
    const code = Buffer.from(tokens.replaceAll(' ', ''), 'hex');
    return formulaFault(Buffer.concat([Buffer.of(code.length & 0xff, code.length >> 8), code]), 0);
  };
  /** Tokens of [MS-XLS] 2.5.198 in hexadecimal, by the number of bytes behind them. */
  const LENGTHS: Readonly<Record<number, string>> = {
    0: '03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16',
    1: '1c 1d',
    2: '1e 29 2e 2f',
    4: '01 02 23 2a 2c',
    5: '18',
    6: '26 27 28 39 3a 3c',
    7: '20',
    8: '1f 25 2b 2d',
    10: '3b 3d',
  };
  const tokens = Object.entries(LENGTHS).flatMap(([length, ids]) =>
    ids.split(' ').map((id) => [id, Number(length)] as const),
  );

  test.each(tokens)('may hold the token %s with %i bytes, and a call behind it is found', (id, length) => {
    const token = id + '00'.repeat(length);
    expect(fault(token)).toBeNull();
    expect(fault(`${token} 21 9600`)).toBe('xls-formula');
    if (length > 0) expect(fault(token.slice(0, -2))).toBe('xls-unknown-formula');
  });
  test.each(['44', '64'])('may hold a cell in another class: %s', (id) => {
    expect(fault(`${id} 00000000 21 9600`)).toBe('xls-formula');
  });
  test.each(['00', '1a', '1b', '30', '3e', '3f', '80', 'ff'])('of the unknown token %s is a fault', (id) => {
    expect(fault(`${id} 0000000000000000`)).toBe('xls-unknown-formula');
  });

  test('is read past its texts and choices', () => {
    expect(fault('17 03 00 212121 21 9600')).toBe('xls-formula');
    expect(fault('17 03 01 210021002100 21 9600')).toBe('xls-formula');
    expect(fault('17 03 00 219600')).toBeNull();
    expect(fault('19 40 0000 21 9600')).toBe('xls-formula');
    expect(fault('19 04 0100 00000000 21 9600')).toBe('xls-formula');
    expect(fault('19 04 0000 2196')).toBeNull();
  });

  test.each([53, 54, 55, 110, 123, 139, 149, 150, 166, 178, 186, 201, 257, 267, 304, 379, 0x8001])(
    'calls %i, in both forms',
    (id) => {
      const number = Buffer.of(id & 0xff, id >> 8).toString('hex');
      expect(fault(`21 ${number}`)).toBe('xls-formula');
      expect(fault(`22 01 ${number}`)).toBe('xls-formula');
    },
  );
  test.each([0, 1, 4, 52, 56, 151, 305, 380])('may call %i', (id) => {
    expect(fault(`22 01 ${Buffer.of(id & 0xff, id >> 8).toString('hex')}`)).toBeNull();
  });

  test('links to the web by its first text, and to nothing else', () => {
    const link = (text: string) =>
      `17 ${Buffer.of(text.length).toString('hex')} 00 ${Buffer.from(text).toString('hex')}`;
    expect(fault(`${link('https://a.example/')} ${link('file:///a')} 22 02 6701`)).toBeNull();
    expect(fault(`${link('file:///a')} 22 01 6701`)).toBe('xls-formula');
    expect(fault('22 01 6701')).toBe('xls-formula');
  });

  test('that is longer than its record is damaged', () => {
    expect(formulaFault(Buffer.of(2, 0, 3), 0)).toBe('xls-damaged');
    expect(formulaFault(Buffer.of(2), 0)).toBe('xls-damaged');
    expect(formulaFault(Buffer.of(1, 0, 3), 0)).toBeNull();
    expect(formulaFault(Buffer.of(1, 0, 9, 3), 0, 3)).toBeNull();
  });
});
