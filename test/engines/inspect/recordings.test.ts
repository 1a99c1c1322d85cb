/** Ogg and FLAC recordings as the second look sees them, page by page and frame by frame. */
import { describe, expect, test } from 'vitest';
import { buildFlac, flacFrameWith } from '../../fixtures/build-flac.ts';
import { buildOgg, oggPageOf, type PageOptions } from '../../fixtures/build-ogg.ts';
import { foundIn } from '../disarm/run-media.ts';

describe('FLAC', () => {
  const HEAD = Buffer.from(buildFlac({ frames: 0 }));
  const SOUND = Buffer.alloc(40, 'tone');
  const flac = (...headers: readonly (readonly number[])[]) =>
    foundIn(Buffer.concat([HEAD, ...headers.map((header) => flacFrameWith(header, SOUND))]));
  /** The fixed part of a header: blocks and rate, channels and bits. */
  const of = (size: number, rate: number, channels: number, bits: number) =>
    [0xff, 0xf8, (size << 4) | rate, (channels << 4) | (bits << 1)] as const;

  test.each([
    ...[1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15].map(
      (size) => ['blocks', size, [...of(size, 9, 0, 4), 0]] as const,
    ),
    ['blocks in one byte', 6, [...of(6, 9, 0, 4), 0, 191]] as const,
    ['blocks in two bytes', 7, [...of(7, 9, 0, 4), 0, 1, 191]] as const,
    ...[0, 1, 5, 10, 11].map((rate) => ['rate', rate, [...of(1, rate, 0, 4), 0]] as const),
    ['rate in one byte', 12, [...of(1, 12, 0, 4), 0, 44]] as const,
    ...[13, 14].map((rate) => ['rate in two bytes', rate, [...of(1, rate, 0, 4), 0, 1, 44]] as const),
    ['rate and blocks in bytes', 7, [...of(7, 13, 0, 4), 0, 1, 191, 1, 44]] as const,
    ...[0, 1, 7, 8, 9, 10].map((channels) => ['channels', channels, [...of(1, 9, channels, 4), 0]] as const),
    ...[0, 1, 2, 4, 5, 6, 7].map((bits) => ['bits', bits, [...of(1, 9, 0, bits), 0]] as const),
  ])('may have a frame whose %s is %i', (_, __, header) => {
    expect(flac(header)).toEqual([]);
  });

  test.each([
    ['reserved blocks', [...of(0, 9, 0, 4), 0]],
    ['a rate that is none', [...of(1, 15, 0, 4), 0]],
    ['eleven channels', [...of(1, 9, 11, 4), 0]],
    ['reserved bits', [...of(1, 9, 0, 3), 0]],
    ['a reserved bit behind them', [0xff, 0xf8, 0x19, 0x09, 0]],
    ['a reserved bit in front', [0xff, 0xfa, 0x19, 0x08, 0]],
    ['no sync', [0xff, 0xe8, 0x19, 0x08, 0]],
    ['half a sync', [0x7f, 0xf8, 0x19, 0x08, 0]],
    ['a number that begins in its middle', [...of(1, 9, 0, 4), 0x80]],
    ['a number without an end', [...of(1, 9, 0, 4), 0xff]],
  ])('may not have a frame with %s', (_, header) => {
    expect(flac(header)).toEqual(['media-left-over', 'media-empty']);
  });

  test('has numbers in the form of UTF-8', () => {
    const numbered = (...numbers: number[][]) => flac(...numbers.map((bytes) => [...of(1, 9, 0, 4), ...bytes]));
    expect(numbered([127], [0xc2, 0x80])).toEqual([]);
    expect(numbered([0xdf, 0xbf], [0xe0, 0xa0, 0x80])).toEqual([]);
    expect(numbered([0xef, 0xbf, 0xbf], [0xf0, 0x90, 0x80, 0x80])).toEqual([]);
    const [full, last] = [Array<number>(5).fill(0xbf), 0xbf];
    expect(numbered([0xfe, ...full, last - 1], [0xfe, ...full, last])).toEqual([]);
    expect(numbered([0xfe, ...full, last - 1], [0xfe, ...full, last - 1])).toEqual(['media-left-over']);
    expect(numbered([127], [0xc2, 0x81])).toEqual(['media-left-over']);
    expect(numbered([0xc2, 0x80], [0xc2, 0x80])).toEqual(['media-left-over']);
    expect(numbered([5], [6], [8])).toEqual(['media-left-over']);
  });

  test('of blocks that vary has the numbers of their first samples', () => {
    const frame = (size: number[], code: number, number: number[]) => [
      0xff,
      0xf9,
      (code << 4) | 9,
      8,
      ...number,
      ...size,
    ];
    for (const [code, size, samples] of [
      [1, [], 192],
      [2, [], 576],
      [5, [], 4_608],
      [8, [], 256],
      [15, [], 32_768],
      [6, [15], 16],
      [7, [0x0f, 0xff], 4_096],
    ] as const) {
      const next = (number: number) => [...Buffer.from(String.fromCodePoint(number))];
      expect(flac(frame([...size], code, [0]), frame([...size], code, next(samples))), String(code)).toEqual([]);
      for (const wrong of [samples - 1, samples + 1, 1])
        expect(flac(frame([...size], code, [0]), frame([...size], code, next(wrong)))).toEqual(['media-left-over']);
    }
  });

  test('is of one kind from its first frame to its last', () => {
    const first = [...of(1, 9, 0, 4), 0];
    expect(flac(first, [...of(1, 9, 1, 4), 1])).toEqual(['media-left-over']);
    expect(flac(first, [...of(1, 9, 0, 5), 1])).toEqual(['media-left-over']);
    expect(flac(first, [0xff, 0xf9, 0x19, 0x08, 1])).toEqual(['media-left-over']);
    // The ways to store two channels may change, and so may the blocks.
    expect(flac([...of(1, 9, 1, 4), 0], [...of(2, 9, 8, 4), 1], [...of(1, 9, 10, 4), 2])).toEqual([]);
  });

  test('may begin with any number', () => {
    expect(flac([...of(1, 9, 0, 4), 40], [...of(1, 9, 0, 4), 41])).toEqual([]);
  });

  test('has the checksums of its headers and frames', () => {
    const bytes = Buffer.from(buildFlac());
    expect(foundIn(bytes)).toEqual([]);
    for (const at of [42, 46, 47, 48, 60, 42 + 391]) {
      const wrong = Buffer.from(bytes);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      expect(foundIn(wrong), String(at)).toContain('media-left-over');
    }
    expect(foundIn(bytes.subarray(0, -1))).toEqual(['media-left-over']);
    expect(foundIn(Buffer.concat([bytes, Buffer.from('x')]))).toEqual(['media-left-over']);
  });

  test('may have a sync in its sound', () => {
    const frame = (number: number) =>
      flacFrameWith([...of(1, 9, 0, 4), number], Buffer.alloc(300, '\xff\xf8\x19', 'latin1'));
    expect(foundIn(Buffer.concat([HEAD, frame(0), frame(1), frame(2)]))).toEqual([]);
  });

  test.each([0, 3, 4, 7])('begins with its form and nothing else (byte %i)', (at) => {
    const bytes = Buffer.from(buildFlac());
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(foundIn(bytes)).toContain(at < 4 ? 'media-left-over' : 'media-chunk');
  });
});

