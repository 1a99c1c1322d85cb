import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { analyseFile } from '../../lib/engines/static/analyse-file.ts';
import { qrPng } from '../fixtures/build-codes.ts';
import { buildHeic } from '../fixtures/build-heic.ts';
import { buildDocm, buildExternalTemplateDocx, buildMacroFreeDocx, buildOleDocx } from '../fixtures/build-office.ts';
import { wordXml } from '../fixtures/build-word-xml.ts';
import { workbookXml } from '../fixtures/build-workbook-xml.ts';
import { flatPackageOf } from '../fixtures/flat-package.ts';
import { zipOf } from './zip-fixture.ts';

async function analyse(content: string | Uint8Array, untrustedName: string): Promise<string> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const report = await analyseFile({ bytes, untrustedName, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return `failed:${report.failure.code}`;
  return [report.level, ...report.findings.map(({ id }) => id).sort()].join(' ');
}

function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', deflateSync('x')), chunk('IEND', Buffer.alloc(0))]);
}

const gif = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;';

describe('Office documents in one XML file', () => {
  test.each<[string, () => Promise<Uint8Array>, RegExp]>([
    ['without anything live', () => buildMacroFreeDocx(), /^benign$/],
    ['with macros', () => buildDocm(), /^suspicious code-auto-run office-macro$/],
    [
      'with an embedded program',
      () => buildOleDocx(Buffer.from('MZ')),
      /^(?:suspicious|malicious) .*office-embedded-object/,
    ],
    [
      'with a template of another server',
      () => buildExternalTemplateDocx('https://evil.example/t'),
      /office-external-template|office-remote/,
    ],
  ])('%s are looked at like their package', async (_what, build, expected) => {
    expect(await analyse(flatPackageOf(await build()), 'a.xml')).toMatch(expected);
    expect(await analyse(await build(), 'a.docx')).toMatch(expected);
  });

  test.each<[string, string, RegExp]>([
    [
      'a plain workbook',
      workbookXml({ rows: '<Row><Cell ss:Formula="=SUM(R1C1)"><Data ss:Type="Number">1</Data></Cell></Row>' }),
      /^benign$/,
    ],
    [
      'a formula that starts a program',
      workbookXml({ rows: `<Row><Cell ss:Formula="=cmd|'/c calc'!A0"/></Row>` }),
      /office-dangerous-formula/,
    ],
    [
      'a formula that fetches',
      workbookXml({ rows: '<Row><Cell ss:Formula="=WEBSERVICE(&quot;https://a.example&quot;)"/></Row>' }),
      /office-dangerous-formula/,
    ],
    [
      'a query',
      workbookXml({ behind: '<QueryTable xmlns="urn:schemas-microsoft-com:office:excel"/>' }),
      /office-data-connection/,
    ],
    ['a link to a file', workbookXml({ rows: '<Row><Cell ss:HRef="file:///c:/a.exe"/></Row>' }), /office-unsafe-link/],
    ['a plain document', wordXml(), /^benign$/],
    [
      'macros',
      wordXml({
        before: '<w:docSuppData><w:binData w:name="editdata.mso">QWN0aXZlTWltZQAAAA==</w:binData></w:docSuppData>',
      }),
      /office-macro/,
    ],
    ['objects', wordXml({ before: '<w:docOleData/>' }), /office-embedded-object/],
    [
      'a template of elsewhere',
      wordXml({ settings: '<w:attachedTemplate w:val="https://a.example/t.dot"/>' }),
      /office-external-template/,
    ],
    [
      'a picture of elsewhere',
      wordXml({ body: '<v:imagedata src="https://a.example/p.png"/>' }),
      /office-external-content/,
    ],
    [
      'a field that starts a program',
      wordXml({ body: '<w:instrText>DDEAUTO c:\\cmd.exe x</w:instrText>' }),
      /office-dde/,
    ],
    ['a document type', workbookXml().replace('<Workbook', '<!DOCTYPE a><Workbook'), /xml-doctype/],
  ])('of Office 2003: %s', async (_what, xml, expected) => {
    expect(await analyse(xml, 'a.xml')).toMatch(expected);
  });

  test('with a document type declaration are named', async () => {
    const flat = flatPackageOf(await buildMacroFreeDocx()).replace('<pkg:package', '<!DOCTYPE a><pkg:package');
    expect(await analyse(flat, 'a.xml')).toContain('xml-doctype');
  });
});

