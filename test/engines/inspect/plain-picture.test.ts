/** Which pictures hold nothing but their picture, byte for byte. Made by libvips and its encoders, and byte by byte. */
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { isPlainPicture } from '../../../lib/engines/inspect/picture/plain-picture.ts';

const [WIDTH, HEIGHT] = [61, 47];
const pixels = (channels: 3 | 4) =>
  sharp(Buffer.from(Array.from({ length: WIDTH * HEIGHT * channels }, (_, index) => (index * index * 31) % 251)), {
    raw: { width: WIDTH, height: HEIGHT, channels },
  });
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const be32 = (value: number) => Buffer.of(value >>> 24, value >>> 16, value >>> 8, value);
/** The file with other bytes in the place of some, from an offset on. */
const patched = (file: Buffer, at: number, ...bytes: readonly number[]) =>
  Buffer.concat([file.subarray(0, at), Buffer.from(bytes), file.subarray(at + bytes.length)]);
const inserted = (file: Buffer, at: number, bytes: Uint8Array) =>
  Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);

const WRITTEN: readonly (readonly [string, Sharp])[] = [
  ['PNG', pixels(3).png()],
  ['interlaced PNG that can be seen through', pixels(4).png({ progressive: true })],
  ['PNG with a table of colours', pixels(4).png({ palette: true })],
  ['PNG with four bits a pixel', pixels(3).png({ palette: true, colours: 5 })],
  ['grey PNG with a density', pixels(3).grayscale().png().withMetadata({ density: 300 }).keepMetadata()],
  ['JPEG', pixels(3).jpeg()],
  ['progressive JPEG with small tables', pixels(3).jpeg({ mozjpeg: true })],
  ['grey JPEG', pixels(3).grayscale().jpeg()],
  ['JPEG of four inks', pixels(3).toColourspace('cmyk').jpeg()],
  ['GIF', pixels(3).gif()],
  ['GIF of three colours', pixels(3).gif({ colours: 3 })],
  [
    'animated GIF',
    sharp(Buffer.alloc(8 * 24 * 3, 'abcdefg'), { raw: { width: 8, height: 24, channels: 3, pageHeight: 8 } }).gif(),
  ],
];

describe('what encoders write is plain, and with a byte more or less it is not', () => {
  test.each(WRITTEN)('%s', async (_, picture) => {
    const file = await picture.toBuffer();
    const odd = [Buffer.concat([file, Buffer.of(0)]), file.subarray(0, -1), file.subarray(0, file.length >> 1)];
    expect([file, ...odd].map(isPlainPicture)).toEqual([true, false, false, false]);
  });

  test('no change of a byte makes it throw', async () => {
    for (const [, picture] of WRITTEN) {
      const file = await picture.toBuffer();
      for (let at = 0; at < Math.min(file.length, 700); at += 5) {
        isPlainPicture(patched(file, at, (file[at] as number) ^ 0xff));
        isPlainPicture(file.subarray(0, at));
      }
    }
  });

  test.each([
    ['WebP', pixels(3).webp()],
    ['TIFF', pixels(3).tiff()],
  ])('%s is not', async (_, picture) => {
    expect(isPlainPicture(await picture.toBuffer())).toBe(false);
  });

  test.each([0, 1, 13, 14, 30])('nothing of %i bytes is a picture', (length) => {
    expect(isPlainPicture(Buffer.alloc(length, 0x89))).toBe(false);
    expect(isPlainPicture(Buffer.alloc(length, 0xff))).toBe(false);
    expect(isPlainPicture(latin1('GIF89a'.padEnd(length, '\0')).subarray(0, length))).toBe(false);
  });
});

