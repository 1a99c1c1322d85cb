/** Pictures as the second look sees them: their size and frames, and every block that is no part of the picture. Built byte by byte. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { type ApngOptions, buildApng } from '../../fixtures/build-image.ts';

const PNG = describeType('image/png');

async function look(output: Uint8Array, original: Uint8Array = output) {
  const types = { detectType, secondLookOf };
  const [before, after] = [original, output].map((bytes) => ({ bytes, type: PNG }));
  if (before === undefined || after === undefined) throw new Error('two files');
  const { leftovers, shape, ...rest } = await inspectOutput(before, after, DEFAULT_ENGINE_LIMITS, types);
  return { ids: leftovers.map(({ id }) => id), shape, rest };
}
const ids = async (bytes: Uint8Array) => (await look(bytes)).ids;
const shape = async (bytes: Uint8Array) => (await look(bytes)).shape?.after ?? null;

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const join = (...pieces: readonly (string | Uint8Array | number)[]) =>
  Buffer.concat(
    pieces.map((piece) =>
      typeof piece === 'string' ? latin1(piece) : typeof piece === 'number' ? Buffer.of(piece) : piece,
    ),
  );
const be16 = (value: number) => Buffer.of(value >> 8, value & 0xff);
const le16 = (value: number) => Buffer.of(value & 0xff, value >> 8);
const be32 = (value: number) => join(be16(value >>> 16), be16(value & 0xffff));
const le32 = (value: number) => join(le16(value & 0xffff), le16(value >>> 16));

describe('PNG', () => {
  const chunk = (kind: string, data: Uint8Array = Buffer.alloc(0)) => join(be32(data.length), kind, data, be32(0));
  const header = chunk('IHDR', join(be32(300), be32(200), Buffer.of(8, 2, 0, 0, 0)));
  const png = (...chunks: readonly Uint8Array[]) =>
    join('\x89PNG\r\n\x1a\n', header, ...chunks, chunk('IDAT', Buffer.alloc(9)), chunk('IEND'));

  test('that is whole has its size, one frame, and nothing in it', async () => {
    expect(await look(png())).toEqual({
      ids: [],
      shape: { before: { width: 300, height: 200, frames: 1 }, after: { width: 300, height: 200, frames: 1 } },
      rest: { words: null, units: null, pictures: null, members: null, isEmptyOfUnknown: false },
    });
  });

  test.each('PLTE tRNS gAMA cHRM sRGB sBIT bKGD pHYs hIST iCCP'.split(' '))('may have the block %s', async (kind) =>
    expect(await ids(png(chunk(kind)))).toEqual([]),
  );
  test.each('eXIf tEXt zTXt iTXt tIME'.split(' '))('with the block %s tells of people', async (kind) =>
    expect(await ids(png(chunk(kind)))).toEqual(['picture-metadata']),
  );
  test.each(['sPLT', 'abcd', 'xIHD', 'IDA\0', 'EXIF2'.slice(1)])('with the block %j holds more', async (kind) =>
    expect(await ids(png(chunk(kind)))).toEqual(['picture-extra-block']),
  );
  test('with bytes behind its end holds more', async () => {
    expect(await ids(join(png(), 0))).toEqual(['picture-trailing-data']);
  });
  test('that breaks off, or that has no size, is damaged', async () => {
    expect(await ids(png().subarray(0, -1))).toEqual(['picture-damaged']);
    expect(await ids(png().subarray(0, -12))).toEqual(['picture-damaged']);
    const nothing = png();
    nothing.writeUInt32BE(0, 16);
    expect(await ids(nothing)).toEqual(['picture-damaged']);
    nothing.writeUInt32BE(1, 16);
    nothing.writeUInt32BE(0, 20);
    expect(await ids(nothing)).toEqual(['picture-damaged']);
  });
  test('is compared with an original that may be damaged', async () => {
    const { shape: found } = await look(png(), Buffer.from('no picture, but long enough'));
    expect(found).toEqual({ before: null, after: { width: 300, height: 200, frames: 1 } });
  });
  test('that is damaged has no shape', async () => {
    expect((await look(Buffer.from('no picture, but long enough'), png())).shape).toBeNull();
    expect((await look(Buffer.from('short'), png())).ids).toEqual(['picture-damaged']);
  });
});

describe('an animated PNG', () => {
  const [red, blue] = [
    [255, 0, 0, 255],
    [0, 0, 255, 255],
  ];
  const frame = { width: 4, height: 4, pixels: red };
  const options: ApngOptions = { width: 4, height: 4, frames: [frame, { ...frame, pixels: blue }] };
  const without = (kind: string) => {
    const bytes = Buffer.from(buildApng(options));
    const at = bytes.lastIndexOf(kind) - 4;
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 12 + bytes.readUInt32BE(at))]);
  };
  const short = () => {
    const bytes = Buffer.from(buildApng(options));
    const at = bytes.lastIndexOf('fcTL');
    return join(bytes.subarray(0, at - 4), be32(22), bytes.subarray(at, at + 26), bytes.subarray(at + 30));
  };
  /** A number in the last control of a frame: the order, then width, height, left and top. */
  const set = (at: number, value: number) => {
    const bytes = Buffer.from(buildApng(options));
    bytes.writeUInt32BE(value, bytes.lastIndexOf('fcTL') + 4 + at);
    return bytes;
  };

  test('has as many frames as it shows, and nothing in it', async () => {
    expect(await ids(buildApng(options))).toEqual([]);
    expect(await shape(buildApng(options))).toEqual({ width: 4, height: 4, frames: 2 });
    expect(await ids(buildApng({ ...options, still: blue }))).toEqual([]);
    expect(await shape(buildApng({ ...options, still: blue }))).toMatchObject({ frames: 2 });
  });

  test.each([
    ['fewer frames than it announces', buildApng({ ...options, announced: 3 })],
    ['more frames than it announces', buildApng({ ...options, announced: 1 })],
    ['a frame outside of the canvas', buildApng({ ...options, frames: [frame, { ...frame, x: 1 }] })],
    ['a frame below the canvas', set(16, 1)],
    ['a frame without a size', set(4, 0)],
    ['a way to dispose that does not exist', buildApng({ ...options, frames: [{ ...frame, disposal: 3 }] })],
    ['a way to blend that does not exist', buildApng({ ...options, frames: [{ ...frame, blend: 2 }] })],
    ['frames out of order', set(0, 3)],
    ['a control without a frame', without('fdAT')],
    ['data behind no control', without('fcTL')],
    ['no control of all', without('acTL')],
    ['a control that is too short', short()],
  ])('with %s is none', async (_, bytes) => {
    expect(await ids(bytes)).toContain('picture-animation');
    expect(await shape(bytes)).toMatchObject({ frames: 1 });
  });
});

