import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { buildPng } from '../../fixtures/build-image.ts';

const run = (bytes: Uint8Array) => disarmFile({ bytes, untrustedName: 'a.gif', password: null }, DEFAULT_ENGINE_LIMITS);

/** Two frames of 8 x 6 pixels, behind a screen of another size. */
async function withScreen(width: number, height: number): Promise<Buffer> {
  const frames = [
    buildPng({ width: 8, height: 6 }),
    await sharp(buildPng({ width: 8, height: 6 }))
      .negate()
      .png()
      .toBuffer(),
  ];
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  gif.writeUInt16LE(width, 6);
  gif.writeUInt16LE(height, 8);
  return gif;
}

describe('a GIF whose frames reach outside of its screen', () => {
  test.each([
    ['to the right', 5, 6],
    ['below', 8, 2],
    ['on both sides', 1, 1],
  ])('%s comes out with a screen that holds them', async (_, width, height) => {
    const bytes = await withScreen(width, height);
    const report = await run(bytes);
    if (report.outcome === 'failed') throw new Error(report.failure.message);
    expect(Buffer.from(report.bytes).readUInt32LE(6)).toBe(8 + 6 * 2 ** 16);
    const shown = (file: Uint8Array) => sharp(file, { animated: true }).ensureAlpha().raw().toBuffer();
    expect(Buffer.compare(await shown(report.bytes), await shown(await withScreen(8, 6)))).toBe(0);
  });
});
