import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/image/image.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { describeType, type FileType } from '../../../lib/formats/file-types.ts';
import { verdictOn } from '../static/analyse.ts';

function run(bytes: Uint8Array, type: FileType) {
  return disarm({ bytes, untrustedName: '', password: null }, describeType(type), DEFAULT_ENGINE_LIMITS);
}

const pixels = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();

describe('a bitmap of', () => {
  /** Two pixels a row, two rows. */
  function bitmap(bits: number, palette: readonly number[], rows: readonly number[], compression = 0): Uint8Array {
    const header = Buffer.alloc(54);
    header.write('BM', 0, 'latin1');
    header.writeUInt32LE(54 + palette.length, 10);
    header.writeUInt32LE(40, 14);
    header.writeInt32LE(2, 18);
    header.writeInt32LE(2, 22);
    header.writeUInt16LE(bits, 28);
    header.writeUInt32LE(compression, 30);
    header.writeUInt32LE(bits > 8 ? 0 : palette.length / 4, 46);
    return Buffer.concat([header, Buffer.from(palette), Buffer.from(rows)]);
  }
  const two = [10, 20, 30, 0, 40, 50, 60, 0];
  const [first, second] = [
    [30, 20, 10],
    [60, 50, 40],
  ];

  test.each([
    ['2 bits', bitmap(2, two, [0b00010000, 0, 0, 0, 0b01000000, 0, 0, 0])],
    ['1 bit', bitmap(1, two, [0b01000000, 0, 0, 0, 0b10000000, 0, 0, 0])],
    ['4 bits', bitmap(4, two, [0x01, 0, 0, 0, 0x10, 0, 0, 0])],
    ['8 bits', bitmap(8, two, [0, 1, 0, 0, 1, 0, 0, 0])],
  ])('%s has the colours of its table', async (_, bytes) => {
    const report = await run(bytes, 'image/bmp');
    expect([...(await pixels(report.bytes))]).toEqual([second, first, first, second].flat());
  });

  test('16 bits has five of each colour', async () => {
    const report = await run(bitmap(16, [], [0x00, 0x7c, 0xe0, 0x03, 0x1f, 0x00, 0xff, 0x7f]), 'image/bmp');
    expect([...(await pixels(report.bytes))]).toEqual([0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255, 0]);
  });

  test.each([
    ['8 packed bits', bitmap(8, two, [2, 1, 0, 0, 0, 3, 0, 1, 0, 9, 0, 1], 1), [first, second, second, second]],
    ['8 packed bits that jump', bitmap(8, two, [0, 2, 1, 1, 1, 1, 0, 1], 1), [first, second, first, first]],
    ['4 packed bits', bitmap(4, two, [2, 0x01, 0, 0, 0, 3, 0x10, 0x90, 0, 1], 2), [second, first, first, second]],
  ])('%s has the pixels that its runs say, and none beside them', async (_, bytes, expected) => {
    const report = await run(bytes, 'image/bmp');
    expect([...(await pixels(report.bytes))]).toEqual(expected.flat());
  });

  test.each([
    ['runs that end early', bitmap(8, two, [2, 0, 0, 0].slice(0, 2), 1), 'unreadable'],
    ['runs of another depth', bitmap(4, two, [2, 0, 0, 1], 1), 'unsupported'],
    ['a compression of its own', bitmap(24, [], [0, 0, 0, 0, 0, 0, 0, 0], 4), 'unsupported'],
  ])('%s is refused', async (_, bytes, code) => {
    await expect(run(bytes, 'image/bmp')).rejects.toMatchObject({ code });
  });

  test('OS/2 1, with short sides and colours of three bytes, comes out as a PNG and is found harmless', async () => {
    const header = Buffer.alloc(26);
    header.write('BM', 0, 'latin1');
    header.writeUInt32LE(26 + 6 + 8, 2);
    header.writeUInt32LE(26 + 6, 10);
    header.writeUInt32LE(12, 14);
    for (const [at, value] of [
      [18, 2],
      [20, 2],
      [22, 1],
      [24, 8],
    ] as const)
      header.writeUInt16LE(value, at);
    const bytes = Buffer.concat([header, Buffer.from([10, 20, 30, 40, 50, 60]), Buffer.from([0, 1, 0, 0, 1, 0, 0, 0])]);
    const report = await run(bytes, 'image/bmp');
    expect([...(await pixels(report.bytes))]).toEqual([second, first, first, second].flat());
    expect(await verdictOn(bytes, 'a.bmp')).toMatch(/^benign/);
  });

  /** With masks behind a header of 40 bytes, or in a longer one. */
  function withMasks(headerBytes: number, masks: readonly number[], values: readonly number[], compression = 3) {
    const header = Buffer.alloc(14 + Math.max(headerBytes, 40 + masks.length * 4));
    Buffer.from(bitmap(32, [], [], compression)).copy(header);
    header.writeUInt32LE(header.length, 10);
    header.writeUInt32LE(headerBytes, 14);
    masks.forEach((mask, index) => void header.writeUInt32LE(mask, 54 + index * 4));
    const rows = Buffer.alloc(16);
    values.forEach((value, index) => void rows.writeUInt32LE(value, index * 4));
    return Buffer.concat([header, rows]);
  }
  const OTHER_ORDER = [0xff, 0xff00, 0xff0000];
  const TEN_BITS = [0x3ff, 0xffc00, 0x3ff00000];
  const EACH = [0x00_00_00_80, 0, 0, 0x00_ff_00_00];

  test.each([
    ['red first', withMasks(40, OTHER_ORDER, EACH)],
    ['red first, in a later header', withMasks(124, [...OTHER_ORDER, 0], EACH)],
    ['ten bits of each', withMasks(40, TEN_BITS, [0x202, 0, 0, 0x3ff00000])],
    ['a mask for what is seen, which nothing says', withMasks(56, [...OTHER_ORDER, 0xff000000], EACH)],
  ])('32 bits with %s has the colours that its masks say', async (_, bytes) => {
    const report = await run(bytes, 'image/bmp');
    expect([...(await pixels(report.bytes))]).toEqual([0, 0, 0, 0, 0, 255, 128, 0, 0, 0, 0, 0]);
    expect((await sharp(report.bytes).metadata()).hasAlpha).toBe(false);
  });

  test.each([
    ['a later header', withMasks(108, [...OTHER_ORDER, 0xff000000], [0x40_00_00_80, 0, 0, 0xff_00_00_80])],
    ['its own compression', withMasks(40, [...OTHER_ORDER, 0xff000000], [0x40_00_00_80, 0, 0, 0xff_00_00_80], 6)],
  ])('32 bits that is seen through, as %s says, stays so', async (_, bytes) => {
    const report = await run(bytes, 'image/bmp');
    expect([...(await sharp(report.bytes).raw().toBuffer())].slice(4)).toEqual([
      128, 0, 0, 255, 128, 0, 0, 64, 0, 0, 0, 0,
    ]);
  });

  test('runs with the top row first, and 24 bits in runs of OS/2 2, have their pixels', async () => {
    const turned = Buffer.from(bitmap(8, two, [2, 1, 0, 0, 2, 0, 0, 1], 1));
    turned.writeInt32LE(-2, 22);
    expect([...(await pixels((await run(turned, 'image/bmp')).bytes))]).toEqual([second, second, first, first].flat());
    const header = Buffer.alloc(14 + 64);
    Buffer.from(bitmap(24, [], [], 4)).copy(header);
    header.writeUInt32LE(header.length, 10);
    header.writeUInt32LE(64, 14);
    const os2 = Buffer.concat([header, Buffer.from([2, 10, 20, 30, 0, 0, 1, 40, 50, 60, 1, 10, 20, 30, 0, 1])]);
    expect([...(await pixels((await run(os2, 'image/bmp')).bytes))]).toEqual([second, first, first, first].flat());
  });

  test('8 bits keeps its pixels when the file forgets its colours, or the bytes that fill the last row', async () => {
    const whole = bitmap(8, two, [0, 1, 0, 0, 1, 0, 0, 0]);
    const forgets = Buffer.from(whole);
    forgets.writeUInt32LE(54, 10);
    for (const bytes of [forgets, whole.subarray(0, -2)]) {
      const report = await run(bytes, 'image/bmp');
      expect([...(await pixels(report.bytes))]).toEqual([second, first, first, second].flat());
    }
    await expect(run(whole.subarray(0, -3), 'image/bmp')).rejects.toMatchObject({ code: 'unreadable' });
  });
});