test('an animated PNG with words behind the pixels of any of its pictures holds more', async () => {
  const frame = { width: 4, height: 4, pixels: [255, 0, 0, 255] };
  const options = { width: 4, height: 4 };
  for (const frames of [
    [frame, { ...frame, tail: 'x' }],
    [{ ...frame, tail: 'x' }, frame],
  ])
    expect(await ids(buildApng({ ...options, frames }))).toEqual(['picture-extra-block']);
});

describe('JPEG', () => {
  const segment = (marker: number, data: Uint8Array | string = '') => join(0xff, marker, be16(data.length + 2), data);
  const frame = (marker = 0xc0) => segment(marker, join(8, be16(200), be16(300), Buffer.alloc(10)));
  const scan = join(segment(0xda, 'abcdef'), 'pixels', '\xff\x00', '\xff\xd0', '\xff\xd7', '\xff\xff\x00');
  const end = join(0xff, 0xd9);
  const jpeg = (...segments: readonly Uint8Array[]) => join(0xff, 0xd8, ...segments, frame(), scan, end);

  test('that is whole has its size, and nothing in it', async () => {
    const file = jpeg(segment(0xe0, 'JFIF\0'), segment(0xdb), segment(0xc4), segment(0xe2, 'ICC'), segment(0xee));
    expect(await ids(file)).toEqual([]);
    expect(await shape(file)).toEqual({ width: 300, height: 200, frames: 1 });
  });

  test.each([0xe1, 0xe3, 0xe9, 0xed, 0xef])('with the segment %i tells of people', async (marker) =>
    expect(await ids(jpeg(segment(marker, 'x')))).toEqual(['picture-metadata']),
  );
  test('with a comment holds more', async () => {
    expect(await ids(jpeg(segment(0xfe, 'x')))).toEqual(['picture-extra-block']);
  });
  test('may have fill bytes and markers without a length in front of a segment', async () => {
    expect(await ids(jpeg(join(0xff), join(0xff, 0x01), join(0xff, 0xd0), join(0xff, 0xd8)))).toEqual([]);
  });
  test.each([0xc1, 0xc2, 0xc3, 0xc5, 0xcb, 0xcd, 0xcf])('has its size in the frame %i', async (marker) => {
    expect(await shape(join(0xff, 0xd8, frame(marker), scan, end))).toEqual({ width: 300, height: 200, frames: 1 });
  });
  test.each([0xc4, 0xc8, 0xcc, 0xd0 + 0xb, 0xdd])('has none in the segment %i', async (marker) => {
    expect(await ids(join(0xff, 0xd8, frame(marker), scan, end))).toEqual(['picture-damaged']);
  });
  test('is searched behind a scan as well', async () => {
    const more = (...segments: readonly Uint8Array[]) => join(0xff, 0xd8, frame(), scan, ...segments, scan, end);
    expect(await ids(more(segment(0xc4)))).toEqual([]);
    expect(await ids(more(segment(0xe1)))).toEqual(['picture-metadata']);
  });
  test('with bytes behind its end holds more', async () => {
    expect(await ids(join(jpeg(), 'x'))).toEqual(['picture-trailing-data']);
  });
  test('that breaks off is damaged', async () => {
    expect(await ids(jpeg().subarray(0, -2))).toEqual(['picture-damaged']);
    expect(await ids(join(0xff, 0xd8, frame(), 'no segment'))).toEqual(['picture-damaged']);
  });
});

