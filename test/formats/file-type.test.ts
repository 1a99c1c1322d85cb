import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../lib/formats/detection/file-type.ts';
import { TYPE_GROUPS } from '../../lib/pipeline/model.ts';
import { compoundFile } from '../engines/office-fixture.ts';
import { buildIcon, iconBitmap } from '../fixtures/build-icon.ts';
import { fileCase, fileCases } from '../fixtures/cases.ts';
import { storedZip } from '../fixtures/stored-zip.ts';
import { roundsOf } from '../hostile/share.ts';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

/** A zip archive with entries of these names, as small as the format allows. */
const zip = (...names: string[]) => storedZip(...names.map((name) => [name, deflateRawSync('x')] as const));

/** A compound file with these streams. */
const compound = (...names: string[]) =>
  new Uint8Array(compoundFile(Object.fromEntries(names.map((name) => [name, bytes('content')]))));

/** A mark, and a number behind it that is the checksum of what follows. */
function underChecksum(mark: string, follows: Buffer): Uint8Array {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(follows));
  return new Uint8Array(Buffer.concat([Buffer.from(mark, 'latin1'), sum, follows]));
}
const SEVEN_ZIP = underChecksum('7z\xbc\xaf\x27\x1c\0\x04', Buffer.alloc(20));
const RAR = underChecksum('Rar!\x1a\x07\x01\0', Buffer.from([3, 1, 0, 0]));

/** One header whose bytes add up to what it says. */
const TAR = (() => {
  const header = Buffer.alloc(512);
  header.write('a.txt');
  header.write('ustar\0', 257);
  header.write('        ', 148);
  header.write(`${header.reduce((sum, byte) => sum + byte).toString(8)}\0`, 148);
  return new Uint8Array(header);
})();

const file = (content: Uint8Array | string, ...untrustedNames: string[]) =>
  identifyFile(typeof content === 'string' ? bytes(content) : content, {
    untrustedNames,
    declaredType: 'application/octet-stream',
    role: 'attachment',
  });
const body = (content: string, declaredType = 'text/plain') =>
  identifyFile(bytes(content), { untrustedNames: [], declaredType, role: 'body' });

const ICON = buildIcon([{ side: 2, bits: 1, bytes: iconBitmap(2, 1, { lines: '00000000', mask: '00000000' }) }]);
const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
const DOCX = zip('[Content_Types].xml', 'word/document.xml');

