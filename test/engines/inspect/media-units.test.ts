/** How much sound the second look counts, in originals with tags and damage and in what was made of them. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { buildFlac, flacFrameOf } from '../../fixtures/build-flac.ts';
import { box, buildMovie, buildMp3, buildWave, id3, u32 } from '../../fixtures/build-media.ts';
import { buildOgg, oggPageOf } from '../../fixtures/build-ogg.ts';

/** What is counted of an original, beside a result of the same type. */
async function countOf(original: Uint8Array, type: FileType, output: Uint8Array = buildMp3({ frames: 1 })) {
  const file = (bytes: Uint8Array) => ({ bytes, type: describeType(type) });
  const { units } = await inspectOutput(file(original), file(output), DEFAULT_ENGINE_LIMITS, {
    detectType,
    secondLookOf,
  });
  return units;
}
const inOriginal = async (original: Uint8Array, type: FileType = 'audio/mpeg') =>
  (await countOf(original, type))?.before;

test('the sound of the original and of the result is counted', async () => {
  expect(await countOf(buildMp3(), 'audio/mpeg', buildMp3({ frames: 2 }))).toEqual({
    kind: 'samples',
    before: 6,
    after: 2,
  });
});

describe('of an MP3 recording the frames', () => {
  test('behind tags and their padding', async () => {
    expect(await inOriginal(buildMp3({ front: id3('TIT2', 'a') }))).toBe(6);
    expect(await inOriginal(buildMp3({ front: Buffer.concat([id3('TIT2', 'a'), id3('TIT2', 'b'.repeat(300))]) }))).toBe(
      6,
    );
    expect(await inOriginal(buildMp3({ front: Buffer.concat([id3('TIT2', 'a'), Buffer.alloc(90)]) }))).toBe(6);
    const withFooter = Buffer.concat([id3('TIT2', 'a'), Buffer.from('3DI\x04\0\x10\0\0\0\x0c', 'latin1')]);
    withFooter[5] = 0x10;
    expect(await inOriginal(buildMp3({ front: withFooter }))).toBe(6);
  });

  test('in front of other tags and behind damage', async () => {
    expect(await inOriginal(buildMp3({ tail: `TAG${'x'.repeat(125)}` }))).toBe(6);
    expect(await inOriginal(buildMp3({ between: 'x'.repeat(1_000) }))).toBe(6);
    expect(await inOriginal(buildMp3({ between: 'x'.repeat(16_000) }))).toBe(6);
    // More is no damage but another file.
    expect(await inOriginal(buildMp3({ between: 'x'.repeat(17_000) }))).toBe(3);
  });

  test('but not one that stands alone behind damage, nor half of one', async () => {
    const one = Buffer.from(buildMp3({ frames: 1 }));
    expect(await inOriginal(buildMp3({ tail: Buffer.concat([Buffer.from('x'), one]) }))).toBe(6);
    expect(await inOriginal(buildMp3({ tail: Buffer.concat([Buffer.from('x'), one, one]) }))).toBe(8);
    expect(await inOriginal(buildMp3({ tail: one.subarray(0, -1) }))).toBe(6);
  });

  test('of one kind', async () => {
    const other = Buffer.concat([Buffer.of(0xff, 0xf3, 0x80, 0x64), Buffer.alloc(204)]);
    expect(await inOriginal(buildMp3({ tail: Buffer.concat([other, other]) }))).toBe(6);
  });
});