describe('GIF', () => {
  const screen = (flags = 0) => join('GIF89a', le16(300), le16(200), flags, 0, 0);
  const control = join(0x21, 0xf9, 4, 'abcd', 0);
  const repeat = (program = 'NETSCAPE2.0') => join(0x21, 0xff, 11, program, 3, 'abc', 0);
  const image = (flags = 0, table = '') => join(0x2c, Buffer.alloc(8), flags, table, 2, 3, 'abc', 2, 'de', 0);
  const gif = (...blocks: readonly Uint8Array[]) => join(screen(), ...blocks, image(), 0x3b);

  test('that is whole has its size and its frames, and nothing in it', async () => {
    const file = gif(control, repeat(), repeat('ANIMEXTS1.0'), image(), control, image());
    expect(await ids(file)).toEqual([]);
    expect(await shape(file)).toEqual({ width: 300, height: 200, frames: 3 });
  });
  test('may have colour tables, for all frames and for one', async () => {
    const file = join(screen(0x81), 'x'.repeat(12), image(0x80, 'x'.repeat(6)), image(0x07), 0x3b);
    expect(await ids(file)).toEqual([]);
    expect(await shape(file)).toEqual({ width: 300, height: 200, frames: 2 });
    expect(await ids(join('GIF87a', file.subarray(6)))).toEqual([]);
  });
  test.each<[string, Uint8Array]>([
    ['a comment', join(0x21, 0xfe, 3, 'abc', 0)],
    ['a text', join(0x21, 0x01, 3, 'abc', 0)],
    ['a block of another program', repeat('XMP DataXMP')],
    ['a block of a program that is called almost like it', repeat('NETSCAPE2x0')],
  ])('with %s holds more', async (_, block) => expect(await ids(gif(block))).toEqual(['picture-extra-block']));
  test('with bytes behind its end holds more', async () => {
    expect(await ids(join(gif(), 'x'))).toEqual(['picture-trailing-data']);
  });
  test('that breaks off, or goes on with no block, is damaged', async () => {
    expect(await ids(gif().subarray(0, -1))).toEqual(['picture-damaged']);
    expect(await ids(gif(join(0x22)))).toEqual(['picture-damaged']);
  });
});

