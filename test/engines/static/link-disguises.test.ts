/** Paths, fields, names and attributes that look like those which are ordinary, and lead to another machine or to a program. */
import { describe, expect, test } from 'vitest';
import { buildXls, bytes, name } from '../../fixtures/build-xls.ts';
import { wordDocument } from '../office-fixture.ts';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const link = (kind: string, target: string) =>
  verdictOn(wordDocument({ relationships: [[kind, escaped(target), true]] }), 'a.docx');
const word2003 = (template: string) =>
  Buffer.from(
    `<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:docPr><w:attachedTemplate w:val="${template}"/></w:docPr><w:body><w:p/></w:body></w:wordDocument>`,
  );
const odt = (content: string, more: Parameters<typeof zipOf>[0] = {}) =>
  zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content, ...more });
const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inner}</svg>`);

describe('a template', () => {
  test.each([
    '\\??\\UNC\\far.example\\s\\t.dotm',
    '\\\\?\\GLOBAL\\UNC\\far.example\\s\\t.dotm',
    'file:///?/UNC/far.example/t.dotm',
    'file://localhost//far.example/t.dotm',
    'file://localhost\\\\far.example\\t.dotm',
    '../../..//far.example/t.dotm',
    'smb:far.example:t.dotm',
    'smb:/far.example/t.dotm',
  ])('of another machine behind a path of this one is suspicious: %s', async (target) => {
    expect(await link('attachedTemplate', target)).toBe('suspicious office-external-template');
  });

  test.each([
    '\\\\?\\C:\\Templates\\letter.dotx',
    '\\\\localhost\\c$\\letter.dotx',
    'file://localhost/C:/Templates/letter.dotx',
    '..\\..\\Templates\\letter.dotx',
    '../../Templates/letter.dotx',
  ])('of this machine is ordinary: %s', async (target) => {
    expect(await link('attachedTemplate', target)).toBe('benign');
  });

  test.each(['/\\far.example\\t', 'ht&#9;tp://far.example', 'smb://far.example/t', '\\\\?\\UNC\\far.example\\t'])(
    'of another machine is suspicious in a document of Word 2003: %s',
    async (target) => {
      expect(await verdictOn(word2003(target), 'a.xml')).toBe('suspicious office-external-template');
    },
  );

  test.each(['C:\\Templates\\letter.dot', 'file:///C:/letter.dot', 'Normal.dot', ''])(
    'of this machine is ordinary in a document of Word 2003: %s',
    async (target) => {
      expect(await verdictOn(word2003(target), 'a.xml')).toBe('benign');
    },
  );
});

describe('a link', () => {
  test.each([
    'cmd.exe',
    '..\\..\\Windows\\System32\\cmd.exe',
    'files/setup.lnk',
    'files/setup%2eexe',
    '\\\\localhost\\c$\\windows\\system32\\calc.exe',
    'C:\\a.exe::$DATA',
    'C:\\a.pdf:b.exe',
    'C:\\a.msc',
    '\\\\fs01\\a\\b.appinstaller',
    'javascript:void(0);a()',
    'javascript:a(b)',
    'javascript:a("b")',
    'javascript:a()()',
    'javascript:location=b',
    'javascript:a.b[c]()',
    'javascript://%0aa(b)',
    'vbscript:a()',
    'vnd.sun.star.script:a()',
  ])('to a program is suspicious: %s', async (target) => {
    expect(await link('hyperlink', target)).toBe('suspicious office-unsafe-link');
  });

  test.each([
    'javascript:void(0)',
    'javascript:void(0);',
    'JavaScript:;',
    'javascript://',
    'javascript:toggleToc()',
    'java&#10;script:history.back();',
    'www.example.com',
    'example.com',
    'tools/build.sh',
    'src/index.js',
    'annex.pdf',
    '../letters/annex.docx',
    '#Sheet1!A1',
  ])('that starts from the document is ordinary: %s', async (target) => {
    expect(await link('hyperlink', target)).toBe('benign');
  });
});

const edge = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
test.each([
  ['a DDE field that is marked as deleted', '<w:delInstrText> DDE x y </w:delInstrText>', 'suspicious office-dde'],
  ['a field of many numbers', '<w:instrText> QUOTE 68 68 69 </w:instrText>', 'suspicious office-active-field'],
  ['a deleted page number', '<w:delInstrText> PAGE </w:delInstrText>', 'benign'],
])('%s', async (_, run, expected) => {
  const body = `${edge('begin')}<w:r>${run}</w:r>${edge('end')}`;
  expect(await verdictOn(wordDocument({ body }), 'a.docx')).toBe(expected);
});

test('a link by which Word saves a document is loaded', async () => {
  const bytesOf = wordDocument({
    body: '<w:saveThroughXslt r:id="r0"/>',
    relationships: [['hyperlink', 'https://far.example/a', true]],
  });
  expect(await verdictOn(bytesOf, 'a.docx')).toBe('suspicious office-external-content');
});

test.each(['WEBSERVICE', 'IMAGE', '_xlws.PY'])(
  'a later function that fetches is found in an old workbook: %s',
  async (of) => {
    const globals = [name(`_xlfn.${of}`, bytes('1c 1d'), 0x000b)];
    expect(await verdictOn(Buffer.from(buildXls({ globals })), 'a.xls')).toBe('suspicious office-dangerous-formula');
  },
);

test.each(['IMSUM', 'PYTHAGORAS', 'IMAGINARY'])(
  'a later function that only counts is ordinary there: %s',
  async (of) => {
    const globals = [name(`_xlfn.${of}`, bytes('1c 1d'), 0x000b)];
    expect(await verdictOn(Buffer.from(buildXls({ globals })), 'a.xls')).toBe('benign');
  },
);

test('a picture of OpenDocument above the root of a drive is on another machine', async () => {
  const place = (address: string) => odt(`<draw:image xlink:href="${address}"/>`);
  expect(await verdictOn(place('../../..//far.example/x'), 'a.odt')).toBe('suspicious office-external-content');
  expect(await verdictOn(place('../../media/x.png'), 'a.odt')).toBe('benign');
});

test('a file of OpenDocument that only starts like a picture of a chart is looked at', async () => {
  const script = 'VCLMTF\r\npowershell -enc AAAA';
  expect(await verdictOn(odt('<a/>', { 'ObjectReplacements/a.bat': script }), 'a.odt')).not.toBe('benign');
  expect(await verdictOn(odt('<a/>', { 'ObjectReplacements/Object 1': 'VCLMTF\u0001\0' }), 'a.odt')).toBe('benign');
});

test.each([
  ...['\\\\far.example\\x', '/\\far.example/x', '\\/far.example/x', 'https:\\\\far.example/x'],
  'file:///\\\\far.example\\x',
])('a drawing loads what is written with backslashes: %s', async (address) => {
  expect(await verdictOn(svg(`<image href="${address}"/>`), 'a.svg')).toMatch(/^suspicious/);
});

test.each(['<set attributeName="href" to="ADDRESS"/>', '<animate attributeName="xlink:href" values="a;ADDRESS"/>'])(
  'a drawing loads what an animation makes of an address: %s',
  async (inner) => {
    for (const address of ['//far.example/x', 'https://far.example/x', '\\\\far.example\\x'])
      expect(await verdictOn(svg(`<image>${inner.replace('ADDRESS', address)}</image>`), 'a.svg')).toMatch(
        /^suspicious/,
      );
  },
);

test('an animation that moves is ordinary', async () => {
  const inner = '<rect><animate attributeName="x" from="0" to="9" values="0;5;9"/></rect>';
  expect(await verdictOn(svg(inner), 'a.svg')).toBe('unknown html-active-element');
});
