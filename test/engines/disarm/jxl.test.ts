import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { HEIGHT, pixelsOfColours, WIDTH } from '../../fixtures/build-jpeg2000.ts';
import { buildJxl, JXL_COLOURS, JXL_SEEN_THROUGH, JXL_WITH_LOSS } from '../../fixtures/build-jxl.ts';
import { verdictOn } from '../static/analyse.ts';

const run = (bytes: Uint8Array, limits = DEFAULT_ENGINE_LIMITS) =>
  disarmFile({ bytes, untrustedName: 'photo.jxl', password: null }, limits);

async function disarmed(bytes: Uint8Array) {
  const report = await run(bytes);
  return report.outcome === 'failed' ? expect.fail(report.failure.message) : report;
}

describe('a JPEG XL picture', () => {
  test.each([
    ['as a codestream alone', JXL_COLOURS],
    ['in boxes', buildJxl()],
  ])('%s comes out as a PNG with every pixel', async (_, bytes) => {
    const report = await disarmed(bytes);
    expect(report.type.type).toBe('image/png');
    expect([...(await sharp(report.bytes).removeAlpha().raw().toBuffer())]).toEqual(pixelsOfColours());
    expect(await verdictOn(bytes, 'photo.jxl')).toMatch(/^benign/);
  });

  test('that is seen through stays so', async () => {
    const { bytes } = await disarmed(JXL_SEEN_THROUGH);
    const rgba = await sharp(bytes).raw().toBuffer();
    expect([...rgba].filter((_, at) => at % 4 === 3)).toEqual(
      Array.from({ length: WIDTH * HEIGHT }, (_, at) => (at % WIDTH < 4 ? 255 : 100)),
    );
  });

  test('with loss comes out with its size', async () => {
    const { bytes } = await disarmed(buildJxl(JXL_WITH_LOSS));
    expect(await sharp(bytes).metadata()).toMatchObject({ width: WIDTH, height: HEIGHT });
  });

  test('loses what its boxes tell of people and places, and what stands behind it', async () => {
    const boxes = [
      ['Exif', Buffer.from('\0\0\0\0II*\0 Ana Example')],
      ['xml ', Buffer.from('<pos>48.2 16.3</pos>')],
    ] as const;
    const report = await disarmed(Buffer.concat([buildJxl(JXL_COLOURS, boxes), Buffer.from('PK\x03\x04 hidden')]));
    expect(report.details.map(({ kind }) => kind).sort()).toEqual(['appended data', 'metadata']);
    expect(Buffer.from(report.bytes).toString('latin1')).not.toMatch(/Ana|48\.2|hidden/);
  });
});

describe('a JPEG XL picture is refused', () => {
  /** A size of two sides of 30 bits each, in front of what was the header. */
  function claiming(width: number, height: number): Buffer {
    const bits = ['0', ...'11', ...side(height), ...'000', ...'11', ...side(width)];
    const bytes = (bits.join('').match(/.{1,8}/g) ?? []).map((byte) =>
      Number.parseInt([...byte.padEnd(8, '0')].reverse().join(''), 2),
    );
    return Buffer.concat([Buffer.from('ff0a', 'hex'), Buffer.from(bytes), JXL_COLOURS.subarray(4)]);
  }
  /** The lowest bit first. */
  const side = (size: number) => [...(size - 1).toString(2).padStart(30, '0')].reverse();

  test.each([
    ['that claims more pixels than the limit', claiming(60_000, 60_000)],
    ['that is cut off', JXL_COLOURS.subarray(0, 60)],
    ['that is cut off in its box', buildJxl(JXL_COLOURS).subarray(0, -10)],
    ['without a codestream', buildJxl().subarray(0, 32)],
  ])('%s', async (_, bytes) => {
    expect(await run(bytes)).toMatchObject({ outcome: 'failed' });
  });

  test('beyond the limit of pixels as oversize', async () => {
    const limits = { ...DEFAULT_ENGINE_LIMITS, pixels: WIDTH * HEIGHT - 1 };
    expect(await run(JXL_COLOURS, limits)).toMatchObject({ failure: { code: 'oversize' } });
  });

  test('of any damage, or gives a picture: no byte that is changed ends the engine', async () => {
    for (let at = 2; at < JXL_COLOURS.length; at += 4) {
      const bytes = Buffer.from(JXL_COLOURS);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      const report = await run(bytes);
      if (report.outcome === 'failed') expect(report.failure.code).not.toBe('engine_failed');
    }
  });
});
