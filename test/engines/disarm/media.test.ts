/** What an ordinary film or recording keeps, and what no other program may find in it. */
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../../lib/formats/detection/file-type.ts';
import { box, buildMovie, buildMp3, buildWave, full, id3, u32 } from '../../fixtures/build-media.ts';
import { disarmedBytes, run } from './run-media.ts';

test.each([
  ['MP3', buildMp3()],
  ['WAV', buildWave()],
  ['M4A', buildMovie({ brand: 'M4A ' })],
  ['MP4', buildMovie({ codec: 'avc1', handler: 'vide' })],
  ['QuickTime', buildMovie({ brand: 'qt  ' })],
])('an %s file without anything else keeps its bytes', async (_, bytes) => {
  expect(await run(bytes)).toMatchObject({ outcome: 'already_safe' });
});

test('the frames of an MP3 file stay, and its tags go', async () => {
  expect(await disarmedBytes(buildMp3({ front: id3('TIT2', 'a'), tail: 'TAGx' }))).toEqual(Buffer.from(buildMp3()));
});

test('the samples of a WAV file stay, and other chunks go', async () => {
  expect(await disarmedBytes(buildWave({ chunks: [['LIST', 'INFO']], after: [['bext', 'x']] }))).toEqual(
    Buffer.from(buildWave()),
  );
});

test('a WAV file whose recorder was stopped gets its true size', async () => {
  const bytes = Buffer.from(buildWave());
  bytes.writeUInt32LE(0xffff_ffff, 4);
  bytes.writeUInt32LE(0xffff_ffff, 40);
  expect(await disarmedBytes(bytes)).toEqual(Buffer.from(buildWave()));
});

test('no byte of the samples of a film moves, because its tables hold their places', async () => {
  const film = Buffer.from(buildMovie({ more: { moov: box('udta', 'a place') }, tail: 'xx' }));
  const result = await disarmedBytes(film);
  const samples = film.indexOf('mdat');
  expect(result.subarray(samples, samples + 68)).toEqual(film.subarray(samples, samples + 68));
  expect(result.length).toBe(film.length - 2);
});

test('the times of a recording go', async () => {
  expect(await disarmedBytes(buildMovie({ time: 0xd000_0000 }))).toEqual(Buffer.from(buildMovie()));
});

const ZIP_END = `PK\x05\x06${'\0'.repeat(18)}`;
/** Files that are a recording to one program and something else to another. */
const POLYGLOTS: Readonly<Record<string, Uint8Array>> = {
  'zip behind MP3': buildMp3({ tail: ZIP_END }),
  'zip within a frame': Buffer.from(buildMp3()).fill(ZIP_END, 500, 522, 'latin1'),
  'zip among samples': Buffer.from(buildWave({ samples: 400 })).fill(ZIP_END, 200, 222, 'latin1'),
  'PDF among samples': Buffer.from(buildWave()).fill('%PDF-1.7', 100, 108, 'latin1'),
  'PDF in a brand': buildMovie({ more: { file: box('free', '%PDF-1.7 x') } }),
  'page in a frame': Buffer.from(buildMp3()).fill('%PDF-1.4', 40, 48, 'latin1'),
};

test.each(Object.entries(POLYGLOTS))('%s: policy does not take it for a recording', (_, bytes) => {
  const hints = { untrustedNames: ['a.mp3'], declaredType: 'audio/mpeg', role: 'attachment' as const };
  expect(identifyFile(bytes, hints).typeGroup).not.toBe('media');
});

test.each([
  ['a program called a recording', Buffer.from('MZ\x90\0'.padEnd(80, '\0'), 'latin1')],
  ['a page with the letters of a tag', Buffer.from('ID3\x03\0\0\0\0\0\x02ab<html><script>x</script>', 'latin1')],
  ['a page with a sync', Buffer.from('\xff\xfb\x90\x64<html><script>x</script>', 'latin1')],
  ['a text in UTF-16', Buffer.from('\ufeffa text of some words', 'utf16le')],
  ['the letters of a film before a page', Buffer.from('\0\0\0\x10ftypisom\0\0\0\0<html><script>x</script>', 'latin1')],
  ['the letters of a recording before a page', Buffer.from('RIFF\x10\0\0\0WAVE<html><script>x</script>', 'latin1')],
])('%s does not come out as one', async (_, bytes) => {
  const report = await run(bytes, 'a.mp3');
  expect(report).toMatchObject({ outcome: 'failed' });
});

// Work that grows faster than the file does not end with one of this size.
describe('work is bounded', () => {
  test.each([
    [
      'a million boxes',
      Buffer.concat([box('ftyp', 'isom', u32(0)), box('moov', Buffer.alloc(8_000_000, box('free')))]),
    ],
    [
      'boxes that all say that they fill the file',
      Buffer.concat([box('ftyp', 'isom', u32(0)), Buffer.alloc(100_000, 'aaaa')]),
    ],
    ['a table of four thousand million rows', buildMovie({ stts: full('stts', 0, u32(0xffff_ffff)) })],
    ['megabytes of sync', Buffer.concat([buildMp3(), Buffer.alloc(4_000_000, 0xff)])],
    ['a million chunks', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.alloc(8_000_000, 'abcd\0\0\0\0')])],
  ])('in %s', async (_, bytes) => {
    await run(bytes);
  });
});