describe('pictures', () => {
  test.each<[string, string | Buffer, string]>([
    ['a plain PNG', png(1, 1), 'benign'],
    ['a plain GIF', gif, 'benign'],
    ['padding behind the end', Buffer.concat([png(1, 1), Buffer.alloc(9)]), 'benign'],
    [
      'other bytes behind the end',
      Buffer.concat([png(1, 1), Buffer.from('a secret of seventeen')]),
      'suspicious image-trailing-data',
    ],
    [
      'an archive behind the end',
      Buffer.concat([png(1, 1), zipOf({ a: 'b' })]),
      'suspicious image-trailing-data polyglot',
    ],
    ['a page inside', gif.replace(';', '!\xfe\x08<script>\0;'), 'suspicious polyglot'],
    ['a pixel flood', png(60_000, 60_000), 'failed:oversize'],
  ])('with %s', async (_, content, expected) => {
    expect(await analyse(content, 'a.png')).toBe(expected);
  });
});

describe('a JPEG with further pictures behind it, as cameras write them', async () => {
  const jpeg = async (color: string) =>
    await sharp({ create: { width: 16, height: 16, channels: 3, background: color } })
      .jpeg()
      .toBuffer();
  const pictures = [await jpeg('red'), await jpeg('grey'), Buffer.alloc(3), await jpeg('blue')];
  const code = await sharp(await qrPng('https://account.example@198.51.100.7/verify'))
    .resize(900)
    .jpeg()
    .toBuffer();

  test.each<[string, Buffer[], string]>([
    ['is benign', pictures, 'benign'],
    [
      'with text behind them all',
      [...pictures, Buffer.from('a secret of seventeen')],
      'suspicious image-trailing-data',
    ],
    [
      'with text between two of them',
      [...pictures.slice(0, 2), Buffer.from('a secret of seventeen'), ...pictures.slice(3)],
      'suspicious image-trailing-data',
    ],
    ['with an archive behind them all', [...pictures, zipOf({ a: 'b' })], 'suspicious image-trailing-data polyglot'],
    ['with a half picture behind them', [...pictures, code.subarray(0, 400)], 'suspicious image-trailing-data'],
    ['with a code in the last of them', [...pictures, code], 'suspicious picture-code-unsafe-link'],
  ])('%s', async (_, parts, expected) => {
    expect(await analyse(Buffer.concat(parts), 'a.jpg')).toBe(expected);
  });
});

describe('a HEIC whose last box has its size in eight bytes, as cameras write it', () => {
  /** The picture, and behind it a box that nobody reads. */
  const withBox = (size: number, content: string) => {
    const head = Buffer.alloc(16);
    head.writeUInt32BE(1, 0);
    head.write('free', 4, 'latin1');
    head.writeBigUInt64BE(BigInt(size), 8);
    return Buffer.concat([buildHeic(), head, Buffer.from(content, 'latin1')]);
  };

  test.each([
    ['is benign', withBox(40, '-'.repeat(24)), 'benign'],
    ['with text behind it', withBox(40, `${'-'.repeat(24)}a secret of seventeen`), 'suspicious image-trailing-data'],
    ['that is longer than the file', withBox(100_000, '-'.repeat(24)), 'suspicious image-trailing-data'],
  ])('%s', async (_, bytes, expected) => {
    expect(await analyse(bytes, 'a.heic')).toBe(expected);
  });
});

