/** HEIC is decoded, and written as a picture that every program knows. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { identifyFile } from '../../../lib/formats/detection/file-type.ts';
import { buildHeic, type Heic } from '../../fixtures/build-heic.ts';

const run = (bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS) =>
  disarmFile({ bytes, untrustedName: 'a.heic', password: null }, limits);

async function disarmed(made: Heic) {
  const report = await run(buildHeic(made));
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  return report;
}

const COLOURS = { red: [255, 0, 0], green: [0, 255, 0], blue: [0, 0, 255], white: [255, 255, 255] } as const;

/** The names of the colours at the corners of each quarter of 64 x 64 pixels: top left, top right, bottom left, bottom right. */
async function cornersOf(bytes: Uint8Array): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  const name = (pixel: readonly number[]) =>
    Object.entries(COLOURS).find(([, colour]) =>
      colour.every((value, index) => Math.abs(value - (pixel[index] ?? 0)) < 40),
    )?.[0];
  const [right, bottom] = [info.width - 16, info.height - 16];
  return [at(16, 16), at(right, 16), at(16, bottom), at(right, bottom)].map(name).join(' ');
}

test('a photograph becomes a JPEG of the same pixels', async () => {
  const report = await disarmed({});
  expect(report.type.type).toBe('image/jpeg');
  expect(await sharp(report.bytes).metadata()).toMatchObject({ width: 64, height: 64 });
  expect(await cornersOf(report.bytes)).toBe('red green blue white');
});

// An Exif block that says the same as the file would turn the picture a second time.
const TURNED = Buffer.from('4d4d002a0000000800010112000300000001000600000000', 'hex');

test.each<readonly [string, Heic, string]>([
  ['a quarter turn against the clock', { turns: 1 }, 'green white red blue'],
  ['a quarter turn that Exif says, too', { turns: 3, exif: TURNED }, 'blue red white green'],
  ['Exif alone, which no program heeds', { exif: TURNED }, 'red green blue white'],
  ['half a turn', { turns: 2 }, 'white blue green red'],
  ['top and bottom exchanged', { mirror: 0 }, 'blue white red green'],
  ['left and right exchanged', { mirror: 1 }, 'green red white blue'],
])('the picture is turned once by %s', async (_, made, corners) => {
  expect(await cornersOf((await disarmed(made)).bytes)).toBe(corners);
});

test('the tiles of a photograph of a telephone are put together', async () => {
  const report = await disarmed({ grid: [3, 2], turns: 1 });
  expect(await sharp(report.bytes).metadata()).toMatchObject({ width: 128, height: 192 });
  expect(await cornersOf(report.bytes)).toBe('green white red blue');
});

test('a picture that can be seen through becomes a PNG', async () => {
  const report = await disarmed({ hasAlpha: true });
  expect(report.type.type).toBe('image/png');
  const { data } = await sharp(report.bytes).raw().toBuffer({ resolveWithObject: true });
  // The alpha picture is the same picture, in which white is bright and blue is dark.
  expect(data[(60 * 64 + 60) * 4 + 3]).toBeGreaterThan(240);
  expect(data[(60 * 64 + 4) * 4 + 3]).toBeLessThan(80);
});

test('a colour profile is read and goes', async () => {
  const wide = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  const { icc } = await sharp(wide).metadata();
  if (icc === undefined) throw new Error('no profile');
  const report = await disarmed({ profile: icc });
  const shown = await sharp(report.bytes).metadata();
  expect(shown.icc).toBeUndefined();
  expect(await cornersOf(report.bytes)).toBe('red green blue white');
});

test('what the file says about camera and place goes, and other pictures in it go, and both is said', async () => {
  const exif = Buffer.concat([TURNED, Buffer.from('SECRET')]);
  const report = await disarmed({ exif, others: 2, behind: Buffer.from('<script>airlocklive</script>PK\x03\x04') });
  expect(report.details.map(({ kind }) => kind).sort()).toEqual(['metadata', 'other frames and pages']);
  expect(Buffer.from(report.bytes).toString('latin1')).not.toMatch(/SECRET|airlocklive|Exif|ftyp/);
});

const BYTES = buildHeic();
test.each<readonly [string, Buffer]>([
  ['cut off', BYTES.subarray(0, -30)],
  ['without pixels', BYTES.subarray(0, BYTES.indexOf('mdat') - 4)],
  ['only its brand', BYTES.subarray(0, 24)],
  ['with boxes that lie', Buffer.from(BYTES).fill(0xff, BYTES.indexOf('iprp') - 4, BYTES.indexOf('iprp'))],
  ['of another codec', buildHeic({ codec: 'av01' })],
  ['with data elsewhere', Buffer.from(BYTES).fill(0x7f, BYTES.indexOf('iloc') + 20, BYTES.indexOf('iloc') + 24)],
  ['that shows a smaller picture than it states', buildHeic({ size: [4000, 3000] })],
  ['that states more pixels than the limit', buildHeic({ size: [60_000, 60_000] })],
  ['whose tiles are larger than the whole', buildHeic({ grid: [4, 4], size: [16, 16] })],
])('a picture %s is refused', async (_, bytes) => {
  expect((await run(bytes)).outcome).toBe('failed');
});

test('the limit of pixels counts before anything is decoded', async () => {
  const report = await run(buildHeic({ grid: [4, 4] }), { ...DEFAULT_ENGINE_LIMITS, pixels: 64 * 64 * 16 - 1 });
  expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
  expect((await run(buildHeic({ grid: [4, 4] }))).outcome).toBe('disarmed');
});

test('policy takes it for a picture by its brands, and a file of unknown brands for none', () => {
  const hints = { untrustedNames: ['a.heic'], declaredType: 'image/heic', role: 'attachment' as const };
  const groupOf = (made: Heic) => identifyFile(buildHeic(made), hints).typeGroup;
  expect(groupOf({})).toBe('image');
  expect(groupOf({ brand: 'mif1' })).toBe('image');
  expect(groupOf({ brand: 'mif1', brands: ['miaf'] })).toBe('other');
});
