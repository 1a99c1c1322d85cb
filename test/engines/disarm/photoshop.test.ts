/** Photoshop files are decoded, and come back as the picture that other programs show. */
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { identifyFile } from '../../../lib/formats/detection/file-type.ts';
import { decodePhotoshop } from '../../../lib/formats/pictures/photoshop.ts';
import { PictureError } from '../../../lib/formats/pictures/picture-error.ts';
import { buildPhotoshop, PHOTOSHOP_SIDE, type Photoshop } from '../../fixtures/build-photoshop.ts';

const run = (bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS) =>
  disarmFile({ bytes, untrustedName: 'a.psd', password: null }, limits);

async function disarmed(bytes: Uint8Array) {
  const report = await run(bytes);
  if (report.outcome === 'failed') throw new Error(`${report.failure.code}: ${report.failure.message}`);
  return report;
}

/** The pixels in the middle of each quarter, as colours with alpha. */
async function quartersOf(bytes: Uint8Array): Promise<number[][]> {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [near, far] = [PHOTOSHOP_SIDE / 4, (PHOTOSHOP_SIDE * 3) / 4];
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return [at(near, near), at(far, near), at(near, far), at(far, far)];
}

const RGB = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
];
const GREY = [0, 90, 180, 255].map((value) => [value, value, value, 255]);

test.each<readonly [string, Photoshop, number[][]]>([
  ['as it is', {}, RGB],
  ['of 16 bits', { depth: 16 }, RGB],
  ['that is not packed', { isPacked: false }, RGB],
  ['of 16 bits that is not packed', { isPacked: false, depth: 16 }, RGB],
  ['in grey', { mode: 'grey' }, GREY],
  [
    'in grey that can be seen through',
    { mode: 'grey', hasAlpha: true },
    GREY.map((pixel, at) => [...pixel.slice(0, 3), at < 2 ? 255 : 0]),
  ],
  ['of a palette', { mode: 'indexed' }, RGB],
  ['that can be seen through', { hasAlpha: true }, RGB.map((pixel, at) => [...pixel.slice(0, 3), at < 2 ? 255 : 0])],
])('a picture %s becomes a PNG of the same pixels', async (_, made, pixels) => {
  const { bytes, type } = await disarmed(buildPhotoshop(made));
  expect(type.type).toBe('image/png');
  expect(await sharp(bytes).metadata()).toMatchObject({ width: PHOTOSHOP_SIDE, height: PHOTOSHOP_SIDE });
  expect(await quartersOf(bytes)).toEqual(pixels);
});

test('a picture for print shows its inks', async () => {
  const [first = [], second = [], third = [], white = []] = await quartersOf(
    (await disarmed(buildPhotoshop({ mode: 'cmyk' }))).bytes,
  );
  // Two inks at a time: magenta and yellow make red.
  expect([
    first.indexOf(Math.max(...first.slice(0, 3))),
    second.indexOf(Math.max(...second.slice(0, 3))),
    third.indexOf(Math.max(...third.slice(0, 3))),
  ]).toEqual([0, 1, 2]);
  expect(white).toEqual([255, 255, 255, 255]);
});

test('layers, data about the picture, and what stands behind it stay behind, and the report says so', async () => {
  const file = Buffer.concat([buildPhotoshop({ layers: 'LIVE layer' }), Buffer.from('PK\x03\x04 LIVE')]);
  const { bytes, details } = await disarmed(file);
  expect(Buffer.from(bytes).toString('latin1')).not.toContain('LIVE');
  expect(details.map(({ kind }) => kind)).toEqual(['metadata', 'picture layers', 'appended data']);
});

