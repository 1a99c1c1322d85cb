import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { detectType, extensionOf } from '../../lib/formats/detection/detect.ts';
import { describeType, FILE_TYPES } from '../../lib/formats/file-types.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { fileCase, fileCases } from '../fixtures/cases.ts';

async function detect(content: string | Uint8Array, name: string): Promise<string> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return (await detectType(bytes, name)).extension;
}

const ole = (main: string) => `<Types><Override PartName="/main.xml" ContentType="${main}"/></Types>`;
const openXml = 'application/vnd.openxmlformats-officedocument';

describe('the type of a container is told by its content', () => {
  test.each([
    [`${openXml}.wordprocessingml.document.main+xml`, 'docx'],
    [`${openXml}.wordprocessingml.template.main+xml`, 'dotx'],
    [`${openXml}.spreadsheetml.sheet.main+xml`, 'xlsx'],
    [`${openXml}.spreadsheetml.template.main+xml`, 'xltx'],
    [`${openXml}.presentationml.presentation.main+xml`, 'pptx'],
    [`${openXml}.presentationml.slideshow.main+xml`, 'ppsx'],
    [`${openXml}.presentationml.template.main+xml`, 'potx'],
    ['application/vnd.ms-word.document.macroEnabled.main+xml', 'docm'],
    ['application/vnd.ms-word.template.macroEnabledTemplate.main+xml', 'dotm'],
    ['application/vnd.ms-excel.sheet.macroEnabled.main+xml', 'xlsm'],
    ['application/vnd.ms-excel.template.macroEnabled.main+xml', 'xltm'],
    ['application/vnd.ms-excel.addin.macroEnabled.main+xml', 'xlam'],
    ['application/vnd.ms-excel.sheet.binary.macroEnabled.main', 'xlsb'],
    ['application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml', 'pptm'],
    ['application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml', 'ppsm'],
    ['application/vnd.ms-powerpoint.template.macroEnabled.main+xml', 'potm'],
  ])('%s is %s, whatever the name says', async (contentType, extension) => {
    const bytes = zipOf({ 'a.txt': 'first', '[Content_Types].xml': ole(contentType) });
    expect(await detect(bytes, 'photo.jpg')).toBe(extension);
  });

  test('takes the macro type when a package claims two', async () => {
    const both =
      ole(`${openXml}.wordprocessingml.document.main+xml`) +
      ole('application/vnd.ms-word.document.macroEnabled.main+xml');
    expect(await detect(zipOf({ '[Content_Types].xml': both }), 'a.docx')).toBe('docm');
  });

  test.each([
    [{ mimetype: 'application/vnd.oasis.opendocument.text' }, 'odt'],
    [{ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }, 'ods'],
    [{ mimetype: 'text/html' }, 'zip'],
    [{ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0' }, 'jar'],
    [{ 'notes.txt': 'hello' }, 'zip'],
  ])('zip with %o', async (members, extension) => {
    expect(await detect(zipOf(members), 'x')).toBe(extension);
  });

  test('finds an archive behind other bytes that are no format', async () => {
    expect(await detect(Buffer.concat([Buffer.alloc(64, 1), zipOf({ a: 'b' })]), 'x')).toBe('zip');
  });
});

describe('the type of a text is told by its content, and by a name that runs it', () => {
  test.each([
    ['', 'empty', 'txt'],
    ['just a few words', 'note.txt', 'txt'],
    ['just a few words', 'note', 'txt'],
    ['caf\xe9 in a legacy charset', 'note.txt', 'txt'],
    ['\xff\xfeh\0i\0', 'note.txt', 'txt'],
    ['h\0i\0h\0o\0', 'note.txt', 'txt'],
    ['var a = 1;', 'a.js', 'js'],
    ['anything', 'invoice.pdf.vbs', 'vbs'],
    ['anything', 'a.PS1. ', 'ps1'],
    ['anything', 'a.bat', 'bat'],
    ['<job><script language="JScript">x</script></job>', 'a.wsf', 'wsf'],
    ['<html><hta:application id=a></html>', 'a.html', 'hta'],
    ['<!DOCTYPE html><p>x', 'page.txt', 'html'],
    ['<p>Hello</p>', 'body.html', 'html'],
    ['  <!-- c --><script>1</script>', 'x', 'html'],
    ['<?xml version="1.0"?><!-- c --><svg xmlns="http://www.w3.org/2000/svg"/>', 'x', 'svg'],
    ['<?xml version="1.0"?><data/>', 'x', 'xml'],
    ['BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'x', 'ics'],
    ['BEGIN:VCARD\r\nEND:VCARD', 'x', 'vcf'],
    ['a,b\r\n1,2\r\n', 'x.csv', 'csv'],
    ['BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'x.csv', 'csv'],
    ['[\r\n1]', 'x.csv', 'csv'],
    ['x\r\nBEGIN:VCALENDAR', 'x.ics', 'ics'],
    ['<data><a/></data>', 'x.xml', 'xml'],
    ['<data><a/></data>', 'x', 'xml'],
    ['<data><a/></data>', 'x.txt', 'txt'],
    ['<?xml version="1.0"?><main><script>1</script></main>', 'x', 'html'],
    ['From: a@a.example\r\nTo: b\r\nSubject: c\r\n\r\nx', 'x.txt', 'txt'],
    ['#!/bin/sh\necho', 'x.txt', 'txt'],
    ['{\\rtf1 hello}', 'letter.doc', 'rtf'],
    ['From: a@example.org\r\nTo: b@example.org\r\nSubject: x\r\n\r\nhi', 'x', 'eml'],
    ['Subject: only one header in prose', 'note.txt', 'txt'],
    ['[InternetShortcut]\r\nURL=https://example.org', 'x', 'url'],
    ['ID;PWXL;N;E\r\nC;Y1;X1;K1\r\nE', 'x.csv', 'slk'],
    ['WEB\r\n1\r\nhttp://example.org', 'x', 'iqy'],
    ['#!/bin/sh\necho', 'x', 'sh'],
    ['$a = New-Object Net.WebClient\r\nIEX $a.DownloadString("x")', 'x.dat', 'ps1'],
    ['On Error Resume Next\r\nSet a = CreateObject("b")', 'x.dat', 'vbs'],
    ['We use function calls in prose, and nothing else.', 'x.dat', 'txt'],
  ])('%j named %s is %s', async (content, name, extension) => {
    expect(await detect(content, name)).toBe(extension);
  });

  test('does not take bytes for text that text cannot hold', async () => {
    expect(await detect('hello\0\x01\x02world', 'note.txt')).toBe('bin');
    expect(await detect(deflateRawSync('some text '.repeat(99)), 'script.js')).toBe('bin');
  });

  test('takes markup with stray bytes for a page', async () => {
    expect(await detect('<html>\x01<script>1</script>', 'note.txt')).toBe('html');
  });
});

describe('signatures', () => {
  const pdf = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n';
  test.each([
    [pdf, 'x', 'pdf'],
    [`GIF89a${' '.repeat(900)}${pdf}`, 'x.gif', 'pdf'],
    [`junk${' '.repeat(2000)}${pdf}`, 'x.pdf', 'txt'],
    ['A text about %PDF-1.4 headers.', 'note.txt', 'txt'],
    [`MZ${'\0'.repeat(58)}\x40\0\0\0PE\0\0${'\0'.repeat(64)}`, 'x.pdf', 'exe'],
    ['\x7fELF\x02\x01\x01\0', 'x.txt', 'elf'],
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0', 'x.txt', 'png'],
  ])('%j named %s is %s', async (content, name, extension) => {
    expect(await detect(content, name)).toBe(extension);
  });
});

describe('names', () => {
  test.each([
    ['a.pdf', 'pdf'],
    ['a.EXE', 'exe'],
    ['a.exe. . ', 'exe'],
    ['a.exe::$DATA', 'exe'],
    ['a.ex\u200be', 'exe'],
    ['invoice\u202efdp.exe', 'exe'],
    ['no extension', ''],
    ['.', ''],
  ])('%j ends in %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });

  test('the table is lower case, with short extensions', () => {
    for (const type of FILE_TYPES) {
      expect(type).toBe(type.toLowerCase());
      expect(describeType(type).extension).toMatch(/^[a-z0-9]{1,8}$/);
    }
  });
});

describe('real files', () => {
  /** Samples whose name does not say what they are, with what they are. */
  const OTHERWISE: Readonly<Record<string, string>> = {
    'macro-renamed-part.docx': 'docm',
    'macro-xlsb-like.xlsm': 'xltm',
    'encrypted-password.docx': 'bin',
    'encrypted-velvetsweatshop.xlsx': 'bin',
    't.tar.gz': 'gz',
    't.tar.xz': 'xz',
    't.tar.bz2': 'bz2',
  };

  test('every sample has its own type', async () => {
    const wrong: string[] = [];
    for (const { file } of fileCases()) {
      const found = await detect(fileCase(file), file);
      const expected = OTHERWISE[file] ?? file.slice(file.lastIndexOf('.') + 1);
      if (found !== expected) wrong.push(`${file}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });
});