describe('of a WAV recording the bytes of its samples', () => {
  const wave = (bytes: Uint8Array) => inOriginal(bytes, 'audio/wav');

  test('behind other chunks', async () => {
    expect(await wave(buildWave())).toBe(400);
    expect(
      await wave(
        buildWave({
          chunks: [
            ['LIST', 'INFO'],
            ['odd ', 'abc'],
          ],
          after: [['bext', 'x']],
        }),
      ),
    ).toBe(400);
  });

  test('also of one whose recorder was stopped', async () => {
    const stopped = (size: number) => {
      const bytes = Buffer.from(buildWave());
      bytes.writeUInt32LE(size, 40);
      return wave(bytes);
    };
    expect(await stopped(0)).toBe(400);
    expect(await stopped(0xffff_ffff)).toBe(400);
    expect(await stopped(399)).toBe(399);
  });

  test('none without samples', async () => {
    expect(await wave(Buffer.from('RIFF\0\0\0\0WAVEfmt \x02\0\0\0ab', 'latin1'))).toBe(0);
  });
});

describe('of a film the bytes of its boxes of samples', () => {
  const film = (bytes: Uint8Array) => inOriginal(bytes, 'video/mp4');
  const open = (size: number) => Buffer.concat([u32(size), Buffer.from('mdat'), Buffer.alloc(16)]);
  const large = Buffer.concat([u32(1), Buffer.from('mdat'), u32(0), u32(26), Buffer.alloc(10)]);

  test('wherever they stand', async () => {
    expect(await film(buildMovie())).toBe(72);
    expect(await film(buildMovie({ more: { file: box('mdat', 'ab') } }))).toBe(82);
    expect(await film(buildMovie({ more: { file: Buffer.concat([box('free', 'ab'), box('mdat', 'ab')]) } }))).toBe(82);
  });

  test('in each way to say their size', async () => {
    expect(await film(buildMovie({ more: { file: open(0) } }))).toBe(96);
    expect(await film(buildMovie({ more: { file: large } }))).toBe(98);
    expect(await film(buildMovie({ more: { file: Buffer.concat([large, box('mdat')]) } }))).toBe(106);
  });

  test('up to the first that is longer than the file, or shorter than its head', async () => {
    for (const size of [7, 25]) expect(await film(buildMovie({ more: { file: open(size) } }))).toBe(72);
    expect(await film(buildMovie({ tail: 'junk' }))).toBe(72);
  });
});

describe('of an Ogg recording the packets of its first stream', () => {
  const ogg = (bytes: Uint8Array) => inOriginal(bytes, 'audio/ogg');

  test('on all of its pages', async () => {
    expect(await ogg(buildOgg())).toBe(5);
    expect(await ogg(buildOgg({ packets: 9 }))).toBe(11);
    expect(await ogg(buildOgg({ codec: 'vorbis', comments: 'x'.repeat(70_000) }))).toBe(6);
  });

  test('and not of another', async () => {
    expect(await ogg(buildOgg({ between: oggPageOf(['a', 'b'], { serial: 7 }) }))).toBe(5);
    expect(await ogg(buildOgg({ between: oggPageOf(['a', 'b'], { number: 3 }) }))).toBe(7);
  });
});

describe('of a FLAC recording the frames', () => {
  const flac = (bytes: Uint8Array) => inOriginal(bytes, 'audio/flac');

  test('behind tags, padding and metadata', async () => {
    expect(await flac(buildFlac())).toBe(6);
    expect(await flac(buildFlac({ front: id3('TIT2', 'a') }))).toBe(6);
    expect(
      await flac(
        buildFlac({
          blocks: [
            [4, 'x'.repeat(300)],
            [1, 'y'],
          ],
        }),
      ),
    ).toBe(6);
    // A block of metadata that holds a frame, such as a picture.
    expect(await flac(buildFlac({ blocks: [[6, flacFrameOf(0, 'tone')]] }))).toBe(6);
  });

  test('whose numbers rise, behind damage too', async () => {
    expect(await flac(buildFlac({ between: 'x'.repeat(40_000) }))).toBe(6);
    expect(await flac(buildFlac({ tail: flacFrameOf(5, 'tone') }))).toBe(6);
    expect(await flac(buildFlac({ tail: flacFrameOf(105, 'tone') }))).toBe(7);
    expect(await flac(buildFlac({ tail: flacFrameOf(106, 'tone') }))).toBe(6);
  });
});
