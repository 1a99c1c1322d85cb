/** The inspection finds everything that must be gone (must-be-found.ts), and finds nothing in a file without any of it. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { namesOf } from '../../../lib/engines/inspect/fact.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { HTML_FACTS, ODF_FACTS, SVG_FACTS } from '../../../lib/engines/inspect/markup-facts.ts';
import { OFFICE_FACTS } from '../../../lib/engines/inspect/office/facts.ts';
import { LEGACY_FACTS } from '../../../lib/engines/inspect/office/legacy-office.ts';
import { RTF_FACTS } from '../../../lib/engines/inspect/office/rtf.ts';
import { PDF_FACTS } from '../../../lib/engines/inspect/pdf/facts.ts';
import { CALENDAR_FACTS } from '../../../lib/engines/inspect/plain-formats.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { buildPdf } from '../../fixtures/build-pdf.ts';
import { compoundFile } from '../office-fixture.ts';
import { zipOf } from '../zip-fixture.ts';
import {
  CALENDAR_PROPERTIES,
  COMPOUND_STREAMS,
  DRAWING_ATTRIBUTES,
  DRAWING_ELEMENTS,
  OFFICE_ATTRIBUTES,
  OFFICE_CONTENT_TYPES,
  OFFICE_ELEMENTS,
  OFFICE_PATHS,
  OFFICE_RELATIONSHIPS,
  OFFICE_TEXTS,
  OPEN_DOCUMENT_ATTRIBUTES,
  OPEN_DOCUMENT_ELEMENTS,
  OPEN_DOCUMENT_PATHS,
  PAGE_ATTRIBUTES,
  PAGE_ELEMENTS,
  PDF_NAMES,
  PDF_PAIRS,
  RICH_TEXT_WORDS,
} from './must-be-found.ts';

const DOCX: FileType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ODT: FileType = 'application/vnd.oasis.opendocument.text';

async function found(bytes: Uint8Array | string, fileType: FileType): Promise<string[]> {
  const file = { bytes: Buffer.from(bytes), type: describeType(fileType) };
  const { leftovers } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  return leftovers.map(({ id }) => id);
}

const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';

interface Package {
  readonly contentType?: string;
  readonly relationship?: string;
  readonly markup?: string;
  readonly members?: Readonly<Record<string, string>>;
}

function officeFile({ contentType = '', relationship = '', markup = '', members = {} }: Package): Buffer {
  const overrides = contentType === '' ? '' : `<Override PartName="/word/a.xml" ContentType="${contentType}"/>`;
  const row = relationship === '' ? '' : `<Relationship Id="a" Type="${relationship}" Target="a.xml"/>`;
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${TYPES}">${overrides}</Types>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${RELATIONSHIPS}">${row}</Relationships>`,
    'word/document.xml': `<w:document xmlns:w="u"><w:t>text</w:t>${markup}</w:document>`,
    ...members,
  });
}

test.each(OFFICE_RELATIONSHIPS)('finds %s in an Office package: the relationship %s', async (id, relationship) => {
  expect(await found(officeFile({ relationship }), DOCX)).toContain(id);
});

test.each(OFFICE_CONTENT_TYPES)('finds %s in an Office package: the content type %s', async (id, contentType) => {
  expect(await found(officeFile({ contentType }), DOCX)).toContain(id);
});

test.each(OFFICE_PATHS)('finds %s in an Office package: the member %s', async (id, path) => {
  expect(await found(officeFile({ members: { [path]: '<a/>' } }), DOCX)).toContain(id);
});

test.each(OFFICE_ELEMENTS)('finds %s in an Office package: the element %s', async (id, name) => {
  expect(await found(officeFile({ markup: `<q:${name} xmlns:q="u"/>` }), DOCX)).toContain(id);
});

test.each(OFFICE_ATTRIBUTES)('finds %s in an Office package: the attributes %s', async (id, names, values) => {
  for (const name of namesOf(names))
    for (const value of values)
      expect(await found(officeFile({ markup: `<q:a b="1" q:${name}='${value}'/>` }), DOCX), value).toContain(id);
});

test.each(OFFICE_TEXTS)('finds %s in an Office package: the text of %s', async (id, names, text) => {
  for (const name of namesOf(names))
    expect(await found(officeFile({ markup: `<q:${name}>${text}</q:${name}>` }), DOCX), name).toContain(id);
});

const pdfEntries = [
  ...PDF_NAMES.map(([id, name]) => [id, name, '1'] as const),
  ...PDF_PAIRS.map(([id, pair]) => {
    const [key = '', value] = pair.split('/');
    return [id, key, `/${value}`] as const;
  }),
];

test.each(pdfEntries)('finds %s in a PDF, also under an escaped name: %s %s', async (id, key, value) => {
  const escaped = `#${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  for (const name of [key, escaped]) {
    const body = `<< /Type /Catalog /Names << /${name} ${value} >> >>`;
    const pdf = `%PDF-1.7\n1 0 obj\n${body}\nendobj\nxref\n0 1\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n`;
    expect(await found(pdf, 'application/pdf')).toContain(id);
  }
});

const withElement = (name: string) => `<p><${name}></${name}></p>`;
const withAttribute = (name: string, value: string) => `<p><b x="1" ${name}='${value}'>a</b></p>`;

test.each(PAGE_ELEMENTS)('finds %s in a page: %s', async (id, name) => {
  expect(await found(withElement(name), 'text/html')).toContain(id);
});

test.each(PAGE_ATTRIBUTES)('finds %s in a page: %s', async (id, names, values) => {
  for (const name of namesOf(names))
    for (const value of values) expect(await found(withAttribute(name, value), 'text/html'), value).toContain(id);
});

test.each([
  ['<p>a<!-- b --></p>', 'html-comment'],
  ['<![if mso]>a<![endif]>', 'html-comment'],
  ['<?xml version="1.0"?><p>a</p>', 'html-comment'],
  ['<p data-a="">a</p>', 'html-data-attribute'],
  ['<p DATA-A>a</p>', 'html-data-attribute'],
  ['<p/onclick=a>a</p>', 'html-event-handler'],
  ['<a href="//a.example/b">a</a>', 'html-active-address'],
  ['<a href="/&#9;\\a.example/b">a</a>', 'html-active-address'],
  ['<img src="//a.example/b">', 'html-active-address'],
  ['<a href="b.html">a</a>', 'html-live-link'],
  ['<a href="sms:1">a</a>', 'html-live-link'],
  ['<img src="b.png">', 'html-remote-source'],
  ['<img src="data:image/svg+xml,a">', 'html-remote-source'],
  ['<p style="background:u\\72l(https://a.example)">a</p>', 'html-live-style'],
  ['<p style="width:exp/**/ression(a)">a</p>', 'html-live-style'],
  ['<style>@import "a"</style>', 'html-strange-sheet'],
  ['<style>@font-face { font-family: a }</style>', 'html-strange-sheet'],
  ['<style>a { color: red } b { color: red }</style>', 'html-strange-sheet'],
  ['<style>a::before { color: red }</style>', 'html-strange-sheet'],
  ['<style>a { position: fixed }</style>', 'html-strange-sheet'],
  ['<style>@media print {\na { color: red }</style>', 'html-strange-sheet'],
  ['<style>@media url(a) {\na { color: red }\n}</style>', 'html-strange-sheet'],
  ['<title><style>a{</style></title>', 'html-strange-sheet'],
  ['<canvas><style>a{</style></canvas>', 'html-strange-sheet'],
  ['<p style=\'@import "https://a.example"\'>a</p>', 'html-live-style'],
])('finds in the page %s: %s', async (page, id) => {
  expect(await found(page, 'text/html')).toContain(id);
});

