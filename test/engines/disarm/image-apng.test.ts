/** Animated PNG: every frame comes out as people see it, and nothing else does. */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readCodesHere } from '../../../lib/formats/codes/read-codes.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { readApng } from '../../../lib/formats/pictures/apng.ts';
import { canvasesOf } from '../../../lib/formats/pictures/apng-canvas.ts';
import { qrPng } from '../../fixtures/build-codes.ts';
import { type ApngFrameOptions, type ApngOptions, buildApng, buildPng } from '../../fixtures/build-image.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const HALF_BLUE = [0, 0, 255, 128];
const NONE = [0, 0, 0, 0];

const whole = (pixels: readonly number[], more: Partial<ApngFrameOptions> = {}): ApngFrameOptions => ({
  width: 2,
  height: 2,
  pixels,
  ...more,
});
const dot = (pixels: readonly number[], more: Partial<ApngFrameOptions> = {}): ApngFrameOptions => ({
  width: 1,
  height: 1,
  pixels,
  ...more,
});
const apng = (frames: readonly ApngFrameOptions[], more: Partial<ApngOptions> = {}) =>
  buildApng({ width: 2, height: 2, frames, ...more });

/** The four pixels of each frame, as a program shows them. */
async function shown(bytes: Uint8Array): Promise<number[][][]> {
  const read = readApng(bytes);
  if (read === null) throw new Error('it stands still');
  const frames: number[][][] = [];
  for await (const canvas of canvasesOf(read, { mostPixels: 1_000_000, failOn: 'warning' }))
    frames.push([0, 4, 8, 12].map((at) => [...canvas.subarray(at, at + 4)]));
  return frames;
}

const ANIMATIONS: readonly (readonly [what: string, frames: readonly ApngFrameOptions[], shown: number[][][]])[] = [
  ['whole frames', [whole(RED), whole(GREEN)], [Array(4).fill(RED), Array(4).fill(GREEN)]],
  [
    'a dot that stays',
    [whole(RED), dot(GREEN, { x: 1 }), dot(GREEN, { y: 1 })],
    [Array(4).fill(RED), [RED, GREEN, RED, RED], [RED, GREEN, GREEN, RED]],
  ],
  [
    'a dot that is cleared',
    [whole(RED), dot(GREEN, { x: 1, disposal: 1 }), dot(GREEN, { y: 1 })],
    [Array(4).fill(RED), [RED, GREEN, RED, RED], [RED, NONE, GREEN, RED]],
  ],
  [
    'a dot that goes again',
    [whole(RED), dot(GREEN, { x: 1, disposal: 2 }), dot(GREEN, { y: 1 })],
    [Array(4).fill(RED), [RED, GREEN, RED, RED], [RED, RED, GREEN, RED]],
  ],
  [
    'a first frame that is to go',
    [whole(RED, { disposal: 2 }), dot(GREEN)],
    [Array(4).fill(RED), [GREEN, NONE, NONE, NONE]],
  ],
  ['a veil', [whole(RED), dot(HALF_BLUE, { blend: 1 })], [Array(4).fill(RED), [[127, 0, 128, 255], RED, RED, RED]]],
  [
    'a veil over nothing',
    [whole(NONE), dot(HALF_BLUE, { blend: 1 })],
    [Array(4).fill(NONE), [HALF_BLUE, NONE, NONE, NONE]],
  ],
  ['a hole that is not blended', [whole(RED), dot(NONE)], [Array(4).fill(RED), [NONE, RED, RED, RED]]],
  ['the same again', [whole(RED), whole(RED)], [Array(4).fill(RED), Array(4).fill(RED)]],
];

