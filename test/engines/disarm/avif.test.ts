/** AVIF is decoded, and written as a picture that every program knows. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { identifyFile } from '../../../lib/formats/detection/file-type.ts';

const run = (bytes: Uint8Array) =>
  disarmFile({ bytes, untrustedName: 'a.avif', password: null }, DEFAULT_ENGINE_LIMITS);
const made = (alpha: number) =>
  sharp({ create: { width: 60, height: 40, channels: 4, background: { r: 200, g: 30, b: 30, alpha } } });
const photo = () =>
  made(1)
    .removeAlpha()
    .withExif({ IFD0: { Artist: 'SECRET' } })
    .avif()
    .toBuffer();

test('a photograph becomes a JPEG of the same size and colour, without what it says about its maker', async () => {
  const original = await photo();
  expect(original.includes('SECRET')).toBe(true);
  const report = await run(original);
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  expect(report.type.type).toBe('image/jpeg');
  expect(Buffer.from(report.bytes).includes('SECRET')).toBe(false);
  const { data, info } = await sharp(report.bytes).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([60, 40]);
  for (const [channel, value] of [200, 30, 30].entries())
    expect(Math.abs((data[channel] ?? 0) - value)).toBeLessThan(8);
});

test('a transparent picture becomes a PNG', async () => {
  const report = await run(await made(0.5).avif().toBuffer());
  expect(report).toMatchObject({ type: { type: 'image/png' } });
});

test('nothing that stands behind or within the file is left', async () => {
  const report = await run(Buffer.concat([await photo(), Buffer.from('<script>airlocklive</script>PK\x03\x04')]));
  expect(report.outcome === 'failed' || !Buffer.from(report.bytes).includes('airlocklive')).toBe(true);
});

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
  ['without samples', (bytes: Buffer) => bytes.subarray(0, bytes.indexOf('mdat'))],
  ['only its brand', (bytes: Buffer) => bytes.subarray(0, 32)],
  [
    'with boxes that lie',
    (bytes: Buffer) => Buffer.from(bytes).fill(0xff, bytes.indexOf('iprp') - 4, bytes.indexOf('iprp')),
  ],
  ['with the brand of another codec', (bytes: Buffer) => Buffer.from(bytes).fill('heic', 8, 12)],
  ['with a page in it', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 24), Buffer.from('<html><script>')])],
])('a picture %s is refused or comes out as pixels', async (_, change) => {
  const report = await run(change(await photo()));
  expect(report.outcome === 'failed' ? 'refused' : report.type.type).toMatch(/^(?:refused|image\/jpeg)$/);
});

test('a picture that claims more pixels than the limit is refused', async () => {
  const bytes = Buffer.from(await photo());
  const size = bytes.indexOf('ispe') + 8;
  bytes.writeUInt32BE(60_000, size);
  bytes.writeUInt32BE(60_000, size + 4);
  expect(await run(bytes)).toMatchObject({ outcome: 'failed' });
});

test('policy takes it for a picture, and not what only begins like one', async () => {
  const hints = { untrustedNames: ['a.avif'], declaredType: 'image/avif', role: 'attachment' as const };
  expect(identifyFile(await photo(), hints).typeGroup).toBe('image');
  expect(identifyFile(Buffer.from('\0\0\0\x1cftypmiaf\0\0\0\0'), hints).typeGroup).toBe('other');
});