describe('WebP', () => {
  const chunk = (kind: string, data: Uint8Array) => join(kind, le32(data.length), data, data.length % 2 ? '\0' : '');
  const webp = (...chunks: readonly Uint8Array[]) => {
    const body = join('WEBP', ...chunks);
    return join('RIFF', le32(body.length), body);
  };
  const extended = chunk('VP8X', join(le32(0), Buffer.of(0x2b, 1, 1), Buffer.of(199, 0, 2)));
  const lossy = chunk('VP8 ', join('abc\x9d\x01\x2a', le16(0x4000 + 300), le16(0x8000 + 200), 'x'));
  const lossless = chunk('VP8L', join(0x2f, le32(299 | (199 << 14)), 'pixels'));

  test.each<[string, Uint8Array, number, number]>([
    ['extended', webp(extended, lossy), 0x1012b + 1, 0x200c7 + 1],
    ['lossy', webp(lossy), 300, 200],
    ['lossless', webp(lossless), 300, 200],
  ])('that is whole and %s has its size, and nothing in it', async (_, file, width, height) => {
    expect(await ids(file)).toEqual([]);
    expect(await shape(file)).toEqual({ width, height, frames: 1 });
  });
  test('has as many frames as it shows', async () => {
    const frame = chunk('ANMF', Buffer.alloc(3));
    const file = webp(extended, chunk('ANIM', Buffer.alloc(6)), chunk('ALPH', join('x')), frame, frame, frame);
    expect(await ids(file)).toEqual([]);
    expect((await shape(file))?.frames).toBe(3);
  });
  test.each([
    ['EXIF', 'picture-metadata'],
    ['XMP ', 'picture-metadata'],
    ['ABCD', 'picture-extra-block'],
    ['VP8Y', 'picture-extra-block'],
  ])('with the block %s is %s', async (kind, id) => {
    expect(await ids(webp(lossy, chunk(kind, Buffer.alloc(5))))).toEqual([id]);
  });
  test('with bytes behind its end holds more, but for one that fills up a word', async () => {
    expect(await ids(join(webp(lossless), 'x'))).toEqual(['picture-trailing-data']);
    const odd = join('RIFF', le32(23), 'WEBP', 'VP8L', le32(11), 0x2f, le32(0), 'pixels');
    expect(await ids(odd)).toEqual([]);
    expect(await ids(join(odd, 0))).toEqual([]);
    expect(await ids(join(odd, 0, 0))).toEqual(['picture-trailing-data']);
  });
  test('without pixels is damaged', async () => {
    expect(await ids(webp(chunk('ICCP', Buffer.alloc(20))))).toEqual(['picture-damaged']);
  });
});

describe('BMP', () => {
  test('has its size, whichever way up it stands', async () => {
    const bmp = (height: number) => {
      const bytes = join('BM', Buffer.alloc(60));
      bytes.writeInt32LE(300, 18);
      bytes.writeInt32LE(height, 22);
      return bytes;
    };
    expect(await shape(bmp(200))).toEqual({ width: 300, height: 200, frames: 1 });
    expect(await shape(bmp(-200))).toEqual({ width: 300, height: 200, frames: 1 });
    expect(await ids(bmp(0))).toEqual(['picture-damaged']);
  });
});

