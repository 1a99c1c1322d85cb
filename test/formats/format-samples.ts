/** A harmless file of every type that a disarm takes, named so that it is read as that type. */
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describeType, type FileType, isDisarmedType } from '../../lib/formats/file-types.ts';
import { buildHeic } from '../fixtures/build-heic.ts';
import { buildIcon, iconBitmap } from '../fixtures/build-icon.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { buildJpeg2000 } from '../fixtures/build-jpeg2000.ts';
import { buildJxl } from '../fixtures/build-jxl.ts';
import { buildZip } from '../fixtures/build-office.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { buildPhotoshop } from '../fixtures/build-photoshop.ts';
import { buildVisio } from '../fixtures/build-visio.ts';
import { wordLine, wordXml } from '../fixtures/build-word-xml.ts';
import { buildXlsb, xlsbCell, xlsbRow } from '../fixtures/build-xlsb.ts';
import { flatPackageOf } from '../fixtures/flat-package.ts';
import { MAKERS } from '../hostile/attack/full-files.ts';
import { ooxmlFile } from '../hostile/attack/ooxml-file.ts';
import { MUST_BE_GONE } from '../hostile/disarm/must-be-gone.ts';
import type { Format } from '../hostile/disarm/row.ts';
import { samplesOf } from '../hostile/disarm/samples.ts';
import { packed } from './archives/archives.ts';

export interface FormatSample {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const WORDS = ['minutes', 'of', 'the', 'meeting'];
const FILES = { 'minutes.txt': WORDS.join(' ') };
type Make = () => Promise<Uint8Array> | Uint8Array;

/** The first sample of a format that must lose something. */
const hostile = (format: Format): Make => {
  const row = MUST_BE_GONE.find(({ formats }) => formats.includes(format));
  return async () => {
    const [first] = row === undefined ? [] : await samplesOf(row, format);
    if (first === undefined) throw new Error(`no sample of ${format}`);
    return first.bytes;
  };
};

const macros =
  (program: 'word' | 'xl' | 'ppt', mainType: string): Make =>
  () =>
    ooxmlFile(program, '', WORDS, `application/vnd.ms-${mainType}.main+xml`);

/** Opened with the password that Excel tries by itself. */
const encrypted: Make = async () => {
  const { encrypt } = createRequire(import.meta.url)('officecrypto-tool') as typeof import('officecrypto-tool');
  return encrypt(Buffer.from(await ooxmlFile('xl', 'sheet', WORDS)), { password: 'VelvetSweatshop', type: 'standard' });
};

const workbook = () =>
  Buffer.from(
    `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="A"><Table><Row><Cell><Data ss:Type="String">${WORDS.join(' ')}</Data></Cell></Row></Table></Worksheet></Workbook>`,
  );

const code =
  (line: string): Make =>
  () =>
    Buffer.from(`${line}\n`);

/** A RAR 5 archive of one stored file, which only programs that cost money write. */
function rar(): Uint8Array {
  const content = Buffer.from(FILES['minutes.txt']);
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const block = (...fields: readonly (number | Uint8Array)[]) => {
    const body = Buffer.concat(fields.map((field) => (typeof field === 'number' ? Buffer.of(field) : field)));
    const sized = Buffer.concat([Buffer.of(body.length), body]);
    return Buffer.concat([number(crc32(sized)), sized]);
  };
  const [size, name] = [content.length, Buffer.from('minutes.txt')];
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'),
    block(1, 0, 0),
    block(2, 2, size, 4, size, 0x20, number(crc32(content)), 0, 0, name.length, name),
    content,
    block(5, 0, 0),
  ]);
}