test.each([
  ['a Word document', DOCX, 'a.docx', 'docx', 'office'],
  [
    'a Word document with macros',
    zip('[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin'),
    'a.docx',
    'docm',
    'office',
  ],
  ['a workbook', zip('[Content_Types].xml', 'xl/workbook.xml'), 'a.xlsx', 'xlsx', 'office'],
  [
    'a workbook with macros',
    zip('[Content_Types].xml', 'xl/workbook.xml', 'XL/VBAPROJECT.BIN'),
    'a.xlsx',
    'xlsm',
    'office',
  ],
  ['a presentation', zip('[Content_Types].xml', 'ppt/presentation.xml'), 'a.pptx', 'pptx', 'office'],
  ['an old Word document', compound('WordDocument'), 'a.doc', 'doc', 'office'],
  ['an old workbook', compound('Workbook'), 'a.xls', 'xls', 'office'],
  ['an encrypted document', compound('EncryptionInfo', 'EncryptedPackage'), 'a.docx', 'bin', 'office'],
  ['an Outlook message', compound('__properties_version1.0'), 'a.msg', 'msg', 'email'],
  ['an unknown compound file', compound('x'), 'a.dat', 'bin', 'other'],
  ['a PDF', '%PDF-1.7\n', 'a.pdf', 'pdf', 'pdf'],
  ['a PDF behind junk', `${'x'.repeat(900)}%PDF-1.7\n`, 'a.pdf', 'pdf', 'pdf'],
  ['a PNG', PNG, 'a.png', 'png', 'image'],
  ['a JPEG', '\xff\xd8\xff\xe0\0\x10JFIF', 'a.jpg', 'jpg', 'image'],
  ['a GIF', 'GIF89a\x01\0', 'a.gif', 'gif', 'image'],
  ['a WebP', 'RIFF\0\0\0\0WEBPVP8 ', 'a.webp', 'webp', 'image'],
  ['a TIFF', 'II*\0\x08\0\0\0', 'a.tif', 'tif', 'image'],
  ['a BMP', `BM${'\0'.repeat(12)}\x28\0\0\0`, 'a.bmp', 'bmp', 'image'],
  ['an icon', ICON, 'a.ico', 'ico', 'image'],
  ['a list of icons without pictures', '\0\0\x01\0\x01\0', 'a.ico', 'bin', 'other'],
  ['a zip', zip('a.txt'), 'a.zip', 'zip', 'archive'],
  ['a 7z', SEVEN_ZIP, 'a.7z', '7z', 'archive'],
  ['a RAR', RAR, 'a.rar', 'rar', 'archive'],
  ['a gzip', new Uint8Array(gzipSync('hello')), 'a.gz', 'gz', 'archive'],
  ['a tar', TAR, 'a.tar', 'tar', 'archive'],
  ['a bzip2', 'BZh91AY&SY\x01\x02', 'a.bz2', 'bz2', 'archive'],
  ['a Java archive', zip('META-INF/MANIFEST.MF', 'A.class'), 'a.zip', 'jar', 'executable'],
  ['a program', 'MZ\x90\0', 'a.dat', 'exe', 'executable'],
  ['an ELF program', '\x7fELF\x02', 'a', 'elf', 'executable'],
  ['an email', 'From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\n\r\nhi', 'a', 'eml', 'email'],
  ['a page without a telling name', '<!DOCTYPE html><html>', 'a', 'html', 'html'],
  ['a page by its name', 'hello', 'a.htm', 'html', 'html'],
  ['a text', 'hello\r\n\tworld', 'a.txt', 'txt', 'text'],
  ['a text of unknown letters', 'h\xe9llo', 'a.log', 'txt', 'text'],
  ['a text in UTF-16', '\xff\xfeh\0i\0', 'a.txt', 'txt', 'text'],
  ['nothing', '', 'a.txt', 'txt', 'text'],
  ['random bytes', '\x01\x02\x03\0', 'a.txt', 'bin', 'other'],
])('identifies %s', (_, content, name, extension, typeGroup) => {
  expect(file(content, name)).toMatchObject({ extension, typeGroup });
});

describe('dangerous names', () => {
  test.each([
    ['a.exe', 'executable'],
    ['a.txt.SCR', 'executable'],
    ['a.com ', 'executable'],
    ['a.js.', 'script'],
    ['a.hta', 'script'],
    ['a.ps1', 'script'],
    ['a\u202etxt.vbs', 'script'],
    ['a.vbs\u200b', 'script'],
    ['a.js:stream.txt', 'script'],
    ['a.lnk', 'other'],
    ['a.library-ms', 'other'],
    ['a.iso.img', 'other'],
    ['a.one', 'other'],
    ['a.svg', 'other'],
    ['a.ics', 'other'],
  ])('forces the group of %j whatever the bytes are', (name, group) => {
    for (const content of ['plain text', PNG, '%PDF-1.4', DOCX]) expect(file(content, name).typeGroup).toBe(group);
  });

  test('lets the most dangerous of several names win, in any order', () => {
    expect(file('text', 'a.txt', 'a.js', 'a.exe').typeGroup).toBe('executable');
    expect(file('text', 'a.exe', 'a.txt').typeGroup).toBe('executable');
    expect(file('text', 'a.txt', 'a.lnk', 'a.js').typeGroup).toBe('script');
  });

  test('does not let a harmless name hide a program', () => {
    expect(file('MZ\x90\0\x03', 'a.txt').typeGroup).toBe('executable');
  });
});

