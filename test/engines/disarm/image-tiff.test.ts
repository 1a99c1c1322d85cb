/** JPEG in TIFF keeps its resolution of colour. */
import sharp, { type TiffOptions } from 'sharp';
import { expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { jpegTiff } from '../../../lib/engines/disarm/image/tiff.ts';
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
