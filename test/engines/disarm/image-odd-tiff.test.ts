/** TIFF files of forms that the codec library does not read, or reads as empty ones. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { plainTiff } from '../../../lib/formats/pictures/plain-tiff.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildTiff } from '../../fixtures/build-tiff.ts';

const run = (bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS) =>
  disarmFile({ bytes, untrustedName: 'a.tif', password: null }, limits);

async function disarmed(bytes: Uint8Array): Promise<Uint8Array> {
  const report = await run(bytes);
  return report.outcome === 'failed' ? expect.fail(report.failure.message) : report.bytes;
}

async function values(bytes: Uint8Array, space = 'srgb', depth: 'uchar' | 'ushort' = 'uchar') {
  const raw = await sharp(bytes).toColourspace(space).raw({ depth }).toBuffer();
  return depth === 'uchar'
    ? [...raw]
    : Array.from({ length: raw.length / 2 }, (_, index) => raw.readUInt16LE(index * 2));
}

/** The fields of a page in one strip. */
const page = (width: number, height: number, bits: number, samples: number, colours: number) => ({
  256: [width],
  257: [height],
  258: Array.from({ length: samples }, () => bits),
  259: [1],
  262: [colours],
  277: [samples],
  278: [height],
});

/** Numbers of so many bits, the highest bit first; each line begins with a new byte. */
function packed(bits: number, ...lines: readonly (readonly number[])[]): Buffer {
  const bytes = lines.map((line) => {
    const text = line.map((value) => value.toString(2).padStart(bits, '0')).join('');
    return (text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
  });
  return Buffer.from(bytes.flat());
}

describe('samples of an odd depth keep their values', () => {
  test.each([10, 12, 14])('greys of %i bits, in 16', async (bits) => {
    const most = 2 ** bits - 1;
    const file = buildTiff({
      fields: page(3, 2, bits, 1, 1),
      data: [packed(bits, [0, most, 1], [2, most - 1, 0])],
    });
    const expected = [0, most, 1, 2, most - 1, 0].map((value) => Math.round((value * 65_535) / most));
    expect(await values(await disarmed(file), 'grey16', 'ushort')).toEqual(expected);
  });

  test('colours of 12 bits, in 16, and greys in which 0 is white', async () => {
    const colours = buildTiff({ fields: page(1, 1, 12, 3, 2), data: [packed(12, [0, 4_095, 2_048])] });
    expect(await values(await disarmed(colours), 'rgb16', 'ushort')).toEqual([0, 65_535, 32_776]);
    const white = buildTiff({ fields: page(2, 1, 6, 1, 0), data: [packed(6, [0, 63])] });
    expect(await values(await disarmed(white), 'b-w')).toEqual([255, 0]);
  });

  test('four bits with transparency, and numbers of three bits in a palette', async () => {
    const seen = buildTiff({
      fields: { ...page(2, 1, 4, 2, 1), 338: [2] },
      data: [packed(4, [15, 15, 3, 5])],
    });
    const rgba = await sharp(await disarmed(seen))
      .raw()
      .toBuffer();
    expect([...rgba]).toEqual([255, 255, 255, 255, 51, 51, 51, 85]);
    const table = Array.from({ length: 24 }, (_, index) => (index === 1 || index === 9 ? 0xffff : 0));
    const numbers = buildTiff({ fields: { ...page(2, 1, 3, 1, 3), 320: table }, data: [packed(3, [0, 1])] });
    expect(await values(await disarmed(numbers))).toEqual([0, 0, 0, 255, 255, 0]);
  });
});

test('planes of tiles are joined, and each tile stands where it belongs', async () => {
  const [width, height] = [20, 18];
  const tile = (plane: number, column: number, row: number) =>
    Buffer.from(Array.from({ length: 256 }, (_, at) => plane * 80 + (column * 16 + (at % 16) + row * 16 + (at >> 4))));
  const tiles = [0, 1, 2].flatMap((plane) => [0, 1].flatMap((row) => [0, 1].map((column) => tile(plane, column, row))));
  const { 278: _, ...fields } = page(width, height, 8, 3, 2);
  const file = buildTiff({ fields: { ...fields, 284: [2], 322: [16], 323: [16] }, data: tiles, isTiled: true });
  const expected = Array.from({ length: width * height }, (_, at) => (at % width) + Math.floor(at / width));
  expect(await values(await disarmed(file))).toEqual(expected.flatMap((value) => [value, value + 80, value + 160]));
});

test.each([
  ['signed', 8, 0],
  ['of ICC', 9, 128],
])('colours of Lab, %s, come out as what they are', async (_, colours, none) => {
  const data = [Buffer.from([255, none, none, 0, none, none, 138, (81 + none) & 255, (70 + none) & 255])];
  const [white, black, red] = [0, 1, 2].map((at) => at * 3);
  const found = await values(await disarmed(buildTiff({ fields: page(3, 1, 8, 3, colours), data })));
  expect(found.slice(white, black)).toEqual([255, 255, 255]);
  expect(found.slice(black, red)).toEqual([0, 0, 0]);
  expect(found[red ?? 0]).toBeGreaterThan(240);
  expect(Math.max(...found.slice((red ?? 0) + 1))).toBeLessThan(40);
});

describe('a JPEG as TIFF 6.0 had it', () => {
  const jpeg = async () =>
    sharp(buildPng({ width: 16, height: 8 }))
      .jpeg({ quality: 100 })
      .toBuffer();
  const old = (data: Buffer, from: number, height = 8) =>
    buildTiff({
      fields: { ...page(16, height, 8, 3, 6), 259: [6], 513: [from], 514: [data.length] },
      data: [data],
    });

  test('comes out as its picture', async () => {
    const data = await jpeg();
    const found = await values(await disarmed(old(data, 8)));
    const wanted = await values(data);
    expect(Math.max(...found.map((value, index) => Math.abs(value - (wanted[index] ?? 0))))).toBeLessThan(2);
  });

  test.each([
    ['is not where the file says', (data: Buffer) => old(data, 9)],
    ['is cut off', (data: Buffer) => old(data.subarray(0, -40), 8)],
    ['has another size', (data: Buffer) => old(data, 8, 16)],
  ])('that %s is refused', async (_, build) => {
    expect(await run(build(await jpeg()))).toMatchObject({ outcome: 'failed' });
  });
});

test('a compression without a decoder is refused, and never comes out as an empty picture', async () => {
  const lzma = buildTiff({ fields: { ...page(4, 4, 8, 3, 2), 259: [34_925] }, data: [Buffer.alloc(48, 7)] });
  expect(await run(lzma)).toMatchObject({ outcome: 'failed', failure: { code: 'unsupported' } });
});

test('pages of one size, of which one is grey and one in colour, all stay', async () => {
  const same = { width: 4, height: 3, hasAlpha: false, profile: null };
  const file = plainTiff(
    { ...same, pixels: Buffer.alloc(12, 200), colours: 'grey' },
    { ...same, pixels: Buffer.from(Array.from({ length: 36 }, (_, at) => (at % 3 === 0 ? 250 : 10))), colours: 'rgb' },
  );
  const { data, info } = await sharp(await disarmed(file), { animated: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 4, height: 6, channels: 3 });
  expect([...data.subarray(0, 3), ...data.subarray(-3)]).toEqual([200, 200, 200, 250, 10, 10]);
});

test.each([
  ['claims more pixels than the limit', { ...page(60_000, 60_000, 12, 1, 1) }, 'oversize'],
  ['claims more channels than a picture has', { ...page(8, 8, 12, 60, 1) }, 'unsupported'],
  ['ends before its pixels', { ...page(100, 100, 12, 1, 1) }, 'unreadable'],
])('one of 12 bits that %s is refused', async (_, fields, code) => {
  const file = buildTiff({ fields, data: [Buffer.alloc(100)] });
  expect(await run(file)).toMatchObject({ outcome: 'failed', failure: { code } });
});