describe('a file is text only when nothing contradicts it', () => {
  test.each([
    ['a name of another kind', 'hello', 'a.docx', 'other'],
    ['a name of settings that a program may act on', 'hello', 'a.cfg', 'script'],
    ['one strange name among several', 'hello', ['a.txt', 'a.xyz'], 'other'],
    ['a shebang', '#!/bin/sh\nrm x', 'a.txt', 'script'],
    ['markup', 'see <script >alert(1)</script>', 'a.txt', 'other'],
    ['RTF', '{\\rtf1 x}', 'a.txt', 'office'],
    ['SYLK', 'ID;PWXL\n', 'a.txt', 'other'],
    ['a shortcut', '[InternetShortcut]\nURL=x', 'a.txt', 'other'],
    ['an archive of texts', '!<arch>\na.sh/  0  0  0  100644  4  `\nls\n', 'a.txt', 'other'],
    ['an archive of pages', 'WARC/1.0\r\nWARC-Type: resource\r\n\r\n', 'a.txt', 'other'],
    ['a formula', "a,b\n=cmd|'/c calc'!A1,1", 'a.txt', 'other'],
    ['a NUL', 'hel\0lo', 'a.txt', 'other'],
    ['a control character', 'hel\x07lo', 'a.txt', 'other'],
    ['a PDF header late in it', `${'x'.repeat(500)} %PDF-1.4`, 'a.txt', 'pdf'],
  ])('not with %s', (_, content, names, group) => {
    expect(file(content, ...[names].flat()).typeGroup).toBe(group);
  });
});

describe('the first letters of an archive alone make no archive', () => {
  const letters = [
    'PK\x03\x04',
    '7z\xbc\xaf\x27\x1c',
    'Rar!\x1a\x07\0',
    '\x1f\x8b\x08',
    'BZh9',
    'MSCF',
    '(\xb5/\xfd',
    '`\xea',
  ];
  test.each(letters)('%j before a page or settings', (start) => {
    for (const name of ['a.doc', 'a.xls', 'a.cfg', 'a.ica', 'a.zip', 'a.dat'])
      for (const text of ['<html><script>x</script>', '\r\n[WFClient]\r\nInitialProgram=cmd.exe\r\n'])
        expect(file(start + text, name).typeGroup).toMatch(/^(?:other|script)$/);
  });

  test('rich text with a name that is not of a document is not delivered as a document', () => {
    for (const name of ['a.ini', 'a.conf', 'a.xyz', 'a.png', 'a.zip'])
      expect(file('{\\rtf1 [section]}', name).typeGroup).toBe('other');
    for (const name of ['a.rtf', 'a.doc', 'a']) expect(file('{\\rtf1 text}', name).typeGroup).toBe('office');
  });

  test('sentences of people stay text', () => {
    for (const text of [
      'PK company minutes',
      'BZh is short for Breizh',
      'Rar! said the goose',
      'GIF89a is a format',
      'BMW',
    ])
      expect(file(text, 'a.txt').typeGroup).toBe('text');
  });

  test('settings that a program acts on are no text, whatever they hold', () => {
    for (const name of ['a.ica', 'a.ovpn', 'a.fdf', 'a.xfdf', 'a.mobileconfig', 'a.dqy'])
      for (const content of [zip('a.txt'), PNG, '%PDF-1.4', 'text'])
        expect(file(content, name).typeGroup).toBe('other');
  });
});