const drawing = (markup: string) => `<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`;

test.each(DRAWING_ELEMENTS)('finds %s in a drawing: %s', async (id, name) => {
  expect(await found(drawing(withElement(name)), 'image/svg+xml')).toContain(id);
});

test.each(DRAWING_ATTRIBUTES)('finds %s in a drawing: %s', async (id, names, values) => {
  for (const name of namesOf(names))
    for (const value of values)
      expect(await found(drawing(withAttribute(name, value)), 'image/svg+xml'), value).toContain(id);
});

const openDocument = (markup: string, members: Readonly<Record<string, string>> = {}) =>
  zipOf({
    mimetype: ODT,
    'content.xml': `<office:document-content xmlns:office="u">${markup}</office:document-content>`,
    ...members,
  });

test.each(OPEN_DOCUMENT_ELEMENTS)('finds %s in an OpenDocument file: %s', async (id, name) => {
  expect(await found(openDocument(withElement(`q:${name}`)), ODT)).toContain(id);
});

test.each(OPEN_DOCUMENT_ATTRIBUTES)('finds %s in an OpenDocument file: %s', async (id, names, values) => {
  for (const name of namesOf(names))
    for (const value of values) {
      const markup = `<p><b x="1" q:${name}="${value.replaceAll('"', '&quot;')}">a</b></p>`;
      expect(await found(openDocument(markup), ODT), value).toContain(id);
    }
});

test.each(OPEN_DOCUMENT_PATHS)('finds %s in an OpenDocument file: the member %s', async (id, path) => {
  expect(await found(openDocument('', { [path]: '<a/>' }), ODT)).toContain(id);
});

test.each(['creator', 'initial-creator', 'printed-by'])('finds people in an OpenDocument file: %s', async (name) => {
  const about = {
    'meta.xml': `<office:document-meta xmlns:office="u"><q:${name}>A. Person</q:${name}></office:document-meta>`,
  };
  expect(await found(openDocument('', about), ODT)).toContain('odf-properties');
});

