/** Samples in archives and in pictures. */
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { buildApng, buildPng } from '../../fixtures/build-image.ts';
import type { Format } from './row.ts';
import { type Draft, type Generator, KEEP, LIVE } from './sample.ts';
import { writeSevenZip } from './seven-zip-writer.ts';
import { writeZip, type ZipEntry, type ZipFrame } from './zip-writer.ts';

const note: ZipEntry = { name: 'note.txt', content: `${KEEP} note\n` };
const script = `WScript.Echo("${LIVE}");\r\n`;
/** Enough of a program to be recognised as one. */
export const program = Buffer.concat([
  Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'),
  Buffer.alloc(56),
  Buffer.from(`PE\0\0${LIVE}`),
]);
const shortcut = Buffer.concat([
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex'),
  Buffer.alloc(60),
  Buffer.from(LIVE, 'utf16le'),
]);

export interface Member {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isLink?: boolean;
  /** Attributes of the member behind it. */
  readonly isPax?: boolean;
}

const MEMBERS: Readonly<Record<string, readonly Member[]>> = {
  program: [
    { name: 'run.exe', content: program },
    { name: 'invoice.pdf', content: program },
  ],
  script: [
    { name: 'run.js', content: script },
    { name: 'run.JSE ', content: script },
  ],
  shortcut: [
    { name: 'a.lnk', content: shortcut },
    { name: 'a.url', content: `[InternetShortcut]\r\nURL=file://${LIVE}/x\r\n` },
  ],
  symlink: [{ name: 'link', content: `/etc/${LIVE}`, isLink: true }],
  'dot-dot': [
    { name: '../../escape.txt', content: 'x' },
    { name: 'a/..\\..\\escape.txt', content: 'x' },
  ],
  absolute: [
    { name: '/etc/escape', content: 'x' },
    { name: '\\\\host\\x.txt', content: 'x' },
  ],
  drive: [{ name: 'C:\\escape.txt', content: 'x' }],
  reserved: [
    { name: 'CON', content: 'x' },
    { name: 'aux.txt', content: 'x' },
  ],
  bidi: [{ name: `invoice\u202e${LIVE}fdp.exe`, content: program }],
  spaces: [{ name: `${LIVE}.pdf        .exe`, content: program }],
  comment: [],
};
function tar(members: readonly Member[]): Uint8Array {
  const blocks = members.map(({ name, content, isLink, isPax }) => {
    const data = isLink === true ? Buffer.alloc(0) : Buffer.from(content as string);
    const head = Buffer.alloc(512);
    head.write(name, 0, 99);
    head.write('0000644\0', 100);
    head.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('14700000000\0', 136);
    head.write('        ', 148);
    head.write(isLink === true ? '2' : isPax === true ? 'x' : '0', 156);
    if (isLink === true) head.write(content as string, 157, 99);
    head.write('ustar\x0000', 257, 'latin1');
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    return Buffer.concat([head, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

const SYMLINK = 0o120777;
const zipMember = ({ name, content, isLink }: Member): ZipEntry => ({
  name,
  content,
  ...(isLink === true && { mode: SYMLINK }),
});

const inTar = (members: readonly Member[], line: string): Uint8Array =>
  tar([
    { name: 'note.txt', content: note.content },
    ...members,
    ...(line === 'comment'
      ? [
          { name: 'pax', content: `${LIVE.length + 12} comment=${LIVE}\n`, isPax: true },
          { name: 'b.txt', content: 'x' },
        ]
      : []),
  ]);

/** A compressed tar, its comment where gzip has one (RFC 1952 2.3.1). */
function inGzip(members: readonly Member[], line: string): Uint8Array {
  const packed = gzipSync(inTar(members, ''));
  if (line !== 'comment') return packed;
  const header = Buffer.from(packed.subarray(0, 10));
  header.writeUInt8(0x10, 3);
  return Buffer.concat([header, Buffer.from(`${LIVE}\0`), packed.subarray(10)]);
}

const inSevenZip = (members: readonly Member[], line: string): Uint8Array =>
  writeSevenZip(
    [note, ...members].map((each) => ({ ...each, content: Buffer.from(each.content as string) })),
    line === 'comment' ? LIVE : '',
  );

const OTHER_ARCHIVES: Partial<Record<Format, (members: readonly Member[], line: string) => Uint8Array>> = {
  tar: inTar,
  gz: inGzip,
  '7z': inSevenZip,
};

const member: Generator = (line, format) => {
  const members = MEMBERS[line] ?? [];
  const packed = OTHER_ARCHIVES[format]?.(members, line);
  if (packed !== undefined) return [{ encoding: 'plain', content: packed }];
  const entries = [note, ...members.map(zipMember)];
  const frame: ZipFrame = line === 'comment' ? { comment: LIVE } : {};
  const commented = line === 'comment' ? entries.map((entry) => ({ ...entry, comment: LIVE })) : entries;
  return [
    { encoding: 'plain', content: writeZip(commented, frame) },
    {
      encoding: 'stored with descriptors',
      content: writeZip(
        commented.map((entry) => ({ ...entry, hasDescriptor: true })),
        frame,
      ),
    },
    {
      encoding: 'archive in archive',
      content: writeZip([note, { name: 'inner.zip', content: writeZip(commented, frame), isStored: true }]),
    },
  ];
};

const many = (count: number): ZipEntry[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.txt`, content: '', dataOf: 0 }));
const FRAMES: Readonly<Record<string, () => Uint8Array>> = {
  overlap: () => writeZip([{ name: 'a.txt', content: `${LIVE}${'0'.repeat(100_000)}` }, ...many(50)]),
  encrypted: () => writeZip([{ name: 'a.exe', content: program, isEncrypted: true }]),
  'unknown-method': () => writeZip([{ name: 'a.bin', content: LIVE, method: 77, isStored: true }]),
  'multi-volume': () => writeZip([{ name: 'a.txt', content: LIVE }], { disk: 3 }),
  bomb: () => writeZip([{ name: 'a.txt', content: LIVE + '0'.repeat(8 * 1024 * 1024) }]),
  extra: () =>
    writeZip([{ ...note, extra: Buffer.concat([Buffer.from([0xfe, 0xca, LIVE.length, 0]), Buffer.from(LIVE)]) }]),
  'lying-size': () => writeZip([{ name: 'a.txt', content: LIVE + '0'.repeat(200_000), size: 10 }]),
};

const IMAGES: Partial<Record<Format, 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff'>> = {
  png: 'png',
  jpg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  tiff: 'tiff',
};

async function picture(format: Format, exif?: string): Promise<Buffer> {
  const image = sharp(Buffer.from(buildPng({ width: 24, height: 24 })));
  if (exif !== undefined && format === 'tiff') image.withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${exif}</x:xmpmeta>`);
  const described =
    exif === undefined || format === 'tiff'
      ? image
      : image.withExif({ IFD0: { Artist: exif, Copyright: exif, ImageDescription: `<?php ${exif}` } });
  return described.toFormat(IMAGES[format] ?? 'png').toBuffer();
}

/** A comment in the format's own way; null for those without. */
function commented(format: Format, bytes: Buffer): Buffer {
  if (format === 'png') return Buffer.from(buildPng({ comment: LIVE }));
  if (format === 'jpg')
    return Buffer.concat([
      bytes.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, LIVE.length + 2]),
      Buffer.from(LIVE),
      bytes.subarray(2),
    ]);
  if (format === 'gif')
    return Buffer.concat([
      bytes.subarray(0, -1),
      Buffer.from([0x21, 0xfe, LIVE.length]),
      Buffer.from(LIVE),
      Buffer.from([0, 0x3b]),
    ]);
  if (format === 'webp') {
    const chunk = Buffer.concat([
      Buffer.from('XMP '),
      Buffer.from([LIVE.length + 1, 0, 0, 0]),
      Buffer.from(`${LIVE} `),
    ]);
    const out = Buffer.concat([bytes, chunk]);
    out.writeUInt32LE(out.length - 8, 4);
    return out;
  }
  return Buffer.concat([bytes, Buffer.from(LIVE)]);
}

const metadata: Generator = async (line, format) => {
  if (IMAGES[format] === undefined) return [];
  const content =
    line === 'comment' || format === 'gif' ? commented(format, await picture(format)) : await picture(format, LIVE);
  const plain: Draft = { encoding: 'plain', content, hasText: false };
  return format === 'png' && line === 'comment' ? [plain, ...animated()] : [plain];
};

/** The same in an animation: as a comment, and behind the compressed pixels of a frame. */
function animated(): Draft[] {
  const frame = { width: 8, height: 8, pixels: [200, 30, 40, 255] };
  const next = { ...frame, pixels: [20, 30, 240, 255] };
  const build = (comment: object, tail: object) =>
    buildApng({ width: 8, height: 8, frames: [frame, { ...next, ...tail }], ...comment });
  return [
    { encoding: 'animated', content: build({ comment: LIVE }, {}), hasText: false },
    { encoding: 'behind a frame', content: build({}, { tail: LIVE }), hasText: false },
  ];
}

const appended: Generator = async (line, format): Promise<Draft[]> => {
  const tail =
    line === 'zip'
      ? Buffer.from(writeZip([{ name: 'run.js', content: script, isStored: true }]))
      : Buffer.from(`<script>${LIVE}</script>`);
  if (format === 'zip')
    return [{ encoding: 'plain', content: writeZip([note], { appended: tail }), hasText: line !== 'zip' }];
  if (IMAGES[format] === undefined) return [];
  return [{ encoding: 'plain', content: Buffer.concat([await picture(format), tail]), hasText: false }];
};

export const archiveImageSamples: Readonly<Record<string, Generator>> = {
  'archive/member': member,
  'archive/frame': (line) => [{ encoding: 'plain', content: FRAMES[line]?.() ?? '' }],
  'image/metadata': metadata,
  people: (line, format) => metadata(line, format),
  'frame/appended': appended,
};
