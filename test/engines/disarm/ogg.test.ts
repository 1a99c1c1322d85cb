/** What an ordinary Ogg recording keeps, and what no other program may find in it. */
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../../lib/formats/detection/file-type.ts';
import { buildOgg, oggPageOf } from '../../fixtures/build-ogg.ts';
import { disarmedBytes, foundIn, run } from './run-media.ts';

describe.each(['opus', 'vorbis'] as const)('%s', (codec) => {
  const plain = Buffer.from(buildOgg({ codec }));

  test('a recording without anything else keeps its bytes', async () => {
    expect(await run(plain, 'a.ogg')).toMatchObject({ outcome: 'already_safe', type: { extension: 'ogg' } });
    expect(foundIn(plain)).toEqual([]);
  });

  test('comments, the name of the program, other streams and appended data go', async () => {
    const between = oggPageOf(['another stream'], { serial: 7, flags: 2 });
    const whole = buildOgg({ codec, comments: 'TITLE=a', vendor: 'a program', between, tail: 'TAGx' });
    expect(await disarmedBytes(whole)).toEqual(plain);
  });

  test('comments over many pages go, and the numbers of the pages are right again', async () => {
    expect(await disarmedBytes(buildOgg({ codec, comments: 'x'.repeat(200_000) }))).toEqual(plain);
  });

  test('tables over many pages stay', async () => {
    const bytes = Buffer.from(buildOgg({ codec, tables: `\x05vorbis\x10BCV${'t'.repeat(150_000)}` }));
    expect(await disarmedBytes(bytes)).toEqual(bytes);
    expect(foundIn(bytes)).toEqual([]);
  });

  test.each([
    ['comments', { comments: 'TITLE=a' }, 'media-chunk'],
    ['a name of the program', { vendor: 'a' }, 'media-chunk'],
    ['a longer introduction', { introduction: 'a' }, 'media-chunk'],
    ['comments among the sound', { more: [codec === 'opus' ? 'OpusTags' : '\x03vorbis'] }, 'media-chunk'],
    ['another stream', { between: oggPageOf(['x'], { serial: 7, number: 3 }) }, 'media-left-over'],
    ['text between pages', { between: 'text' }, 'media-left-over'],
    ['text behind pages', { tail: 'text' }, 'media-left-over'],
    ['a page behind the last', { tail: oggPageOf(['x'], { number: 4 }) }, 'media-left-over'],
    ['a page with a wrong checksum', { tail: oggPageOf(['x'], { number: 4, sum: 1 }) }, 'media-left-over'],
  ])('the second look finds %s', (_, options, finding) => {
    expect(foundIn(buildOgg({ codec, ...options }))).toContain(finding);
  });

  test.each([
    ['is cut off', plain.subarray(0, -9)],
    ['lacks a page in its middle', buildOgg({ codec, between: 'text' })],
    ['holds comments among its sound', buildOgg({ codec, more: [codec === 'opus' ? 'OpusTags' : '\x03vorbis'] })],
    ['introduces itself twice', buildOgg({ codec, between: oggPageOf(['OpusHead'], { flags: 2 }) })],
    ['has a wrong checksum', Buffer.from(plain).fill(1, 40, 41)],
    ['ends behind its headers', plain.subarray(0, plain.indexOf('OggS', plain.indexOf('OggS', 9) + 9))],
  ])('a file that %s does not come out', async (_, bytes) => {
    expect(await run(bytes, 'a.ogg')).toMatchObject({ outcome: 'failed' });
  });
});

test.each([
  ['film', '\x80theora\x03\x02\x01'],
  ['other recording', 'Speex   1.2'],
  ['page', '<html><script>x</script>'],
])('a %s in pages does not come out', async (_, packet) => {
  const bytes = Buffer.concat([oggPageOf([packet], { flags: 2, serial: 3 }), buildOgg()]);
  expect(await run(bytes, 'a.ogg')).toMatchObject({ outcome: 'failed' });
});

test.each([
  ['zip', `PK\x05\x06${'\0'.repeat(18)}`],
  ['PDF', '%PDF-1.7 1 0 obj'],
])('policy does not take a recording with %s in its sound for a recording', (_, sound) => {
  const hints = { untrustedNames: ['a.ogg'], declaredType: 'audio/ogg', role: 'attachment' as const };
  expect(identifyFile(buildOgg({ more: [sound] }), hints).typeGroup).not.toBe('media');
  expect(identifyFile(buildOgg(), hints).typeGroup).toBe('media');
});

// Work that grows faster than the file does not end with one of this size.
describe('work is bounded', () => {
  const empty = oggPageOf([], { number: 3 });
  test.each([
    ['a hundred thousand empty pages', Buffer.alloc(empty.length * 100_000, empty)],
    ['a hundred thousand pages of another stream', Buffer.alloc(2_900_000, oggPageOf(['x'], { serial: 5 }))],
    ['a million letters of a page', Buffer.alloc(4_000_000, 'OggS')],
    [
      'pages that all say that they are long',
      Buffer.alloc(4_000_000, `OggS\0${'\0'.repeat(21)}${'\xff'.repeat(6)}`, 'latin1'),
    ],
  ])('in %s', async (_, flood) => {
    await run(buildOgg({ between: flood }));
    await run(buildOgg({ tail: flood }));
  });
});