describe('TIFF', () => {
  interface Field {
    readonly tag: number;
    readonly type?: number;
    readonly values: readonly number[];
  }
  /** Pages one after the other, each with the values of its fields and then its pixels behind it. */
  function tiff(isLittle: boolean, pages: readonly (readonly Field[])[], pixels = 'pixels'): Buffer {
    const u16 = isLittle ? le16 : be16;
    const u32 = isLittle ? le32 : be32;
    let file = join(isLittle ? 'II*\0' : 'MM\0*', u32(8));
    pages.forEach((fields, page) => {
      const dataAt = file.length + 2 + fields.length * 12 + 4;
      let data = Buffer.alloc(0);
      const rows = fields.map(({ tag, type = 4, values }) => {
        const bytes = join(...values.map(type === 3 ? u16 : u32));
        const at = u32(dataAt + data.length);
        if (bytes.length > 4) data = join(data, bytes);
        return join(
          u16(tag),
          u16(type),
          u32(values.length),
          bytes.length > 4 ? at : join(bytes, Buffer.alloc(4)).subarray(0, 4),
        );
      });
      const next = page === pages.length - 1 ? 0 : dataAt + data.length;
      file = join(file, u16(fields.length), ...rows, u32(next), data);
    });
    return join(file, pixels);
  }
  const WIDTH = { tag: 256, type: 3, values: [300] };
  const HEIGHT = { tag: 257, values: [200] };
  /** One strip of six bytes behind a page of four fields. */
  const STRIP = [
    { tag: 273, values: [8 + 2 + 48 + 4] },
    { tag: 279, values: [6] },
  ];

  test.each([true, false])('that is whole has its size (little end first: %s)', async (isLittle) => {
    const file = tiff(isLittle, [[WIDTH, HEIGHT, ...STRIP]]);
    expect(await ids(file)).toEqual([]);
    expect(await shape(file)).toEqual({ width: 300, height: 200, frames: 1 });
  });
  test.each([true, false])('has the size of its largest page, and as many frames as pages (%s)', async (isLittle) => {
    const file = tiff(isLittle, [[WIDTH, HEIGHT], [{ tag: 256, values: [100_000] }, HEIGHT], [WIDTH]], '');
    expect(await shape(file)).toEqual({ width: 100_000, height: 200, frames: 3 });
    expect(await ids(file)).toEqual([]);
  });
  test('with bytes that no page accounts for holds more, but for one that fills up a word', async () => {
    expect(await ids(tiff(true, [[WIDTH, HEIGHT, ...STRIP]], 'pixels1'))).toEqual([]);
    expect(await ids(tiff(true, [[WIDTH, HEIGHT, ...STRIP]], 'pixels12'))).toEqual(['picture-trailing-data']);
    expect(await ids(tiff(true, [[WIDTH, HEIGHT]], 'xx'))).toEqual(['picture-trailing-data']);
  });
  test('accounts for the pixels of many strips, and of tiles', async () => {
    const at = 8 + 2 + 48 + 4 + 16;
    const strips = [
      { tag: 273, values: [at, at + 2] },
      { tag: 279, values: [2, 4] },
    ];
    expect(await ids(tiff(true, [[WIDTH, HEIGHT, ...strips]]))).toEqual([]);
    const tiles = [
      { tag: 324, values: [62] },
      { tag: 325, type: 3, values: [6] },
    ];
    expect(await ids(tiff(false, [[WIDTH, HEIGHT, ...tiles]]))).toEqual([]);
  });
  test('accounts for values that stand elsewhere', async () => {
    const file = tiff(true, [[WIDTH, HEIGHT, { tag: 258, type: 3, values: [8, 8, 8] }]], '');
    expect(await ids(file)).toEqual([]);
    expect(await ids(join(file, 'xx'))).toEqual(['picture-trailing-data']);
  });
  test.each([269, 270, 271, 272, 305, 306, 315, 316, 700, 33432, 34665, 34853])(
    'with the field %i tells of people',
    async (tag) =>
      expect(await ids(tiff(true, [[WIDTH, HEIGHT, { tag, values: [1] }]], ''))).toEqual(['picture-metadata']),
  );
  test('whose pages are a ring ends', async () => {
    const file = tiff(true, [[WIDTH, HEIGHT]], '');
    file.writeUInt32LE(8, file.length - 4);
    expect(await shape(file)).toEqual({ width: 300, height: 200, frames: 1_000 });
  });
});