describe('an animated PNG', () => {
  test('is a PNG by its bytes', async () => {
    expect((await detectType(apng([whole(RED), whole(GREEN)]), '')).type).toBe('image/png');
  });

  test.each(ANIMATIONS)('with %s comes out as it is seen', async (_, frames, expected) => {
    expect(await shown(apng(frames))).toEqual(expected);
    const { bytes, kinds } = await disarmed(apng(frames), 'animation.png');
    expect(kinds).toEqual([]);
    expect(await shown(bytes)).toEqual(expected);
    // Programs without animations show the first frame.
    expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 4)]).toEqual(expected[0]?.[0]);
    const again = await disarmed(bytes, 'animation.png');
    expect(Buffer.compare(again.bytes, bytes)).toBe(0);
  });

  test('keeps how long frames are shown and how often it plays, and is written in one form', async () => {
    const file = apng([whole(RED, { delay: 40 }), dot(GREEN, { delay: 1_500, disposal: 1, blend: 1 })], { plays: 3 });
    const read = readApng((await disarmed(file, 'animation.png')).bytes);
    expect(read).toMatchObject({ plays: 3, hasOtherPicture: false });
    expect(read?.frames.map(({ delay }) => delay)).toEqual([
      [40, 1_000],
      [1_500, 1_000],
    ]);
    expect(read?.frames.map(({ disposal, isBlended }) => [disposal, isBlended])).toEqual([
      ['keep', false],
      ['keep', false],
    ]);
  });

  test('loses a picture that is no frame, its words, and what stands behind it', async () => {
    const file = apng([whole(RED), whole(GREEN)], { still: HALF_BLUE, comment: 'Alice' });
    const full = Buffer.concat([file, Buffer.from('hidden')]);
    const { bytes, text, kinds } = await disarmed(full, 'animation.png');
    expect([...kinds].sort()).toEqual(['appended data', 'metadata', 'other frames and pages']);
    expect(text).not.toMatch(/Alice|hidden/);
    expect(await shown(bytes)).toEqual([Array(4).fill(RED), Array(4).fill(GREEN)]);
  });

  test('that is not sound comes out as the picture that stands still, and the report says so', async () => {
    const { bytes, kinds } = await disarmed(apng([whole(RED), whole(GREEN)], { announced: 3 }), 'animation.png');
    expect(kinds).toEqual(['other frames and pages']);
    expect(readApng(bytes)).toBeNull();
    expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 4)]).toEqual(RED);
  });

  test('with more frames or pixels than the limits is refused', async () => {
    const many = apng(Array.from({ length: 501 }, () => dot(RED)));
    expect(await refusalCode(many, 'animation.png')).toBe('oversize');
    expect(await refusalCode(apng([whole(RED), whole(RED)]), 'a.png', { limits: { pixels: 7 } })).toBe('oversize');
    expect(await refusalCode(apng([whole(RED), whole(RED)]), 'a.png', { limits: { pixels: 8 } })).toBeNull();
  });

  test('with a frame that is damaged is refused', async () => {
    const file = Buffer.from(apng([whole(RED), whole(GREEN)]));
    const at = file.indexOf('fdAT') - 4;
    const length = file.readUInt32BE(at);
    file.fill(0xff, at + 12, at + 8 + length);
    file.writeUInt32BE(crc32(file.subarray(at + 4, at + 8 + length)), at + 8 + length);
    expect(await refusalCode(file, 'animation.png')).toBe('unreadable');
  });

  test('under the name .apng comes as PNG', async () => {
    expect((await disarmed(apng([whole(RED), whole(GREEN)]), 'animation.apng')).extension).toBe('png');
  });

  test('a picture that stands still is none', () => {
    expect(readApng(buildPng())).toBeNull();
  });
});

describe('codes in an animated PNG', () => {
  test('are read in every frame, and when a code grows over several', async () => {
    const { data, info } = await sharp(await qrPng('https://evil.example/qr'))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const half = Math.floor(height / 2);
    const top = { width, height: half, pixels: [...data.subarray(0, half * width * 4)] };
    const rest = { width, height: height - half, y: half, pixels: [...data.subarray(half * width * 4)] };
    const white = { width, height, pixels: [255, 255, 255, 255] };
    const bytes = buildApng({ width, height, frames: [white, top, rest], still: RED });
    const read = await readCodesHere({ kind: 'picture', bytes, workMs: 10_000 });
    expect(read).toEqual({ outcome: 'read', untrustedTexts: ['https://evil.example/qr'] });
    const hidden = buildApng({ width, height, frames: [white, white], still: [...data] });
    expect((await readCodesHere({ kind: 'picture', bytes: hidden, workMs: 10_000 })).untrustedTexts).toHaveLength(1);
  });

  test('of which no more than the first picture can be read were read in part only', async () => {
    const read = async (bytes: Uint8Array) => (await readCodesHere({ kind: 'picture', bytes, workMs: 10_000 })).outcome;
    expect(await read(apng([whole(RED), whole(GREEN)]))).toBe('read');
    expect(await read(apng([whole(RED), whole(GREEN)], { announced: 3 }))).toBe('partly');
    expect(await read(apng(Array.from({ length: 21 }, () => whole(RED))))).toBe('partly');
  });
});
