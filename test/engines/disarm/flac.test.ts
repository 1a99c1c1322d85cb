/** What an ordinary FLAC recording keeps, and what no other program may find in it. */
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../../lib/formats/detection/file-type.ts';
import { buildFlac, flacFrameOf, flacOfBits } from '../../fixtures/build-flac.ts';
import { id3 } from '../../fixtures/build-media.ts';
import { disarmedBytes, foundIn, run } from './run-media.ts';

const PLAIN = Buffer.from(buildFlac());

const bits = (value: number, count: number) => value.toString(2).padStart(count, '0');
const many = (count: number, text: string) => text.repeat(count);
/** Sixteen samples of a channel of so many bits, in each form that the format has. ffmpeg decodes them without a fault. */
const CHANNELS: Readonly<Record<string, (width: number) => string>> = {
  constant: (width) => `00000000${bits(5, width)}`,
  'constant with wasted bits': (width) => `0000000101${bits(5, width - 2)}`,
  verbatim: (width) => `00000010${many(16, bits(9, width))}`,
  'fixed with Rice': (width) => `00010100${many(2, bits(3, width))}000000${bits(2, 4)}${many(14, '0000000000101')}`,
  'fixed with two parts': () => `00010000000001${bits(1, 4)}${many(8, '010')}1111${bits(7, 5)}${many(8, bits(3, 7))}`,
  'fixed with escaped zeros': () => `00010000000000${'1111'}${bits(0, 5)}`,
  'linear with long Rice': (width) =>
    `01000010${many(2, bits(3, width))}${bits(3, 4)}${bits(1, 5)}${many(2, bits(2, 4))}010000${bits(6, 5)}${many(14, '0001000011')}`,
};
const FORMS = flacOfBits(Object.values(CHANNELS).map((channel) => channel(16) + channel(17)));

test('a recording without anything else keeps its bytes', async () => {
  expect(await run(PLAIN, 'song.flac')).toMatchObject({ outcome: 'already_safe', type: { extension: 'flac' } });
});

test('every form of samples is passed to its end', async () => {
  expect(await disarmedBytes(Buffer.concat([FORMS, Buffer.from('more')]))).toEqual(FORMS);
});

test('tags, pictures, cue sheets, padding and appended data go', async () => {
  const blocks = [1, 2, 3, 4, 5, 6].map((number) => [number, `content ${number}`] as const);
  expect(await disarmedBytes(buildFlac({ front: id3('TIT2', 'a'), blocks, tail: 'TAGx' }))).toEqual(PLAIN);
});

test('a number of samples that lies is corrected, and the sum of other samples goes', async () => {
  const result = await disarmedBytes(buildFlac({ told: 4_000_000_000 }));
  expect(result.readUInt32BE(22)).toBe(6 * 192);
  expect(result.subarray(26, 42)).toEqual(Buffer.alloc(16));
  expect(result.subarray(42)).toEqual(PLAIN.subarray(42));
});

test.each([
  ['no frame', buildFlac({ frames: 0 })],
  ['metadata longer than the file', Buffer.from(PLAIN).fill(0, 4, 5)],
  ['a frame with a wrong checksum', buildFlac({ frames: 1 }).fill(9, 60, 62)],
  ['a page behind the letters', Buffer.from('fLaC<html><script>x</script>')],
  ['a page behind the form', Buffer.concat([PLAIN.subarray(0, 42), Buffer.from('<html><script>x</script>')])],
])('a file with %s does not come out', async (_, bytes) => {
  expect(await run(bytes, 'a.flac')).toMatchObject({ outcome: 'failed' });
});

test.each([
  ['text between frames', buildFlac({ between: 'text' }), 'media-left-over'],
  ['text behind frames', buildFlac({ tail: 'text' }), 'media-left-over'],
  ['a frame twice', buildFlac({ tail: flacFrameOf(5, 'tone') }), 'media-left-over'],
  ['a frame left out', buildFlac({ tail: flacFrameOf(7, 'tone') }), 'media-left-over'],
  ['a block of metadata', buildFlac({ blocks: [[4, 'x']] }), 'media-chunk'],
  ['no frame', buildFlac({ frames: 0 }), 'media-empty'],
])('the second look finds %s', (_, bytes, finding) => {
  expect(foundIn(bytes)).toContain(finding);
  expect(foundIn(PLAIN)).toEqual([]);
});

const ZIP_END = `PK\x05\x06${'\0'.repeat(18)}`;

test.each([
  ['zip', ZIP_END],
  ['PDF', '%PDF-1.7 1 0 obj'],
])('policy does not take a recording with %s in its sound for a recording', (_, sound) => {
  const hints = { untrustedNames: ['a.flac'], declaredType: 'audio/flac', role: 'attachment' as const };
  expect(identifyFile(buildFlac({ sound, frames: 3 }), hints).typeGroup).not.toBe('media');
  expect(identifyFile(PLAIN, hints).typeGroup).toBe('media');
});

// Work that grows faster than the file does not end with one of this size.
describe('work is bounded', () => {
  const sync = Buffer.from([0xff, 0xf8, 0x19, 0x08]);
  test.each([
    ['megabytes of sync', Buffer.alloc(8_000_000, sync)],
    ['megabytes of zeros', Buffer.alloc(8_000_000)],
    ['megabytes of ones', Buffer.alloc(8_000_000, 0xff)],
    ['a million copies of a frame header', Buffer.alloc(8_000_000, flacFrameOf(6, 'x').subarray(0, 7))],
    ['a second recording', Buffer.alloc(2_000_000, PLAIN)],
  ])('in %s behind the sound', async (_, tail) => {
    await run(buildFlac({ tail }));
    await run(buildFlac({ frames: 0, tail }));
  });

  test('in a million blocks of metadata', async () => {
    const head = Buffer.concat([PLAIN.subarray(0, 42).fill(0, 4, 5), Buffer.alloc(4_000_000, '\x04\0\0\0', 'latin1')]);
    expect(await run(head)).toMatchObject({ outcome: 'failed' });
  });
});