describe('PNG', () => {
  const chunk = (kind: string, data: Uint8Array = Buffer.alloc(0)) => {
    const body = Buffer.concat([latin1(kind), data]);
    return Buffer.concat([be32(data.length), body, be32(crc32(body))]);
  };
  const START = latin1('\x89PNG\r\n\x1a\n');
  const header = (...rest: readonly number[]) => chunk('IHDR', Buffer.concat([be32(2), be32(3), Buffer.from(rest)]));
  const RGB = header(8, 2, 0, 0, 0);
  /** Three rows of two pixels, each with its filter in front. */
  const ROWS = Buffer.alloc(3 * 7);
  const DATA = deflateSync(ROWS);
  const END = chunk('IEND');
  const png = (...chunks: readonly Uint8Array[]) => isPlainPicture(Buffer.concat([START, ...chunks, END]));
  const TABLE = chunk('PLTE', Buffer.alloc(6));
  const INDEXES = chunk('IDAT', deflateSync(Buffer.alloc(3 * 3)));

  test('of the chunks that it needs is plain', () => {
    expect(png(RGB, chunk('IDAT', DATA))).toBe(true);
    expect(png(RGB, chunk('IDAT', DATA.subarray(0, 5)), chunk('IDAT', DATA.subarray(5)))).toBe(true);
    expect(png(header(8, 3, 0, 0, 0), TABLE, chunk('tRNS', Buffer.alloc(2)), INDEXES)).toBe(true);
    expect(png(RGB, chunk('sRGB', Buffer.alloc(1)), chunk('pHYs', Buffer.alloc(9, 1)), chunk('IDAT', DATA))).toBe(true);
  });

  test.each([
    ['with a chunk that nobody knows', [RGB, chunk('teSt'), chunk('IDAT', DATA)]],
    ['with a chunk behind the pixels', [RGB, chunk('IDAT', DATA), chunk('gAMA', Buffer.alloc(4, 1))]],
    ['with pixels in two places', [RGB, chunk('IDAT', DATA), chunk('gAMA', Buffer.alloc(4)), chunk('IDAT')]],
    ['with a chunk of another length', [RGB, chunk('gAMA', Buffer.alloc(5)), chunk('IDAT', DATA)]],
    [
      'with the same chunk twice',
      [RGB, chunk('sRGB', Buffer.alloc(1)), chunk('sRGB', Buffer.alloc(1)), chunk('IDAT', DATA)],
    ],
    [
      'with more transparent colours than its table has',
      [header(8, 3, 0, 0, 0), TABLE, chunk('tRNS', Buffer.alloc(3)), INDEXES],
    ],
    ['with a transparent colour of another kind', [RGB, chunk('tRNS', Buffer.alloc(2)), chunk('IDAT', DATA)]],
    ['with a background that is in no table', [header(8, 3, 0, 0, 0), TABLE, chunk('bKGD', Buffer.of(2)), INDEXES]],
    [
      'with a pixel whose colour is in no table',
      [header(8, 3, 0, 0, 0), TABLE, chunk('IDAT', deflateSync(Buffer.of(0, 0, 1, 1, 1, 1, 0, 0, 0)))],
    ],
    [
      'with more colours than pixels can name',
      [header(1, 3, 0, 0, 0), chunk('PLTE', Buffer.alloc(9)), chunk('IDAT', deflateSync(Buffer.alloc(6)))],
    ],
    ['with a gamma of nothing', [RGB, chunk('gAMA', Buffer.alloc(4)), chunk('IDAT', DATA)]],
    ['with a density of nothing', [RGB, chunk('pHYs', Buffer.alloc(9)), chunk('IDAT', DATA)]],
    ['with more bits than its depth', [RGB, chunk('sBIT', Buffer.of(8, 9, 8)), chunk('IDAT', DATA)]],
    ['with an animation', [RGB, chunk('acTL', Buffer.alloc(8)), chunk('IDAT', DATA)]],
    ['with a wrong checksum', [RGB, patched(chunk('IDAT', DATA), 9, 0)]],
    ['with a header of another length', [chunk('IHDR', Buffer.alloc(14, 1)), chunk('IDAT', DATA)]],
    ['without pixels', [RGB]],
    ['with a row too few', [RGB, chunk('IDAT', deflateSync(ROWS.subarray(7)))]],
    ['with a row too many', [RGB, chunk('IDAT', deflateSync(Buffer.alloc(4 * 7)))]],
    ['with bytes behind the compressed data', [RGB, chunk('IDAT', Buffer.concat([DATA, latin1('hidden')]))]],
    ['with damaged data', [RGB, chunk('IDAT', patched(DATA, DATA.length - 1, 0xee))]],
    ['with a filter that there is none of', [RGB, chunk('IDAT', deflateSync(patched(ROWS, 7, 5)))]],
    ['without its table of colours', [header(8, 3, 0, 0, 0), INDEXES]],
    ['with a table of colours that it does not use', [RGB, TABLE, chunk('IDAT', DATA)]],
    [
      'with transparency in front of its table',
      [header(8, 3, 0, 0, 0), chunk('tRNS', Buffer.alloc(2)), TABLE, INDEXES],
    ],
    ['with a table of no colours', [header(8, 3, 0, 0, 0), chunk('PLTE'), INDEXES]],
    ['of a depth that there is none of', [header(3, 2, 0, 0, 0), chunk('IDAT', DATA)]],
    ['of a colour that there is none of', [header(8, 5, 0, 0, 0), chunk('IDAT', DATA)]],
    ['of another compression', [header(8, 2, 1, 0, 0), chunk('IDAT', DATA)]],
    ['of another filter method', [header(8, 2, 0, 1, 0), chunk('IDAT', DATA)]],
    ['of another interlacing', [header(8, 2, 0, 0, 2), chunk('IDAT', DATA)]],
    ['that is not in order', [chunk('gAMA', Buffer.alloc(4)), RGB, chunk('IDAT', DATA)]],
    [
      'larger than a memory',
      [chunk('IHDR', Buffer.concat([be32(60_000), be32(60_000), Buffer.of(8, 2, 0, 0, 0)])), chunk('IDAT', DATA)],
    ],
  ])('%s is not', (_, chunks) => {
    expect(png(...chunks)).toBe(false);
  });
});

