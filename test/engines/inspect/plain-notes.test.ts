/** What a plain picture may say of itself. Made by libvips and its libraries, and byte by byte. */

import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isPlainExif } from '../../../lib/engines/inspect/picture/plain-exif.ts';
import { isPlainPacket } from '../../../lib/engines/inspect/picture/plain-packet.ts';
import { isPlainPicture } from '../../../lib/engines/inspect/picture/plain-picture.ts';
import { isPlainProfile } from '../../../lib/engines/inspect/picture/plain-profile.ts';
import { isLinear } from '../../growth.ts';

const photo = () => sharp(Buffer.alloc(40 * 30 * 3, 'some pixels'), { raw: { width: 40, height: 30, channels: 3 } });
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const be32 = (value: number) => Buffer.of(value >>> 24, value >>> 16, value >>> 8, value);
const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about=""/></r:RDF></x:xmpmeta>';
const TEXTS = {
  IFD0: { Copyright: 'Jo', Artist: 'Zoë', Software: 'an editor' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
};

const chunk = (kind: string, data: Uint8Array) => {
  const body = Buffer.concat([latin1(kind), data]);
  return Buffer.concat([be32(data.length), body, be32(crc32(body))]);
};
const segment = (marker: number, data: Uint8Array) =>
  Buffer.concat([Buffer.of(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255), data]);
/** The file with bytes behind its first block. */
const png = async (...chunks: readonly Uint8Array[]) => {
  const file = await photo().png().toBuffer();
  return Buffer.concat([file.subarray(0, 33), ...chunks, file.subarray(33)]);
};
const jpeg = async (...segments: readonly Uint8Array[]) => {
  const file = await photo().jpeg().toBuffer();
  return Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)]);
};
async function profile(): Promise<Buffer> {
  return (await sharp(await photo().withIccProfile('p3').jpeg().toBuffer()).metadata()).icc as Buffer;
}