describe('a bitmap with a mask behind it, as LibreOffice writes it', () => {
  const bitmap = Buffer.alloc(58);
  bitmap.write('BM', 'latin1');
  [
    [2, 58],
    [10, 54],
    [14, 40],
    [18, 1],
    [22, 1],
  ].forEach(([at = 0, value = 0]) => void bitmap.writeUInt32LE(value, at));
  bitmap.writeUInt32LE(0x0018_0001, 26);
  const sign = Buffer.from('621909250102b2ac02', 'hex');
  /** 250 bytes of pixels are claimed by the size of the file, and 4 are there. */
  const packed = Buffer.from(bitmap);
  packed.writeUInt32LE(304, 2);
  packed.writeUInt32LE(1, 30);
  packed.writeUInt32LE(4, 34);
  const text = Buffer.from('a secret of seventeen');

  test.each([
    ['is benign', [bitmap, sign, bitmap], 'benign'],
    ['whose mask is packed', [bitmap, sign, packed], 'benign'],
    ['with text behind a packed mask', [bitmap, sign, packed, text], 'suspicious image-trailing-data'],
    [
      'with text behind the mask',
      [bitmap, sign, bitmap, Buffer.from('a secret of seventeen')],
      'suspicious image-trailing-data',
    ],
    ['with text for a mask', [bitmap, sign, Buffer.from('a secret of seventeen')], 'suspicious image-trailing-data'],
    ['with half a mask', [bitmap, sign, bitmap.subarray(0, 40)], 'suspicious image-trailing-data'],
    ['without the sign', [bitmap, bitmap], 'suspicious image-trailing-data'],
  ])('%s', async (_, parts, expected) => {
    expect(await analyse(Buffer.concat(parts), 'a.bmp')).toBe(expected);
  });
});

