import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import {
  buildJpeg2000,
  COLOURS,
  FOUR_CHANNELS,
  GREYS,
  HEIGHT,
  PACKED_WITH_LOSS,
  pixelsOfColours,
  WIDTH,
} from '../../fixtures/build-jpeg2000.ts';
import { verdictOn } from '../static/analyse.ts';

const run = (bytes: Uint8Array, untrustedName = 'scan.jp2', limits = DEFAULT_ENGINE_LIMITS) =>
  disarmFile({ bytes, untrustedName, password: null }, limits);

async function disarmed(bytes: Uint8Array, name?: string) {
  const report = await run(bytes, name);
  return report.outcome === 'failed' ? expect.fail(report.failure.message) : report;
}

const pixels = async (bytes: Uint8Array) => [...(await sharp(bytes).toColourspace('srgb').raw().toBuffer())];

describe('a JPEG 2000 picture', () => {
  test.each([
    ['in boxes', 'a.jp2', buildJpeg2000()],
    ['in the boxes of JPX', 'a.jpf', buildJpeg2000({ brand: 'jpx ' })],
    ['as a codestream alone', 'a.j2k', COLOURS],
  ])('%s without loss comes out as a PNG with every pixel', async (_, name, bytes) => {
    const report = await disarmed(bytes, name);
    expect(report.type.type).toBe('image/png');
    expect(await pixels(report.bytes)).toEqual(pixelsOfColours());
    expect(await verdictOn(bytes, name)).toMatch(/^benign/);
  });

  test('with loss comes out as a JPEG', async () => {
    const report = await disarmed(buildJpeg2000({ stream: PACKED_WITH_LOSS }));
    expect(report.type.type).toBe('image/jpeg');
    expect(await sharp(report.bytes).metadata()).toMatchObject({ width: WIDTH, height: HEIGHT });
  });

  test('of greys stays grey', async () => {
    const report = await disarmed(buildJpeg2000({ stream: GREYS }));
    const greys = await sharp(report.bytes).toColourspace('b-w').raw().toBuffer();
    expect([...greys]).toEqual(pixelsOfColours().filter((_, at) => at % 3 === 0));
  });

  test('loses what its boxes tell of people and places, and what stands behind it', async () => {
    const uuid = Buffer.concat([
      Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
      Buffer.from('<x:creator>Ana</x>'),
    ]);
    const xml = Buffer.from('<gml><pos>48.2 16.3</pos></gml>');
    const bytes = Buffer.concat([
      buildJpeg2000({
        boxes: [
          ['uuid', uuid],
          ['xml ', xml],
        ],
      }),
      Buffer.from('PK\x03\x04 hidden'),
    ]);
    const report = await disarmed(bytes);
    expect(report.details.map(({ kind }) => kind).sort()).toEqual(['appended data', 'metadata']);
    expect(Buffer.from(report.bytes).toString('latin1')).not.toMatch(/Ana|48\.2|hidden/);
  });

  test('whose boxes are broken comes out when its codestream is whole', async () => {
    const bytes = buildJpeg2000();
    bytes.write('XXXX', bytes.indexOf('ihdr'), 'latin1');
    expect(await pixels((await disarmed(bytes)).bytes)).toEqual(pixelsOfColours());
  });

  test('keeps the colours that its profile gives it', async () => {
    const [profile] = [
      (
        await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
          .withIccProfile('p3')
          .png()
          .toBuffer()
          .then((png) => sharp(png).metadata())
      ).icc,
    ];
    const plain = await pixels((await disarmed(buildJpeg2000())).bytes);
    const own = await pixels((await disarmed(buildJpeg2000({ profile: profile ?? Buffer.alloc(0) }))).bytes);
    expect(own).not.toEqual(plain);
  });
});

describe('a JPEG 2000 picture is refused', () => {
  const claiming = (width: number, height: number) => {
    const stream = Buffer.from(COLOURS);
    for (const at of [8, 24]) stream.writeUInt32BE(width, at);
    for (const at of [12, 28]) stream.writeUInt32BE(height, at);
    return stream;
  };

  test.each([
    ['that claims more pixels than the limit', buildJpeg2000({ stream: claiming(60_000, 60_000) }), 'oversize'],
    ['that claims more than the decoder can hold', buildJpeg2000({ stream: claiming(9_900, 9_900) }), 'oversize'],
    ['with four channels', buildJpeg2000({ stream: FOUR_CHANNELS }), 'unsupported'],
    ['that is cut off in its header', buildJpeg2000().subarray(0, 100), 'unreadable'],
    ['without a codestream', buildJpeg2000().subarray(0, 77), 'unreadable'],
  ])('%s', async (_, bytes, code) => {
    expect(await run(bytes)).toMatchObject({ outcome: 'failed', failure: { code } });
  });

  test('of any damage, or gives a picture of its size: no byte that is changed ends the engine', async () => {
    for (let at = 0; at < COLOURS.length; at += 3) {
      const bytes = Buffer.from(COLOURS);
      bytes[at] = (bytes[at] ?? 0) ^ 0x55;
      const report = await run(bytes, 'a.j2k');
      if (report.outcome === 'failed') expect(report.failure.code).not.toBe('engine_failed');
    }
  });
});