describe('what editors and cameras write is plain', () => {
  test.each([
    ['PNG with the profile of screens', photo().withIccProfile('srgb').png()],
    ['JPEG with a wide profile', photo().withIccProfile('p3').jpeg()],
    ['PNG with Exif', photo().withExif(TEXTS).png()],
    ['JPEG with Exif and a place', photo().withExif(TEXTS).jpeg()],
    ['JPEG with XMP', photo().withXmp(XMP).jpeg()],
    ['PNG with a density', photo().withMetadata({ density: 300 }).png()],
  ])('%s', async (_, picture) => {
    const file = await picture.toBuffer();
    expect([file, Buffer.concat([file, Buffer.of(0)])].map(isPlainPicture)).toEqual([true, false]);
  });

  test('XMP in a PNG', async () => {
    const packet = (text: string) => png(chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${text}`)));
    expect([await packet(XMP), await packet('<!DOCTYPE a><a/>')].map(isPlainPicture)).toEqual([true, false]);
  });

  test('words, times and the quality of Photoshop', async () => {
    const texts = [
      chunk('tEXt', latin1('Software\0Adobe ImageReady')),
      chunk('tIME', Buffer.of(7, 234, 11, 23, 20, 30, 0)),
    ];
    expect(isPlainPicture(await png(...texts))).toBe(true);
    const ducky = Buffer.from('4475636b79000100040000003c0000', 'hex');
    expect(isPlainPicture(await jpeg(segment(0xec, ducky), segment(0xfe, latin1('CREATOR: gd-jpeg v1.0\n'))))).toBe(
      true,
    );
  });
});

describe('is not plain', () => {
  test.each([
    ['a text under no name', [chunk('tEXt', latin1('\0words'))]],
    ['a text that is no words', [chunk('tEXt', latin1('Comment\0\x07\x1b'))]],
    ['a long text', [chunk('tEXt', latin1(`Comment\0${'x'.repeat(5000)}`))]],
    ['a packed text', [chunk('zTXt', Buffer.concat([latin1('Comment\0\0'), deflateSync(latin1('x'))]))]],
    ['a text in a language', [chunk('iTXt', latin1('Comment\0\0\0en\0\0words'))]],
    ['a text twice', [chunk('tEXt', latin1('Title\0x')), chunk('tEXt', latin1('Title\0x'))]],
    ['a text from which a program reads a file', [chunk('tEXt', latin1('profile\0/etc/passwd'))]],
    ['packed data about it as a text', [chunk('tEXt', latin1('Raw profile type exif\0\nexif\n2\n4949'))]],
    ['a tag of a page', [chunk('tEXt', latin1('Comment\0<img src=x onerror=x>'))]],
    ['a document', [chunk('tEXt', latin1('Comment\0%!PS-Adobe-3.0 PDF-1.4'))]],
    ['a time that there is none of', [chunk('tIME', Buffer.of(7, 234, 13, 23, 20, 30, 0))]],
    [
      'a profile that is none',
      [chunk('iCCP', Buffer.concat([latin1('ICC\0\0'), deflateSync(latin1('x'.repeat(200)))]))],
    ],
    ['a profile that is not packed', [chunk('iCCP', latin1('ICC\0\0xx'))]],
    [
      'a profile of gigabytes',
      [chunk('iCCP', Buffer.concat([latin1('ICC\0\0'), deflateSync(Buffer.alloc(1_000_000))]))],
    ],
    ['Exif that is none', [chunk('eXIf', latin1('II*\0'))]],
  ])('a PNG with %s', async (_, chunks) => {
    expect(isPlainPicture(await png(...chunks))).toBe(false);
  });

  test('a profile with bytes behind it', async () => {
    const packed = deflateSync(await profile());
    const [whole, more] = [packed, Buffer.concat([packed, latin1('MZ')])];
    const of = (data: Buffer) => png(chunk('iCCP', Buffer.concat([latin1('ICC\0\0'), data])));
    expect([await of(whole), await of(more)].map(isPlainPicture)).toEqual([true, false]);
  });

  test.each([
    ['resources of Photoshop', [segment(0xed, latin1('Photoshop 3.0\x008BIM'))]],
    ['a comment that is no words', [segment(0xfe, latin1('\x01\x02'))]],
    ['two comments', [segment(0xfe, latin1('x')), segment(0xfe, latin1('x'))]],
    ['the first of two pieces of a profile', [segment(0xe2, latin1('ICC_PROFILE\0\x01\x02xxxx'))]],
    ['a further picture', [segment(0xe2, latin1('MPF\0II*\0'))]],
    ['the rest of a packet', [segment(0xe1, latin1('http://ns.adobe.com/xmp/extension/\0x'))]],
    ['a segment of a program', [segment(0xe5, latin1('program'))]],
  ])('a JPEG with %s', async (_, segments) => {
    expect(isPlainPicture(await jpeg(...segments))).toBe(false);
  });
});

test('of a packet, names without a prefix are not plain, and a desert of spaces costs what its length says', async () => {
  const isPlain = (text: string) => isPlainPacket(Buffer.from(text));
  expect(isPlain(`<x:a>${' '.repeat(60_000)}x</x:a>`)).toBe(true);
  expect(isPlain(`<x:a${' '.repeat(60_000)}x`)).toBe(false);
  expect(await isLinear(30_000, (n) => isPlain(`<x:a>${' '.repeat(n)}x</x:a>`))).toBe(true);
  expect(await isLinear(30_000, (n) => isPlain(`<x:a${' '.repeat(n)}x`))).toBe(true);
  expect(isPlain(`${XMP}${' \n'.repeat(2000)}<?xpacket end="w"?>\0 `)).toBe(true);
  expect(['<script>x</script>', '<x:a onfocus="x"/>', '<x:a><img src="x"/></x:a>'].map(isPlain)).toEqual([
    false,
    false,
    false,
  ]);
});

test.each([
  ['a table of zeros', [segment(0xdb, Buffer.concat([Buffer.of(3), Buffer.alloc(64)]))]],
  ['a table twice', [segment(0xdb, Buffer.alloc(65, 3)), segment(0xdb, Buffer.alloc(65, 3))]],
  ['an interval twice', [segment(0xdd, latin1('XY')), segment(0xdd, Buffer.of(0, 0))]],
  ['a transform twice', [segment(0xee, latin1('AdobeEVILFRE')), segment(0xee, latin1('Adobe\0d\0\0\0\0\x01'))]],
])('a JPEG with %s is not plain', async (_, segments) => {
  expect(isPlainPicture(await jpeg(...segments))).toBe(false);
});

describe('Exif', () => {
  const isPlain = (bytes: Buffer) => isPlainExif(bytes, (small) => small.equals(SMALL));
  const SMALL = latin1('a small picture');
  const [le16, le32] = [
    (value: number) => Buffer.of(value, value >> 8),
    (value: number) => Buffer.from(be32(value)).reverse(),
  ];
  type Entry = readonly [tag: number, type: number, count: number, value: Buffer];
  const entry = ([tag, type, count, value]: Entry) =>
    Buffer.concat([le16(tag), le16(type), le32(count), value, Buffer.alloc(4 - value.length)]);
  const table = (entries: readonly Entry[], next = 0) =>
    Buffer.concat([le16(entries.length), ...entries.map(entry), le32(next)]);
  const exif = (first: Buffer, ...rest: readonly Buffer[]) => Buffer.concat([latin1('II*\0'), le32(8), first, ...rest]);
  const ORIENTATION: Entry = [0x0112, 3, 1, le16(6)];
  /** Where what follows a table of so many entries stands. */
  const behind = (entries: number) => 8 + 2 + entries * 12 + 4;

  test('of known tags is plain, with or without a small picture', () => {
    expect(isPlain(exif(table([ORIENTATION])))).toBe(true);
    const make: Entry = [0x010f, 2, 6, le32(behind(1))];
    expect(isPlain(exif(table([make]), latin1('Canon\0')))).toBe(true);
    const next = behind(1);
    const small = next + 2 + 24 + 4;
    const second = table([
      [0x0201, 4, 1, le32(small)],
      [0x0202, 4, 1, le32(SMALL.length)],
    ]);
    expect(isPlain(exif(table([ORIENTATION], next), second, SMALL))).toBe(true);
    expect(isPlain(exif(table([ORIENTATION], next), second, latin1('something other')))).toBe(false);
  });

  test.each<readonly [string, Buffer]>([
    ['a tag that nobody knows', exif(table([[0xc0de, 3, 1, le16(6)]]))],
    ['the note of the maker', exif(table([[0x927c, 7, 4, le32(0)]]))],
    ['a tag of another type', exif(table([[0x0112, 7, 4, le32(6)]]))],
    ['a tag of more values', exif(table([[0x0112, 3, 2, le32(6)]]))],
    ['a tag of no values', exif(table([[0x010f, 2, 0, le32(6)]]))],
    ['a tag twice', exif(table([ORIENTATION, ORIENTATION]))],
    ['a value outside of the file', exif(table([[0x010f, 2, 600, le32(behind(1))]]))],
    ['a value over the header', exif(table([[0x010f, 2, 6, le32(0)]]))],
    [
      'two values in one place',
      exif(
        table([
          [0x010f, 2, 6, le32(behind(2))],
          [0x0110, 2, 6, le32(behind(2))],
        ]),
        latin1('Canon\0'),
      ),
    ],
    ['a value that is no words', exif(table([[0x010f, 2, 6, le32(behind(1))]]), latin1('\x1b[2J\0\0'))],
    ['a table that is its own next one', exif(table([ORIENTATION], 8))],
    [
      'a third table',
      exif(table([ORIENTATION], behind(1)), table([ORIENTATION], behind(1) + 18), table([ORIENTATION])),
    ],
    ['a table that leads to itself', exif(table([[0x8769, 4, 1, le32(8)]]))],
    ['bytes that nothing names', exif(table([ORIENTATION]), latin1('MZ'))],
    ['a table that ends too early', exif(table([ORIENTATION]).subarray(0, -1))],
    ['a table without entries', exif(table([]))],
    ['numbers of 64 bits', Buffer.concat([latin1('II+\0'), le32(8), table([ORIENTATION])])],
  ])('with %s is not', (_, bytes) => {
    expect(isPlain(bytes)).toBe(false);
  });
});

describe('a profile', () => {
  test('is not plain when any of its parts is another', async () => {
    const whole = await profile();
    const tag = whole.readUInt32BE(132 + 4);
    const changed = (at: number, bytes: Buffer) =>
      Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at + bytes.length)]);
    expect(isPlainProfile(whole)).toBe(true);
    const others = [
      changed(0, be32(whole.length + 1)),
      changed(8, Buffer.of(5)),
      changed(12, latin1('link')),
      changed(16, latin1('CMYK')),
      changed(20, latin1('Lab ')),
      changed(36, latin1('xxxx')),
      changed(128, be32(1000)),
      changed(132, latin1('A2B0')),
      changed(136, be32(4)),
      changed(140, be32(0x7fff_ffff)),
      changed(tag, latin1('ncl2')),
      whole.subarray(0, -8),
      Buffer.concat([whole, latin1('MZ')]),
    ];
    expect(others.map(isPlainProfile)).toEqual(others.map(() => false));
  });

  test('never throws', async () => {
    const whole = await profile();
    for (let at = 0; at < whole.length; at++) {
      const other = Buffer.from(whole);
      other[at] = 0xff;
      isPlainProfile(other);
      isPlainProfile(whole.subarray(0, at));
    }
  });
});

describe('a packet of XMP', () => {
  const isPlain = (text: string) => isPlainPacket(Buffer.from(text));
  test('is plain, with the marks of its begin and end, too', () => {
    expect(isPlain(XMP)).toBe(true);
    expect(
      isPlain(
        `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${XMP}\n${' '.repeat(2000)}<?xpacket end="w"?>`,
      ),
    ).toBe(true);
    expect(isPlain('<x:a x:b="1" x:c=\'2\'>x &amp; y<x:d/></x:a>')).toBe(true);
  });

  test.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an entity of its own', '<a>&b;</a>'],
    ['a comment', '<a><!-- x --></a>'],
    ['words that no parser reads', '<a><![CDATA[x]]></a>'],
    ['an instruction', '<a><?php x ?></a>'],
    ['a style sheet', '<?xml-stylesheet href="x"?><a/>'],
    ['an element that does not end', '<a><b></a>'],
    ['two documents', '<a/><b/>'],
    ['words around it', 'x<a/>'],
    ['a small picture', '<a xmlns:g="x"><g:image>AAAA</g:image></a>'],
    ['a control', '<a>\x1b</a>'],
    ['a depth without end', '<a>'.repeat(100) + '</a>'.repeat(100)],
    ['nothing', ''],
  ])('with %s is not', (_, text) => {
    expect(isPlain(text)).toBe(false);
  });

  test('in another charset is not', () => {
    expect(isPlainPacket(Buffer.from('<a/>', 'utf16le'))).toBe(false);
    expect(isPlainPacket(Buffer.of(0x3c, 0xff, 0x2f, 0x3e))).toBe(false);
  });
});