describe('bodies', () => {
  test('shows a plain text body with tags, or with the first letters of a signature, as text', () => {
    for (const content of ['<b>x</b><script>', 'MZ is my name', 'BM', '%PDF-1.4 is a header', '#!/bin/sh', ''])
      expect(body(content)).toEqual({ detectedType: 'text/plain', extension: 'txt', typeGroup: 'text' });
  });

  test('reads a body that is declared as HTML as HTML, whatever it holds', () => {
    for (const content of ['hello', '<p>x', 'a\0b', '']) expect(body(content, 'text/html').typeGroup).toBe('html');
  });

  test('does not take a binary body for text', () => {
    expect(body('\x01\x02\0\x03').typeGroup).toBe('other');
    expect(body('MZ\x90\0\x03\0').typeGroup).toBe('executable');
  });
});

describe('two formats in one file', () => {
  const concatenated = (first: string) => new Uint8Array(Buffer.concat([bytes(first), zip('a.exe')]));
  test('keep their group where the disarm builds the file anew', () => {
    expect(file(concatenated('\xff\xd8\xff\xe0 picture'), 'a.jpg').typeGroup).toBe('image');
    expect(file(concatenated('%PDF-1.4 '), 'a.pdf').typeGroup).toBe('pdf');
  });

  test('keep it as an archive that comes back as a new zip', () => {
    expect(file(concatenated(Buffer.from(RAR).toString('latin1')), 'a.rar').typeGroup).toBe('archive');
  });

  test('are one when a zip begins with a PDF that stands in it as it is, and every name says zip', () => {
    const note = ['note.txt', Buffer.from('hello')] as const;
    const stored = storedZip(note, ['minutes.pdf', Buffer.from('%PDF-1.4 text')]);
    expect(file(stored, 'a.zip').typeGroup).toBe('archive');
    for (const name of ['a.pdf', 'a.dat', 'a']) expect(file(stored, 'a.zip', name).typeGroup).toBe('other');
    // A second header is inside the PDF, inside another file, or in no file.
    for (const text of ['%PDF-1.4 %PDF-1.5', 'x%PDF-1.5'])
      expect(file(storedZip(note, ['a.pdf', Buffer.from(text)]), 'a.zip').typeGroup).toBe('other');
    expect(file(zip('%PDF-1.4.txt', 'a.pdf'), 'a.zip').typeGroup).toBe('other');
  });

  test('lose their group where it does not', () => {
    const pdfInZip = zip('%PDF-1.4.txt');
    expect(file(pdfInZip, 'a.zip').typeGroup).toBe('other');
  });

  test('a picture with the name of a page is neither', () => {
    expect(file(PNG, 'a.html').typeGroup).toBe('other');
  });
});

test('answers any bytes and names from its closed lists', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(fc.string(), { maxLength: 3 }), (content, names) => {
      const found = file(content, ...names);
      expect(found.extension).toMatch(/^[a-z0-9]{1,8}$/);
      expect(found.detectedType).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
      expect(TYPE_GROUPS).toContain(found.typeGroup);
    }),
    { numRuns: roundsOf(500) },
  );
});

const EXPECTED_GROUPS: Readonly<Record<string, readonly string[]>> = {
  docx: ['office'],
  xlsx: ['office'],
  pptx: ['office'],
  doc: ['office'],
  xls: ['office'],
  ppt: ['office'],
  pdf: ['pdf'],
  jpg: ['image'],
  png: ['image'],
  gif: ['image'],
  html: ['html'],
  zip: ['archive'],
  '7z': ['archive'],
  eml: ['email'],
  exe: ['executable'],
  elf: ['executable'],
  jar: ['executable'],
  js: ['script'],
  vbs: ['script'],
  hta: ['script'],
  lnk: ['other'],
  iso: ['archive', 'other'],
  msg: ['email'],
};

test('puts the case files into the groups their types belong to', () => {
  const wrong = fileCases().flatMap((sample) => {
    const { typeGroup } = file(new Uint8Array(fileCase(sample.file)), sample.file);
    const expected = EXPECTED_GROUPS[sample.type];
    return expected === undefined || expected.includes(typeGroup) ? [] : [`${sample.file} is ${typeGroup}`];
  });
  expect(wrong).toEqual([]);
});
