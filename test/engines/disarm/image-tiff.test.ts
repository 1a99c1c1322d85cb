/** TIFF keeps how its pixels are packed, and greys and deep samples stay in every format that has them. */
import sharp, { type TiffOptions } from 'sharp';
import { expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { jpegTiff, tiffDensity } from '../../../lib/engines/disarm/image/tiff.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';

const SIZE = { width: 64, height: 48 };

const tiff = (options: TiffOptions) =>
  sharp({ create: { ...SIZE, channels: 3, background: '#c04020' } })
    .tiff(options)
    .toBuffer();

async function disarmed(bytes: Uint8Array): Promise<Uint8Array> {
  const report = await disarmFile({ bytes, untrustedName: 'a.tiff', password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  return report.bytes;
}

test('halved colour is recognised, and stays halved', async () => {
  const input = await tiff({ compression: 'jpeg', quality: 80 });
  expect(jpegTiff(input)).toEqual({ hasHalfColour: true });
  expect(jpegTiff(await disarmed(input))).toEqual({ hasHalfColour: true });
});

test('whole colour is recognised, and stays whole', async () => {
  const input = await tiff({ compression: 'jpeg', quality: 95 });
  expect(jpegTiff(input)).toEqual({ hasHalfColour: false });
  expect(jpegTiff(await disarmed(input))).toEqual({ hasHalfColour: false });
});

test('other ways of packing are not taken for JPEG', async () => {
  const input = await tiff({ compression: 'lzw' });
  expect(jpegTiff(input)).toBeNull();
  expect(jpegTiff(await disarmed(input))).toBeNull();
  for (let length = 0; length < 16; length += 1) expect(jpegTiff(input.subarray(0, length))).toBeNull();
});

test('pages of several sizes all stay, the smaller ones with white margins', async () => {
  const input = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c04020' } })
    .tiff({ tile: true, tileWidth: 16, tileHeight: 16, pyramid: true, compression: 'lzw' })
    .toBuffer();
  const sizes = async (bytes: Uint8Array) => {
    const { pages = 1 } = await sharp(bytes).metadata();
    const each = Array.from({ length: pages }, (_, page) => sharp(bytes, { page }).metadata());
    return (await Promise.all(each)).map(({ width, height }) => `${width}x${height}`);
  };
  expect(new Set(await sizes(input)).size).toBeGreaterThan(1);
  const output = await disarmed(input);
  expect(await sizes(output)).toEqual((await sizes(input)).map(() => '64x48'));
  const corner = (left: number, top: number) =>
    sharp(output, { page: 1 }).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  expect([...(await corner(0, 0))]).toEqual([0xc0, 0x40, 0x20]);
  expect([...(await corner(63, 47))]).toEqual([255, 255, 255]);
});

/** Samples of a picture in which each differs from its neighbour. */
const samples = (channels: 1 | 3) =>
  sharp(
    Uint16Array.from({ length: 12 * 8 * channels }, (_, at) => (at * 677) % 65_536),
    { raw: { width: 12, height: 8, channels } },
  );
const raw = (bytes: Uint8Array, space: string) => sharp(bytes).toColourspace(space).raw({ depth: 'ushort' }).toBuffer();

test.each([
  ['png', 1, 'grey16'],
  ['png', 3, 'rgb16'],
  ['tiff', 1, 'grey16'],
  ['tiff', 3, 'rgb16'],
] as const)('a %s of %i samples of 16 bits keeps each of them', async (format, channels, space) => {
  const picture = samples(channels).toColourspace(space);
  const input = await (format === 'tiff' ? picture.tiff({ compression: 'lzw' }) : picture.png()).toBuffer();
  const output = await disarmed(input);
  expect(await sharp(output).metadata()).toMatchObject({ format, depth: 'ushort', space });
  expect(Buffer.compare(await raw(output, space), await raw(input, space))).toBe(0);
});

test.each(['png', 'tiff', 'jpeg'] as const)('a grey %s stays grey', async (format) => {
  const input = await sharp({ create: { ...SIZE, channels: 3, background: '#707070' } })
    .toColourspace('b-w')
    .toFormat(format)
    .toBuffer();
  expect(await sharp(await disarmed(input)).metadata()).toMatchObject({ format, channels: 1, space: 'b-w' });
});

test('a page of a fax machine stays black and white, small, and as high as on paper', async () => {
  const lines = Buffer.from(Array.from({ length: 64 * 48 }, (_, at) => (at % 7 === 0 ? 0 : 255)));
  const input = await sharp(lines, { raw: { ...SIZE, channels: 1 } })
    .toColourspace('b-w')
    .tiff({ bitdepth: 1, compression: 'ccittfax4', xres: 204 / 25.4, yres: 98 / 25.4 })
    .toBuffer();
  const output = await disarmed(input);
  expect(await sharp(output).metadata()).toMatchObject({ bitsPerSample: 1, channels: 1 });
  expect(output.length).toBeLessThan(input.length * 1.2);
  const { xres, yres } = tiffDensity(output);
  expect([Math.round(xres * 25.4), Math.round(yres * 25.4)]).toEqual([204, 98]);
  const pixels = (bytes: Uint8Array) => sharp(bytes).toColourspace('b-w').raw().toBuffer();
  expect(Buffer.compare(await pixels(output), await pixels(input))).toBe(0);
});

test('the density is read in inches and centimetres, and is the usual one where there is none', async () => {
  const [inch, cm] = await Promise.all(
    (['inch', 'cm'] as const).map((resolutionUnit) => tiff({ xres: 10, yres: 20, resolutionUnit })),
  );
  for (const each of [inch, cm]) expect(tiffDensity(each as Buffer)).toMatchObject({ xres: 10, yres: 20 });
  const usual = { xres: 72 / 25.4, yres: 72 / 25.4 };
  const bytes = inch as Buffer;
  for (const length of [4, 9, 20]) expect(tiffDensity(bytes.subarray(0, length))).toEqual(usual);
  // No unit.
  const none = Buffer.from(bytes);
  const field = Buffer.from([0x28, 1, 3, 0, 1, 0, 0, 0]);
  none.writeUInt16LE(1, none.indexOf(field) + 8);
  expect(tiffDensity(none)).toEqual(usual);
});

test('ink becomes the colours that its profile gives it', async () => {
  const input = await sharp({ create: { ...SIZE, channels: 3, background: '#c04020' } })
    .toColourspace('cmyk')
    .withIccProfile('cmyk')
    .tiff({ compression: 'lzw' })
    .toBuffer();
  expect(await sharp(input).metadata()).toMatchObject({ space: 'cmyk', hasProfile: true });
  const [red = 0, green = 0, blue = 0] = await sharp(await disarmed(input))
    .raw()
    .toBuffer();
  for (const [was, is] of [
    [0xc0, red],
    [0x40, green],
    [0x20, blue],
  ] as const)
    expect(Math.abs(was - is)).toBeLessThan(12);
});
