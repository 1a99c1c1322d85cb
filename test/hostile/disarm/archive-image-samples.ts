/** Samples in archives, in mail with attachments, and in pictures. */
import sharp from 'sharp';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildVbaProject } from '../../fixtures/build-vba.ts';
import { outlookMessage } from './legacy-samples.ts';
import { MS, pack } from './office-draft.ts';
import type { Format } from './row.ts';
import { type Draft, type Generator, KEEP, LIVE } from './sample.ts';
import { writeZip, type ZipEntry, type ZipFrame } from './zip-writer.ts';

const note: ZipEntry = { name: 'note.txt', content: `${KEEP} note\n` };
const script = `WScript.Echo("${LIVE}");\r\n`;
const program = Buffer.concat([
  Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'),
  Buffer.alloc(56),
  Buffer.from(`PE\0\0${LIVE}`),
]);
const shortcut = Buffer.concat([
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex'),
  Buffer.alloc(60),
  Buffer.from(LIVE, 'utf16le'),
]);

interface Member {
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

const member: Generator = (line, format) => {
  const members = MEMBERS[line] ?? [];
  if (format === 'tar')
    return [
      {
        encoding: 'plain',
        content: tar([
          { name: 'note.txt', content: note.content },
          ...members,
          ...(line === 'comment'
            ? [
                { name: 'pax', content: `${LIVE.length + 12} comment=${LIVE}\n`, isPax: true },
                { name: 'b.txt', content: 'x' },
              ]
            : []),
        ]),
      },
    ];
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

const attachments = async (line: string): Promise<readonly Member[]> =>
  ({
    'macro-document': [{ name: 'a.docm', content: MACRO_DOCUMENT }],
    program: [{ name: 'a.pdf', content: program }],
    nested: [
      {
        name: 'a.eml',
        content: `From: a@a.example\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n<script>${LIVE}</script>`,
      },
    ],
  })[line] ?? [];

function email(members: readonly Member[], html: string): string {
  const parts = members.map(({ name, content }) => {
    const type = name.endsWith('.eml') ? 'message/rfc822' : 'application/octet-stream';
    const body = type === 'message/rfc822' ? content : `${Buffer.from(content as string).toString('base64')}`;
    return `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n${type === 'message/rfc822' ? '' : 'Content-Transfer-Encoding: base64\r\n'}\r\n${body}\r\n`;
  });
  return `From: a@sender.example\r\nSubject: ${KEEP}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>${KEEP}</p>${html}\r\n${parts.join('')}--b--\r\n`;
}

const MACRO_DOCUMENT = pack('docx', {
  links: [{ type: `${MS}vbaProject`, target: 'vbaProject.bin' }],
  parts: [
    {
      name: 'word/vbaProject.bin',
      content: buildVbaProject(`'${LIVE}`),
      contentType: 'application/vnd.ms-office.vbaProject',
    },
  ],
});

const property = (id: string): string => `__substg1.0_${id}001F`;

const mailPart: Generator = async (line, format) => {
  const members = await attachments(line);
  const html = line === 'html-script' ? `<script>${LIVE}</script><img src="http://${LIVE}.example/x">` : '';
  if (format === 'eml') {
    const flat = email(members, html);
    const whole = `From: a@a.example\r\nSubject: ${KEEP}\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n${flat}`;
    return [
      { encoding: 'plain', content: flat },
      { encoding: 'message in message', content: whole },
      {
        encoding: 'odd casing',
        content: flat.replaceAll('Content-Type', 'CONTENT-TYPE').replaceAll('base64', 'BASE64'),
      },
    ];
  }
  const streams = members.flatMap(({ name, content }, index): [string, string | Uint8Array][] => {
    const at = `__attach_version1.0_#0000000${index}`;
    return [
      [`${at}/__properties_version1.0`, Buffer.alloc(8)],
      [`${at}/${property('3707')}`, name],
      [`${at}/__substg1.0_37010102`, Buffer.from(content as string)],
    ];
  });
  const body: [string, string | Uint8Array][] = [
    ['__properties_version1.0', Buffer.alloc(32)],
    [property('0037'), KEEP],
    [property('1000'), `${KEEP} text`],
    ['__substg1.0_10130102', Buffer.from(`<p>${KEEP}</p>${html}`)],
  ];
  return [{ encoding: 'plain', content: outlookMessage(Object.fromEntries([...body, ...streams])) }];
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
  return [{ encoding: 'plain', content, hasText: false }];
};

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
  'mail/part': mailPart,
  'image/metadata': metadata,
  people: (line, format) => metadata(line, format),
  'frame/appended': appended,
};