describe('Ogg', () => {
  const OPUS_HEAD = Buffer.from(`OpusHead\x01\x01${'\0'.repeat(9)}`, 'latin1');
  const OPUS_TAGS = 'OpusTags\0\0\0\0\0\0\0\0';
  const VORBIS_HEAD = Buffer.from(`\x01vorbis\0\0\0\0\x01${'\0'.repeat(16)}\xb8\x01`, 'latin1');
  const VORBIS_TAGS = '\x03vorbis\0\0\0\0\0\0\0\0\x01';
  const TABLES = '\x05vorbis\x10BCVt';
  type Page = readonly [packets: readonly (Uint8Array | string)[], options?: PageOptions];
  /** Pages in their order; each has its number unless it says another. */
  const ogg = (...pages: readonly Page[]) =>
    foundIn(Buffer.concat(pages.map(([packets, options], number) => oggPageOf(packets, { number, ...options }))));
  const FIRST: Page = [[OPUS_HEAD], { flags: 2 }];
  const SECOND: Page = [[OPUS_TAGS]];
  const SOUND: Page = [['sound']];

  test('of three pages is nothing but that, with an end or without', () => {
    expect(ogg(FIRST, SECOND, SOUND)).toEqual([]);
    expect(ogg(FIRST, SECOND, SOUND, [['more'], { flags: 4 }])).toEqual([]);
    expect(ogg([[VORBIS_HEAD], { flags: 2 }], [[VORBIS_TAGS, TABLES]], SOUND)).toEqual([]);
  });

  test('has three pages at least', () => {
    expect(ogg(FIRST, SECOND)).toEqual(['media-empty']);
    expect(foundIn(oggPageOf([OPUS_HEAD], { flags: 2 }).subarray(0, 20))).toContain('media-empty');
  });

  test.each<[string, Page, string]>([
    ['an introduction that is too short', [[OPUS_HEAD.subarray(0, -1)], { flags: 2 }], 'media-chunk'],
    ['an introduction that is too long', [[OPUS_HEAD, 'x'], { flags: 2 }], 'media-chunk'],
    ['another introduction', [['Speex   1.2'.padEnd(19)], { flags: 2 }], 'media-chunk'],
    ['no mark of the beginning', [[OPUS_HEAD], { flags: 0 }], 'media-left-over'],
    ['another number', [[OPUS_HEAD], { flags: 2, number: 1 }], 'media-left-over'],
    ['a wrong checksum', [[OPUS_HEAD], { flags: 2, sum: 1 }], 'media-left-over'],
  ])('with %s is a finding', (_, first, finding) => {
    expect(ogg(first, SECOND, SOUND)).toContain(finding);
  });

  test('of mapped channels has a row for each', () => {
    const mapped = (channels: number, bytes: number) => {
      const head = Buffer.concat([OPUS_HEAD, Buffer.alloc(bytes)]);
      head[9] = channels;
      head[18] = 1;
      return ogg([[head], { flags: 2 }], SECOND, SOUND);
    };
    expect([mapped(1, 3), mapped(6, 8)]).toEqual([[], []]);
    for (const [channels, bytes] of [
      [1, 0],
      [1, 2],
      [1, 4],
      [6, 3],
    ] as const)
      expect(mapped(channels, bytes)).toEqual(['media-chunk']);
  });

  test.each([-1, 1])('of Vorbis has an introduction of 30 bytes', (more) => {
    const head = Buffer.concat([VORBIS_HEAD, Buffer.from('x')]).subarray(0, 30 + more);
    expect(ogg([[head], { flags: 2 }], [[VORBIS_TAGS, TABLES]], SOUND)).toContain('media-chunk');
  });

  test.each<[string, Page]>([
    ['with a comment', [['OpusTags\0\0\0\0\x01\0\0\0\x01\0\0\0a']]],
    ['with a byte behind them', [[`${OPUS_TAGS}x`]]],
    ['of another codec', [[VORBIS_TAGS, TABLES]]],
    ['that are missing', [['sound']]],
    ['with other packets on their page', [[OPUS_TAGS, 'x', 'y']]],
  ])('has comments without any: not %s', (_, second) => {
    expect(ogg(FIRST, second, SOUND)).toContain('media-chunk');
  });

  test.each([
    ['comments with a vendor', '\x03vorbis\x01\0\0\0a\0\0\0\0\x01', TABLES],
    ['tables that are none', VORBIS_TAGS, '\x05vorbis\x10BCXt'],
    ['tables of another kind', VORBIS_TAGS, '\x07vorbis\x10BCVt'],
  ])('of Vorbis may not have %s', (_, comments, tables) => {
    expect(ogg([[VORBIS_HEAD], { flags: 2 }], [[comments, tables]], SOUND)).toContain('media-chunk');
  });

  test('of Vorbis has two headers on its second page', () => {
    expect(ogg([[VORBIS_HEAD], { flags: 2 }], [[VORBIS_TAGS, TABLES, 'x']], SOUND)).toContain('media-chunk');
  });

  test.each<[string, Page]>([
    ['of another stream', [['x'], { serial: 2 }]],
    ['with a number left out', [['x'], { number: 4 }]],
    ['with the number of the page before', [['x'], { number: 2 }]],
    ['that begins a stream', [['x'], { flags: 2 }]],
    ['that goes on with a packet that had ended', [['x'], { flags: 1 }]],
    ['with a wrong checksum', [['x'], { sum: 1 }]],
  ])('has no page %s', (_, page) => {
    expect(ogg(FIRST, SECOND, SOUND, page)).toEqual(['media-left-over']);
  });

  test('has no page behind its end', () => {
    expect(ogg(FIRST, SECOND, [['x'], { flags: 4 }], [['y']])).toEqual(['media-left-over']);
  });

  test('has pages of its own version only', () => {
    const page = oggPageOf(['x'], { number: 3 });
    page[4] = 1;
    const bytes = Buffer.concat([
      oggPageOf([OPUS_HEAD], { flags: 2 }),
      oggPageOf([OPUS_TAGS], { number: 1 }),
      oggPageOf(['x'], { number: 2 }),
      page,
    ]);
    expect(foundIn(bytes)).toEqual(['media-left-over']);
  });

  test.each(['OpusHead', 'OpusTags', '\x01vorbis', '\x03vorbis', '\x05vorbis'])(
    'has no header (%j) among its sound, as the first packet of a page or as another',
    (header) => {
      expect(ogg(FIRST, SECOND, [[header]])).toEqual(['media-chunk']);
      expect(ogg(FIRST, SECOND, [['sound', `${header}rest`]])).toEqual(['media-chunk']);
      expect(ogg(FIRST, SECOND, [[`sound ${header}`]])).toEqual([]);
    },
  );

  test('may have the letters of a header in a packet that goes on', () => {
    const long = 'x'.repeat(255);
    // A page of whole pieces only: its packet goes on in the next.
    const open = oggPageOf([long], { number: 2 });
    expect(open[26]).toBe(2);
    expect(ogg(FIRST, SECOND, [[long]])).toEqual([]);
    expect(ogg(FIRST, SECOND, [[`${long}OpusTags`]])).toEqual([]);
    expect(ogg(FIRST, SECOND, [[long, 'OpusTags']])).toEqual(['media-chunk']);
  });

  test('may go on with a packet on the next page, which says so', () => {
    const tables = `\x05vorbis\x10BCV${'t'.repeat(80_000)}`;
    const bytes = Buffer.from(buildOgg({ codec: 'vorbis', tables }));
    expect(foundIn(bytes)).toEqual([]);
    const third = bytes.indexOf('OggS', bytes.indexOf('OggS', 4) + 4);
    expect(bytes[third + 5]).toBe(1);
  });
});