/** By type, a file of a format that is only read; where the customary extension is no name for it, under another. */
const ONLY_READ: Readonly<Partial<Record<FileType, readonly [name: string, make: Make]>>> = {
  'application/vnd.ms-word.document.macroenabled.12': ['a.docm', macros('word', 'word.document.macroEnabled')],
  'application/vnd.ms-word.template.macroenabled.12': ['a.dotm', macros('word', 'word.template.macroEnabledTemplate')],
  'application/vnd.ms-excel.sheet.macroenabled.12': ['a.xlsm', macros('xl', 'excel.sheet.macroEnabled')],
  'application/vnd.ms-excel.template.macroenabled.12': ['a.xltm', macros('xl', 'excel.template.macroEnabled')],
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': [
    'a.pptm',
    macros('ppt', 'powerpoint.presentation.macroEnabled'),
  ],
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': [
    'a.ppsm',
    macros('ppt', 'powerpoint.slideshow.macroEnabled'),
  ],
  'application/vnd.ms-powerpoint.template.macroenabled.12': [
    'a.potm',
    macros('ppt', 'powerpoint.template.macroEnabled'),
  ],
  'application/vnd.ms-visio.drawing.macroenabled.12': [
    'a.vsdm',
    () => buildVisio({ mainType: 'application/vnd.ms-visio.drawing.macroEnabled.main+xml' }),
  ],
  'application/vnd.ms-visio.template.macroenabled.12': [
    'a.vstm',
    () => buildVisio({ mainType: 'application/vnd.ms-visio.template.macroEnabled.main+xml' }),
  ],
  'application/vnd.apple.iwork.pdf': [
    'a.pages',
    () =>
      buildZip([
        ['Index/Document.iwa', 'x'],
        ['QuickLook/Preview.pdf', buildPdf({ text: WORDS.join(' ') })],
      ]),
  ],
  'application/vnd.apple.iwork.picture': [
    'a.key',
    () =>
      buildZip([
        ['Index/Document.iwa', 'x'],
        ['preview.jpg', buildPng()],
      ]),
  ],
  'application/encrypted': ['a.xlsx', encrypted],
  'image/avif': [
    'a.avif',
    () =>
      sharp({ create: { width: 8, height: 6, channels: 3, background: 'teal' } })
        .avif()
        .toBuffer(),
  ],
  'image/heic': ['a.heic', () => buildHeic()],
  'image/jp2': ['a.jp2', () => buildJpeg2000()],
  'image/jxl': ['a.jxl', () => buildJxl()],
  'image/vnd.adobe.photoshop': ['a.psd', () => buildPhotoshop()],
  'image/vnd.microsoft.icon': [
    'a.ico',
    () =>
      buildIcon([
        { side: 4, bits: 24, bytes: iconBitmap(4, 24, { lines: '0000ff'.repeat(16), mask: '00'.repeat(16) }) },
      ]),
  ],
  'application/vnd.ms-outlook': ['a.msg', hostile('msg')],
  'application/vnd.ms-tnef': ['winmail.dat', hostile('tnef')],
  'multipart/related': ['a.mht', hostile('mht')],
  'text/javascript': ['a.js', code('export const a = 1;')],
  'text/vbscript': ['a.vbs', code('Dim a')],
  'application/x-powershell': ['a.ps1', code('Write-Host $a')],
  'text/x-msdos-batch': ['a.bat', code('copy a b')],
  'text/x-shellscript': ['a.sh', code('make all')],
  'text/x-python': ['a.py', code('print(1)')],
  'text/x-script': ['a.rb', code('puts 1')],
  'application/vnd.ms-excel.sheet.binary.macroenabled.12': [
    'a.xlsb',
    () => buildXlsb({ sheets: [{ name: 'A', rows: [xlsbRow(0), xlsbCell.text(0, WORDS.join(' '))] }] }),
  ],
  'application/x-flat-opc': [
    'a.xml',
    async () => Buffer.from(flatPackageOf(await ooxmlFile('word', 'document', WORDS))),
  ],
  'application/x-wordml': ['a.xml', () => Buffer.from(wordXml({ body: wordLine(WORDS.join(' ')) }))],
  'application/x-spreadsheetml': ['report.xls', workbook],
  'application/x-7z-compressed': ['a.7z', () => packed('7z', FILES)],
  'application/x-tar': ['a.tar', () => packed('tar', FILES)],
  'application/gzip': ['a.gz', () => packed('gzip', FILES)],
  'application/x-bzip2': ['a.bz2', () => packed('bzip2', FILES)],
  'application/x-xz': ['a.xz', () => packed('xz', FILES)],
  'application/vnd.rar': ['a.rar', rar],
};

/** The sample of a type, null when nobody wrote one. */
export async function sampleOf(type: FileType): Promise<FormatSample | null> {
  if (isDisarmedType(type)) {
    const make: ((words: readonly string[]) => Uint8Array | Promise<Uint8Array>) | undefined = MAKERS[type];
    if (make === undefined) throw new Error(`${type} has no sample in test/hostile/attack/full-files.ts`);
    return { name: `a.${describeType(type).extension}`, bytes: await make(WORDS) };
  }
  const sample = ONLY_READ[type];
  return sample === undefined ? null : { name: sample[0], bytes: new Uint8Array(await sample[1]()) };
}
