/** Windows icons come back as PNG: the largest of their pictures, with what can be seen through. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { buildIcon, iconBitmap } from '../../fixtures/build-icon.ts';

async function disarmed(bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS) {
  return disarmFile({ bytes, untrustedName: 'a.ico', password: null }, limits);
}

async function pixelsOf(bytes: Uint8Array): Promise<string> {
  const report = await disarmed(bytes);
  if (report.outcome === 'failed') throw new Error(`${report.failure.code}: ${report.failure.message}`);
  expect(report.type.extension).toBe('png');
  return (await sharp(report.bytes).ensureAlpha().raw().toBuffer()).toString('hex');
}

const RED = 'ff0000ff';
const BLUE = '0000ffff';
const CLEAR_RED = 'ff000000';
const CLEAR_BLACK = '00000000';
const NO_MASK = '00000000 00000000';

test.each([
  [
    '1 bit and a mask',
    iconBitmap(2, 1, { colours: [0xff0000, 0x0000ff], lines: '40000000 80000000', mask: '00000000 40000000' }),
    [BLUE, CLEAR_RED, RED, BLUE],
  ],
  [
    '4 bits',
    iconBitmap(2, 4, { colours: [0xff0000, 0x0000ff], lines: '01000000 10000000', mask: NO_MASK }),
    [BLUE, RED, RED, BLUE],
  ],
  [
    '8 bits',
    iconBitmap(2, 8, { colours: [0xff0000, 0x0000ff], lines: '00010000 01000000', mask: NO_MASK }),
    [BLUE, RED, RED, BLUE],
  ],
  [
    '24 bits, of which one is hidden',
    iconBitmap(2, 24, { lines: '0000ff ff0000 0000 ff0000 0000ff 0000', mask: '80000000 00000000' }),
    [BLUE, RED, CLEAR_RED, BLUE],
  ],
  [
    '32 bits, which say how much is seen',
    iconBitmap(2, 32, { lines: '0000ffff ff0000ff ff0000ff 00000000', mask: NO_MASK }),
    [BLUE, CLEAR_BLACK, RED, BLUE],
  ],
  [
    '32 bits, which say nothing: the mask counts',
    iconBitmap(2, 32, { lines: '0000ff00 ff000000 ff000000 0000ff00', mask: '00000000 40000000' }),
    [BLUE, CLEAR_RED, RED, BLUE],
  ],
])('an icon of %s', async (_, bytes, expected) => {
  expect(await pixelsOf(buildIcon([{ side: 2, bits: 32, bytes }]))).toBe(expected.join(''));
});

const small = {
  side: 2,
  bits: 4,
  bytes: iconBitmap(2, 4, { colours: [1, 2], lines: '01000000 10000000', mask: NO_MASK }),
};
const png = await sharp({ create: { width: 3, height: 3, channels: 4, background: '#00ff0080' } })
  .withExif({ IFD0: { Copyright: 'PRIVATE' } })
  .png()
  .toBuffer();

test('of several pictures the largest comes back, also a PNG, without what is beside it', async () => {
  const report = await disarmed(buildIcon([small, { side: 256, bits: 32, bytes: png }], Buffer.from('PRIVATE')));
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  expect(await sharp(report.bytes).metadata()).toMatchObject({ width: 3, height: 3, hasAlpha: true });
  expect(Buffer.from(report.bytes).includes('PRIVATE')).toBe(false);
  expect(report.details.map(({ kind }) => kind).sort()).toEqual([
    'appended data',
    'metadata',
    'other frames and pages',
  ]);
});

describe('refuses', () => {
  const lies = buildIcon([small]);
  lies.writeUInt32LE(1_000_000, 14);
  const wide = Buffer.from(small.bytes);
  wide.writeInt32LE(60_000, 4);
  wide.writeInt32LE(60_000, 8);
  const packed = Buffer.from(small.bytes);
  packed.writeUInt32LE(1, 16);
  const odd = Buffer.from(small.bytes);
  odd.writeInt32LE(3, 8);

  test.each([
    ['a picture behind the end of the file', lies, 'unsupported'],
    ['more pixels than allowed', buildIcon([{ ...small, bytes: wide }]), 'oversize'],
    ['a packed bitmap', buildIcon([{ ...small, bytes: packed }]), 'unreadable'],
    ['a height without a mask', buildIcon([{ ...small, bytes: odd }]), 'unreadable'],
    ['a bitmap that ends early', buildIcon([{ ...small, bytes: small.bytes.subarray(0, 50) }]), 'unreadable'],
    ['a PNG that ends early', buildIcon([{ ...small, bytes: png.subarray(0, 40) }]), 'unreadable'],
  ])('%s', async (_, bytes, code) => {
    expect(await disarmed(bytes)).toMatchObject({ outcome: 'failed', failure: { code } });
  });
});

test('bytes that are changed one by one never end the engine', async () => {
  const bytes = buildIcon([small]);
  for (let at = 6; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0xff;
    const report = await disarmed(changed);
    if (report.outcome === 'failed')
      expect(report.failure.code).toMatch(/^(?:unreadable|unsupported|oversize|unsafe_output)$/);
    else expect(report.type.type).toBe('image/png');
  }
});
