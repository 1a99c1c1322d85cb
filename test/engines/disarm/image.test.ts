import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/image/image.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../lib/engines/engine.ts';
import { describeType, type FileType } from '../../../lib/formats/file-types.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildZip } from '../../fixtures/build-office.ts';

function run(bytes: Uint8Array, type: FileType, limits = DEFAULT_ENGINE_LIMITS) {
  return disarm({ bytes, untrustedName: '', password: null }, describeType(type), limits);
}

const half = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2);
const pixels = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();

describe('a PNG', () => {
  test('loses its text and the archive behind it, and keeps every pixel', async () => {
    const appended = await buildZip([['evil.exe', 'MZ']]);
    const report = await run(buildPng({ comment: 'secret', appended }), 'image/png');
    expect(report.outcome).toBe('disarmed');
    expect(report.details.map(({ kind }) => kind).sort()).toEqual(['appended data', 'metadata']);
    expect(Buffer.from(report.bytes).toString('latin1')).not.toMatch(/secret|evil/);
    expect(Buffer.compare(await pixels(report.bytes), await pixels(buildPng()))).toBe(0);
  });

  test('gives the same bytes in a second pass', async () => {
    const once = await run(buildPng(), 'image/png');
    const twice = await run(once.bytes, 'image/png');
    expect(Buffer.compare(twice.bytes, once.bytes)).toBe(0);
  });

  test.each([
    ['more pixels than the limit', buildPng({ width: 200, height: 200 }), 'oversize'],
    ['half its bytes', half(buildPng({ width: 200, height: 200 })), 'unreadable'],
    ['another format behind its name', Buffer.from('GIF89a'), 'unreadable'],
  ])('with %s is refused', async (_what, bytes, code) => {
    const limits = { ...DEFAULT_ENGINE_LIMITS, pixels: code === 'oversize' ? 10_000 : 1_000_000 };
    await expect(run(bytes, 'image/png', limits)).rejects.toSatisfy(
      (error) => error instanceof EngineError && error.code === code,
    );
  });
});

describe('other formats', () => {
  test('a JPEG is turned as its EXIF data says and loses that data', async () => {
    const jpeg = await sharp(buildPng({ width: 20, height: 10 }))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const report = await run(jpeg, 'image/jpeg');
    expect(report.details.map(({ kind }) => kind)).toEqual(['metadata']);
    expect(await sharp(report.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 10, height: 20 });
    expect(Buffer.from(report.bytes).includes('Exif')).toBe(false);
  });

  test.each(['jpeg', 'tiff'] as const)('a %s keeps its density, by which pages are laid out', async (format) => {
    const picture = await sharp(buildPng()).withMetadata({ density: 300 }).toFormat(format).toBuffer();
    const { bytes } = await run(picture, `image/${format}`);
    expect(await sharp(bytes).metadata()).toMatchObject({ format, density: 300 });
    expect(await pixels(bytes)).toHaveLength((await pixels(picture)).length);
    expect(Buffer.from(bytes).includes('Exif')).toBe(false);
  });

  test.each([
    ['a lossless WebP keeps each pixel', true, 'VP8L'],
    ['a WebP with losses stays one', false, 'VP8 '],
  ])('%s', async (_, lossless, kind) => {
    const webp = await sharp(buildPng({ seed: 3 }))
      .removeAlpha()
      .webp({ lossless })
      .toBuffer();
    const { bytes } = await run(webp, 'image/webp');
    expect(Buffer.from(bytes).toString('latin1', 12, 16)).toBe(kind);
    if (lossless) expect(await pixels(bytes)).toEqual(await pixels(webp));
  });

  test('an animated lossless WebP keeps its frames, and each pixel of them', async () => {
    const frames = [buildPng(), buildPng({ seed: 5 })];
    const webp = await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer();
    const { bytes } = await run(webp, 'image/webp');
    const all = (from: Uint8Array) => sharp(from, { animated: true }).removeAlpha().raw().toBuffer();
    expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({ pages: 2 });
    expect(await all(bytes)).toEqual(await all(webp));
  });

  test('a JPEG of several pictures keeps the one that is shown, and the report names the others as pictures', async () => {
    const jpeg = await sharp(buildPng()).jpeg().toBuffer();
    const kinds = async (...parts: Uint8Array[]) =>
      (await run(Buffer.concat([jpeg, ...parts]), 'image/jpeg')).details.map(({ kind }) => kind);
    expect(await kinds(jpeg, Buffer.alloc(3), jpeg)).toEqual(['other frames and pages']);
    expect(await kinds(jpeg, Buffer.from('hidden'))).toEqual(['appended data']);
  });

  test('an animated GIF keeps its frames', async () => {
    const frames = [buildPng(), buildPng({ width: 16, height: 16, seed: 5 })];
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ loop: 0 })
      .toBuffer();
    const report = await run(gif, 'image/gif');
    expect(await sharp(report.bytes, { animated: true }).metadata()).toMatchObject({ pages: 2, pageHeight: 16 });
  });

  test('a bitmap becomes a PNG with the same pixels', async () => {
    const bmp = Buffer.alloc(54 + 16);
    bmp.write('BM', 0, 'latin1');
    bmp.writeUInt32LE(54, 10);
    bmp.writeUInt32LE(40, 14);
    bmp.writeInt32LE(2, 18);
    bmp.writeInt32LE(2, 22);
    bmp.writeUInt16LE(24, 28);
    bmp.set([1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0], 54);
    const report = await run(bmp, 'image/bmp');
    expect(report.type.extension).toBe('png');
    expect([...(await pixels(report.bytes))]).toEqual([9, 8, 7, 12, 11, 10, 3, 2, 1, 6, 5, 4]);
  });
});

describe('a JPEG that was cut comes out as viewers show it, and the report says so', () => {
  const jpeg = () =>
    sharp(buildPng({ width: 64, height: 48 }))
      .jpeg()
      .toBuffer();

  test.each([
    ['without its end mark', 2],
    ['without its last lines', 300],
  ])('%s', async (_, missing) => {
    const whole = await jpeg();
    const report = await run(whole.subarray(0, whole.length - missing), 'image/jpeg');
    expect(report.details).toEqual([{ kind: 'damaged structure', action: 'sanitized', where: 'picture file' }]);
    expect(await sharp(report.bytes, { failOn: 'warning' }).metadata()).toMatchObject({ width: 64, height: 48 });
    const [before, after] = await Promise.all([pixels(whole), pixels(report.bytes)]);
    expect(Math.abs((before[0] ?? 0) - (after[0] ?? 0))).toBeLessThan(16);
  });

  test('a cut JPEG beyond the limits is refused', async () => {
    const limits = { ...DEFAULT_ENGINE_LIMITS, pixels: 100 };
    await expect(run(half(await jpeg()), 'image/jpeg', limits)).rejects.toMatchObject({ code: 'oversize' });
  });
});