describe('JPEG', async () => {
  const file = await pixels(3).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
  const progressive = await pixels(3).jpeg({ progressive: true }).toBuffer();
  const place = (marker: number, from = 0, of = file) => of.indexOf(Buffer.of(0xff, marker), from);
  const segment = (marker: number, data: Uint8Array) =>
    Buffer.concat([Buffer.of(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255), data]);
  /** A file of three components of which the scan holds the first alone. */
  const only = (of: Buffer, scan: number) =>
    Buffer.concat([of.subarray(0, scan + 2), Buffer.of(0, 8, 1, 1, 0, 0, 63, 0), greyData, of.subarray(-2)]);
  const grey = await pixels(3).grayscale().jpeg().toBuffer();
  const greyScan = place(0xda, 0, grey);
  const greyData = grey.subarray(greyScan + 2 + grey.readUInt16BE(greyScan + 2), -2);
  const [TABLE, FRAME, CODES, SCAN] = [place(0xdb), place(0xc0), place(0xc4), place(0xda)];

  test('with what says how it was made is plain', () => {
    const jfif = segment(0xe0, Buffer.from('4a46494600010200000100010000', 'hex'));
    const adobe = segment(0xee, Buffer.from('41646f6265006400000000' + '01', 'hex'));
    expect([file, inserted(file, 2, jfif), inserted(file, 2, adobe)].map(isPlainPicture)).toEqual([true, true, true]);
  });

  test.each([
    [
      'with a small picture in its header',
      inserted(file, 2, segment(0xe0, Buffer.from('4a464946000102000001000101010000ff', 'hex'))),
    ],
    ['with a segment of a program', inserted(file, 2, segment(0xed, latin1('Photoshop 3.0\0')))],
    ['with bytes between its segments', inserted(file, FRAME, Buffer.of(0xff))],
    ['with a second frame', inserted(file, SCAN, file.subarray(FRAME, FRAME + 19))],
    ['without a frame', Buffer.concat([file.subarray(0, FRAME), file.subarray(FRAME + 19)])],
    ['of no width', patched(file, FRAME + 7, 0, 0)],
    ['of no height', patched(file, FRAME + 5, 0, 0)],
    ['of 12 bits', patched(file, FRAME + 4, 12)],
    ['with a component that is there twice', patched(file, FRAME + 13, file[FRAME + 10] as number)],
    ['with a component of no size', patched(file, FRAME + 11, 0x01)],
    ['with a component of five samples', patched(file, FRAME + 11, 0x15)],
    ['with a table for a component that there is none of', patched(file, FRAME + 12, 3)],
    ['with a table of another precision', patched(file, TABLE + 4, 0x20)],
    ['with a table of a number that there is none of', patched(file, TABLE + 4, 0x04)],
    ['with codes that do not fit into their bits', patched(file, CODES + 5, 3)],
    ['with more codes than its segment', patched(file, CODES + 5 + 15, 200)],
    ['with a table of codes of a number that there is none of', patched(file, CODES + 4, 0x04)],
    ['with a table of codes of another class', patched(file, CODES + 4, 0x20)],
    ['with a scan of a component that there is none of', patched(file, SCAN + 5, 99)],
    ['with a scan of codes that there are none of', patched(file, SCAN + 6, 0x33)],
    ['with a scan of half a block', patched(file, SCAN + 12, 62)],
    ['with a scan of other bits', patched(file, SCAN + 13, 0x10)],
    ['with restarts that nothing announces', inserted(file, SCAN + 20, Buffer.of(0xff, 0xd0))],
    ['with a scan of a part of it that it had', inserted(file, file.length - 2, file.subarray(SCAN, -2))],
    ['without the scan of a component', Buffer.concat([only(file, SCAN)])],
    ['whose bits come before its values', patched(progressive, place(0xda, 0, progressive) + 13, 0x10)],
    ['without a scan', Buffer.concat([file.subarray(0, SCAN), Buffer.of(0xff, 0xd9)])],
    ['with a second picture behind it', Buffer.concat([file, file])],
    ['of a coding that only some decoders read', patched(file, FRAME + 1, 0xc9)],
  ])('%s is not', (_, other) => {
    expect(isPlainPicture(other)).toBe(false);
  });

  test('with restarts in their order is plain, and in another order not', async () => {
    const block = await sharp(Buffer.alloc(64, 99), { raw: { width: 8, height: 8, channels: 1 } })
      .jpeg({ chromaSubsampling: '4:4:4' })
      .toBuffer();
    const [frame, scan] = [place(0xc0, 0, block), place(0xda, 0, block)];
    const start = scan + 2 + block.readUInt16BE(scan + 2);
    const data = block.subarray(start, -2);
    /** As many blocks side by side, each behind a restart but for the first. */
    const restarted = (...numbers: readonly number[]) =>
      Buffer.concat([
        inserted(patched(block, frame + 8, 8 * (numbers.length + 1)), scan, segment(0xdd, Buffer.of(0, 1))).subarray(
          0,
          start + 6,
        ),
        data,
        ...numbers.flatMap((number) => [Buffer.of(0xff, 0xd0 + number), data]),
        Buffer.of(0xff, 0xd9),
      ]);
    const files = [
      restarted(),
      restarted(0, 1, 2),
      restarted(0, 1, 2, 3, 4, 5, 6, 7, 0),
      restarted(0, 2),
      restarted(1),
    ];
    expect(files.map(isPlainPicture)).toEqual([true, true, true, false, false]);
    const [whole, odd] = [restarted(0), restarted(0, 1)];
    expect(isPlainPicture(patched(whole, frame + 8, 24))).toBe(false);
    expect(isPlainPicture(patched(odd, frame + 8, 16))).toBe(false);
  });

  test.each([
    ['bytes behind the last block', inserted(file, file.length - 2, latin1('hidden'))],
    ['a block too few', Buffer.concat([file.subarray(0, -12), file.subarray(-2)])],
    ['more lines than its blocks have', patched(file, FRAME + 6, HEIGHT + 8)],
    ['fewer lines than its blocks have', patched(file, FRAME + 6, HEIGHT - 8)],
    ['bytes behind a scan of several', inserted(progressive, progressive.length - 2, latin1('hidden'))],
    ['fewer lines than several scans have', patched(progressive, place(0xc2, 0, progressive) + 6, HEIGHT - 8)],
  ])('with %s is not', (_, other) => {
    expect(isPlainPicture(other)).toBe(false);
  });

  test('of more scans than an encoder writes is not', () => {
    const scan = place(0xda, 0, progressive);
    const next = progressive.indexOf(0xff, scan + 20);
    expect(isPlainPicture(progressive)).toBe(true);
    const many = Array.from({ length: 70 }, () => progressive.subarray(scan, next));
    expect(isPlainPicture(inserted(progressive, scan, Buffer.concat(many)))).toBe(false);
  });
});