describe('pages and drawings', () => {
  test.each([
    ['<html><body><p>Hello <a href="https://example.org">x</a><img src="cid:1"></body></html>', 'a.html', 'benign'],
    ['<html><style>p{color:red}</style><p>x', 'a.html', 'benign'],
    ['<html><script>1</script>', 'a.html', 'unknown html-script'],
    ['<html><img src=x onerror=alert(1)>', 'a.html', 'unknown html-event-handler'],
    ['<html><a href="java\tscript:x">x</a>', 'a.html', 'suspicious html-unsafe-link'],
    ['<html><a href="data:text/html,x">x</a>', 'a.html', 'suspicious html-unsafe-link'],
    ['<html><meta http-equiv=refresh content="0;url=x">', 'a.html', 'unknown html-active-element'],
    ['<html><iframe src="x"></iframe>', 'a.html', 'unknown html-active-element'],
    ['<html><template><script>1</script></template>', 'a.html', 'unknown html-script'],
    ['<html><!-- <script>1</script> --><p>x', 'a.html', 'benign'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"/></svg>', 'a.svg', 'benign'],
    ['<svg><use href="http://a.invalid/x.svg#a"/></svg>', 'a.svg', 'suspicious html-active-element svg-carries-page'],
    ['<svg><foreignObject/></svg>', 'a.svg', 'unknown html-active-element'],
    [
      '<svg><foreignObject><iframe src="//a.invalid"></iframe></foreignObject></svg>',
      'a.svg',
      'suspicious html-active-element svg-carries-page',
    ],
    ['<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', 'a.svg', 'benign'],
    ['<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hosts">]><svg>&a;</svg>', 'a.svg', 'suspicious xml-doctype'],
    ['<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><svg>&c;</svg>', 'a.svg', 'suspicious xml-doctype'],
    ['<?xml version="1.0"?><data>1</data>', 'a.xml', 'benign'],
    ['<?xml version="1.0"?><?mso-application progid="Word.Document"?><x/>', 'a.xml', 'unknown'],
  ])('%s', async (content, name, expected) => {
    expect(await analyse(content, name)).toBe(expected);
  });

  test('in UTF-16 are read as a browser reads them', async () => {
    const page = Buffer.from('\ufeff<html><script>1</script></html>', 'utf16le');
    expect(await analyse(page, 'a.html')).toBe('unknown html-script');
  });
});

describe('texts', () => {
  test.each([
    ['some words about IEX and eval', 'a.txt', 'benign'],
    ['name,amount\r\nRent,-5.00\r\nTel,+44 20 7946 0000\r\n', 'a.csv', 'benign'],
    ['name,amount\r\n=HYPERLINK("x"),1\r\n', 'a.csv', 'suspicious text-formula'],
    ['name\t@SUM(A1)\r\n', 'a.tsv', 'unknown text-formula'],
    ['a,"=SUM(A1:$B$2)",=TRUE()\r\n', 'a.csv', 'unknown text-formula'],
    ['a,"=SUM(A1\r\n,WEBSERVICE(""a""))"\r\n', 'a.csv', 'suspicious text-formula'],
    ['a,=SUM(A1),see https://example.org/\r\n', 'a.csv', 'suspicious text-formula'],
    ["a,=SUM('C:\\\\[a.xls]b'!A1)\r\n", 'a.csv', 'suspicious text-formula'],
    ['a,=SUM(A1)+cmd\r\n', 'a.csv', 'suspicious text-formula'],
    ['BEGIN:VCALENDAR\r\nSUMMARY:x\r\nEND:VCALENDAR\r\n', 'a.ics', 'benign'],
    ['BEGIN:VCALENDAR\r\nACTION:PROCE\r\n DURE\r\nEND:VCALENDAR\r\n', 'a.ics', 'suspicious calendar-active'],
    ['BEGIN:VCARD\r\nFN:A\r\nURL:https://example.org\r\nEND:VCARD', 'a.vcf', 'benign'],
    ['BEGIN:VCARD\r\nURL:file://server/x\r\nEND:VCARD', 'a.vcf', 'suspicious calendar-active'],
    ['{"a": 1}', 'a.json', 'benign'],
    ['From: a@example.org\r\nTo: b@example.org\r\nSubject: x\r\n\r\nhi', 'a.eml', 'unknown'],
    ['{\\rtf1 Hello {\\b world}}', 'a.rtf', 'benign'],
    ['{\\rtf1 {\\field{\\*\\fldinst HYPERLINK "https://example.org"}{\\fldrslt x}}}', 'a.rtf', 'benign'],
    ['{\\rtf1 {\\field{\\*\\fldinst {D}{DE}AUTO x y}}}', 'a.rtf', 'suspicious rtf-active'],
    ['{\\rtf1 {\\object\\objemb{\\*\\objdata 0105}}}', 'a.rtf', 'suspicious rtf-object'],
    ['{\\rtf1 \\bin3 abc}', 'a.rtf', 'suspicious rtf-binary'],
  ])('%j', async (content, name, expected) => {
    expect(await analyse(content, name)).toBe(expected);
  });
});

describe('archives', () => {
  test.each<[string, Buffer, string]>([
    ['nothing to run is unknown, since its members were not analysed', zipOf({ 'a.txt': 'x' }), 'unknown'],
    [
      'a program by name',
      zipOf({ 'a.pdf.exe': 'x' }),
      'malicious archive-disguised-program archive-executable double-extension',
    ],
    ['a program by content', zipOf({ a: `MZ${'\0'.repeat(80)}` }), 'suspicious archive-executable'],
    ['a name that leaves its folder', zipOf({ '../../a.txt': 'x' }), 'suspicious archive-path'],
    ['a symbolic link', zipOf({ a: { content: '/etc', unixMode: 0xa1ff } }), 'suspicious archive-path'],
    [
      'two names for one member',
      zipOf({ 'a.txt': { content: 'x', localName: 'b.txt' } }),
      'suspicious archive-ambiguous',
    ],
    ['the same name twice', zipOf({ 'a.txt': 'x', 'A.TXT': 'y' }), 'suspicious archive-ambiguous'],
    ['a name turned around', zipOf({ 'a\u202etxt.doc': 'x' }), 'suspicious bidi-control'],
    ['a member behind a password', zipOf({ a: { content: 'x', encrypted: true } }), 'failed:encrypted'],
    ['a member that expands without end', zipOf({ a: { content: 'x', claimedSize: 2 ** 31 } }), 'failed:oversize'],
  ])('with %s', async (_, content, expected) => {
    expect(await analyse(content, 'a.zip')).toBe(expected);
  });
});

describe('programs and scripts', () => {
  const program = `MZ${'\0'.repeat(58)}\x40\0\0\0PE\0\0${'\0'.repeat(64)}`;
  test.each([
    [program, 'setup.exe', 'unknown program program-damaged'],
    [program, 'invoice.pdf', 'malicious disguised-program program program-damaged'],
    [program, 'invoice.pdf.exe', 'suspicious double-extension program program-damaged'],
    ['WScript.Echo(1)', 'a.js', 'unknown script'],
    ['#!/bin/sh\necho hi', 'a', 'unknown script'],
    ['[InternetShortcut]\r\nURL=https://example.org', 'a.url', 'suspicious shortcut'],
  ])('%j named %s', async (content, name, expected) => {
    expect(await analyse(content, name)).toBe(expected);
  });
});