describe('pictures of an OpenDocument file', () => {
  const odt = (markup: string) =>
    zipOf({
      mimetype: ODT,
      'content.xml': `<office:document-content xmlns:office="u">${markup}</office:document-content>`,
    });

  test.each(['http://a.example/a.png', '//a.example/a.png', 'FILE:///a.png', '\\\\server\\a.png'])(
    'that lead to %s are found, and links to the web are not taken for them',
    async (href) => {
      for (const name of ['draw:image', 'draw:fill-image', 'style:background-image', 'text:list-level-style-image']) {
        expect(await found(odt(`<${name} xlink:href="${href}"/>`), ODT)).toContain('odf-linked-content');
      }
      expect(await found(odt('<text:a xlink:href="http://a.example/">a</text:a>'), ODT)).toEqual([]);
      expect(await found(odt('<draw:image xlink:href="Pictures/a.png"/>'), ODT)).toEqual([]);
    },
  );

  test('are also searched in a flat document', async () => {
    const flat =
      '<?xml version="1.0"?><office:document xmlns:office="u"><draw:image xlink:href="http://a.example/a"/><office:scripts/></office:document>';
    expect(await found(flat, 'application/vnd.oasis.opendocument.text-flat-xml')).toEqual([
      'odf-linked-content',
      'odf-script',
    ]);
  });
});

test.each(RICH_TEXT_WORDS)('finds %s in a rich text document: %s', async (id, name) => {
  expect(await found(`{\\rtf1\\ansi text {\\*\\${name} abc}}`, 'application/rtf')).toContain(id);
});

test('bytes that follow \\bin are neither text nor markup', async () => {
  const original = {
    bytes: Buffer.from('{\\rtf1 a {\\pict\\bin9 x y} {z w} b c}'),
    type: describeType('application/rtf'),
  };
  const output = { bytes: Buffer.from('{\\rtf1 a b c}'), type: describeType('application/rtf') };
  const { words } = await inspectOutput(original, output, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  expect(words).toEqual({ before: 3, kept: 3, after: 3 });
});

test.each(CALENDAR_PROPERTIES)('finds %s in a calendar entry: %s %s', async (id, name, value) => {
  const entry = `BEGIN:VCALENDAR\r\n${name};X="a:b":${value.slice(0, 4)}\r\n ${value.slice(4)}\r\nEND:VCALENDAR\r\n`;
  expect(await found(entry, 'text/calendar')).toContain(id);
});

test.each(COMPOUND_STREAMS)('finds %s in a compound file: %s', async (id, stream) => {
  const file = compoundFile({ WordDocument: Buffer.alloc(5_000), [stream]: Buffer.from('a') });
  expect(await found(file, 'application/msword')).toContain(id);
});

test('every row of the tables of the second look is listed here', () => {
  const tables = { OFFICE_FACTS, PDF_FACTS, HTML_FACTS, SVG_FACTS, ODF_FACTS, RTF_FACTS, CALENDAR_FACTS, LEGACY_FACTS };
  const listed = new Set(
    [
      OFFICE_RELATIONSHIPS,
      OFFICE_CONTENT_TYPES,
      OFFICE_PATHS,
      OFFICE_ELEMENTS,
      OFFICE_ATTRIBUTES,
      OFFICE_TEXTS,
      PDF_NAMES,
      PDF_PAIRS,
      PAGE_ELEMENTS,
      PAGE_ATTRIBUTES,
      DRAWING_ELEMENTS,
      DRAWING_ATTRIBUTES,
      OPEN_DOCUMENT_ELEMENTS,
      OPEN_DOCUMENT_ATTRIBUTES,
      OPEN_DOCUMENT_PATHS,
      RICH_TEXT_WORDS,
      CALENDAR_PROPERTIES,
      COMPOUND_STREAMS,
    ].flatMap((listing) => listing.map(([id]): string => id)),
  );
  const rows = Object.values(tables).flatMap((table) => table.map(({ id }) => id));
  expect(rows.filter((id) => !listed.has(id) && id !== 'odf-properties')).toEqual([]);
});

describe('finds nothing in', () => {
  const page =
    '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><p style="color: red">a <a href="https://a.example">b</a><a href="#c">c</a></>' +
    '<img src="cid:1"><img src="data:image/png;base64,AA=="></p></body></html>';
  test.each<[string, string | Uint8Array, FileType]>([
    ['a document', officeFile({ markup: '<w:p><w:t>more</w:t></w:p>' }), DOCX],
    ['a page', page, 'text/html'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>', 'image/svg+xml'],
    ['a rich text document', '{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\b text\\b0}', 'application/rtf'],
    ['a table', "a,b\n-5,+44 20 7946 0000\n'=1+1,x\n", 'text/csv'],
    ['a calendar entry', 'BEGIN:VCALENDAR\r\nSUMMARY:a\r\nURL:https://a.example\r\nEND:VCALENDAR\r\n', 'text/calendar'],
  ])('%s without any of it', async (_, bytes, fileType) => {
    expect(await found(bytes, fileType)).toEqual([]);
  });

  test('a PDF that was not rebuilt is never clean, because of its first byte', async () => {
    expect(await found(Buffer.concat([Buffer.from('x'), buildPdf()]), 'application/pdf')).toContain('pdf-data-before');
  });
});