describe('GIF', () => {
  /** Two by one pixels with the codes clear, 0, 1, end, of three bits each. */
  const data = (...bytes: readonly number[]) => Buffer.of(2, bytes.length, ...bytes, 0);
  const CODES = data(0b01_000_100, 0b1010);
  const frame = (left: number, width: number, codes = CODES) =>
    Buffer.concat([Buffer.of(0x2c, left, 0, 0, 0, width, 0, 1, 0, 0), codes]);
  const screen = Buffer.concat([latin1('GIF89a'), Buffer.of(2, 0, 1, 0, 0x80, 0, 0), Buffer.alloc(6)]);
  const gif = (...blocks: readonly Uint8Array[]) => isPlainPicture(Buffer.concat([screen, ...blocks, Buffer.of(0x3b)]));
  const control = Buffer.of(0x21, 0xf9, 4, 0, 0, 0, 0, 0);
  const loop = Buffer.concat([Buffer.of(0x21, 0xff, 11), latin1('NETSCAPE2.0'), Buffer.of(3, 1, 0, 0, 0)]);

  test('of frames, and of how they are shown, is plain', () => {
    expect(gif(frame(0, 2))).toBe(true);
    expect(gif(Buffer.of(0x21, 0xfe, 2, 65, 66, 0), frame(0, 2))).toBe(true);
    expect(gif(loop, control, frame(0, 2), control, frame(0, 2))).toBe(true);
  });

  test.each([
    ['without a frame', [control]],
    ['with two controls of a frame', [control, control, frame(0, 2)]],
    ['with two comments', [Buffer.of(0x21, 0xfe, 0), Buffer.of(0x21, 0xfe, 0), frame(0, 2)]],
    ['with a comment that is no words', [Buffer.of(0x21, 0xfe, 1, 7, 0), frame(0, 2)]],
    ['with a text', [Buffer.of(0x21, 0x01, 1, 65, 0), frame(0, 2)]],
    [
      'with an extension of another program',
      [Buffer.concat([Buffer.of(0x21, 0xff, 11), latin1('XMP DataXMP'), Buffer.of(0)]), frame(0, 2)],
    ],
    ['with a longer control block', [Buffer.of(0x21, 0xf9, 5, 0, 0, 0, 0, 0, 0), frame(0, 2)]],
    ['with a longer loop', [Buffer.concat([loop.subarray(0, -1), Buffer.of(1, 65, 0)]), frame(0, 2)]],
    ['with a byte between its blocks', [Buffer.of(0), frame(0, 2)]],
    ['with a frame beside the screen', [frame(1, 2)]],
    ['with a frame of no size', [frame(0, 0)]],
    ['with a pixel too few', [frame(0, 2, data(0b00_000_100 | (0b101 << 6), 0b1))]],
    ['with a pixel too many', [frame(0, 1)]],
    ['with a code that is not defined', [frame(0, 2, data(0b11_000_100, 0b1011))]],
    ['with a colour that is in no table', [frame(0, 2, data(0b10_000_100, 0b1010))]],
    ['without its end', [frame(0, 2, data(0b01_000_100))]],
    ['with bytes behind its end', [frame(0, 2, data(0b01_000_100, 0b1010, 65))]],
    ['with bits behind its end', [frame(0, 2, data(0b01_000_100, 0b11001010))]],
    ['with codes of nine bits', [frame(0, 2, Buffer.of(9, 1, 0, 0))]],
  ])('%s is not', (_, blocks) => {
    expect(gif(...blocks)).toBe(false);
  });
});