describe('is refused', () => {
  const cut = (bytes: Buffer, to: number) => bytes.subarray(0, to);
  const withField = (at: number, value: number) => {
    const bytes = buildPhotoshop();
    bytes.writeUInt32BE(value, at);
    return bytes;
  };
  test.each<readonly [string, Uint8Array, string]>([
    ['without a picture for other programs', buildPhotoshop({ hasPicture: false }), 'unsupported'],
    ['with colours that are not read', buildPhotoshop({ mode: 'lab' }), 'unsupported'],
    ['with 32 bits', buildPhotoshop({ depth: 32 }), 'unsupported'],
    ['that ends in its sections', cut(buildPhotoshop(), 60), 'unreadable'],
    ['that ends in its picture', cut(buildPhotoshop(), buildPhotoshop().length - 9), 'unreadable'],
    ['that ends in its unpacked picture', cut(buildPhotoshop({ isPacked: false }), 300), 'unreadable'],
    ['of no width', withField(18, 0), 'unsupported'],
    ['of more lines than there are', withField(14, 30_000), 'unreadable'],
    ['of a width beyond the format', withField(18, 30_001), 'unreadable'],
    ['with a section that never ends', withField(26, 0xffff_ffff), 'unreadable'],
  ])('one %s', async (_, bytes, code) => {
    const report = await run(bytes);
    expect(report.outcome === 'failed' ? report.failure.code : report.outcome).toBe(code);
  });

  test('one with more pixels than the limit, before anything is unpacked', async () => {
    const report = await run(buildPhotoshop(), { ...DEFAULT_ENGINE_LIMITS, pixels: 255 });
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
    expect((await run(buildPhotoshop(), { ...DEFAULT_ENGINE_LIMITS, pixels: 256 })).outcome).toBe('disarmed');
  });

  test('a large document (PSB), which is another format', async () => {
    expect((await run(buildPhotoshop({ version: 2 }))).outcome).toBe('failed');
    const hints = { untrustedNames: ['a.psb'], declaredType: '', role: 'file' } as const;
    expect(identifyFile(buildPhotoshop({ version: 2 }), hints).typeGroup).not.toBe('image');
    expect(identifyFile(buildPhotoshop(), { ...hints, untrustedNames: [] }).typeGroup).toBe('image');
  });
});

test('a file with any byte changed is decoded or refused, and nothing else happens', () => {
  const refused = new Set<string>();
  for (const made of [{}, { isPacked: false, mode: 'indexed' }, { depth: 16, hasAlpha: true }] satisfies Photoshop[]) {
    const whole = buildPhotoshop(made);
    for (let at = 6; at < whole.length; at++) {
      for (const value of [0, 0x7f, 0x80, 0xff]) {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        try {
          expect(decodePhotoshop(bytes, 1_000).tiff.length).toBeGreaterThan(0);
        } catch (error) {
          refused.add(error instanceof PictureError ? error.code : String(error));
        }
      }
    }
  }
  expect([...refused].sort()).toEqual(['oversize', 'unreadable', 'unsupported']);
});

describe('the colour profile counts', () => {
  const swatch = sharp({ create: { width: 2, height: 2, channels: 3, background: '#c00' } });
  const profileOf = async (picture: Sharp) => (await sharp(await picture.toBuffer()).metadata()).icc as Buffer;

  test('of a picture with the colours of a newer screen', async () => {
    const profile = await profileOf(swatch.clone().withIccProfile('p3').png());
    const palette: Photoshop = { mode: 'indexed', paletteOf: [200, 100, 50] };
    const [plain] = await quartersOf((await disarmed(buildPhotoshop(palette))).bytes);
    const [profiled] = await quartersOf((await disarmed(buildPhotoshop({ ...palette, profile }))).bytes);
    expect(plain).toEqual([200, 100, 50, 255]);
    expect(profiled?.[0]).toBeGreaterThan(205);
  });

  test('one for other colours, a damaged one and an overlong one do not', async () => {
    const forPrint = await profileOf(swatch.clone().withIccProfile('cmyk').jpeg());
    const damaged = Buffer.alloc(200);
    damaged.write('RGB ', 16, 'latin1');
    for (const profile of [forPrint, damaged, Buffer.alloc(20), Buffer.alloc(5 * 1024 * 1024)])
      expect(await quartersOf((await disarmed(buildPhotoshop({ profile }))).bytes)).toEqual(RGB);
  });
});
