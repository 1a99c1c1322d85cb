/** What acts in the XML of a document is found however that XML is spelled: programs read its elements and name spaces, not its characters. */
import { describe, expect, test } from 'vitest';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const ODF = 'urn:oasis:names:tc:opendocument:xmlns';
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const S = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const P = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const A = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const XDR = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const XLINK = 'http://www.w3.org/1999/xlink';

interface Danger {
  readonly id: string;
  readonly name: string;
  /** Prefixes and their name spaces. */
  readonly spaces: Readonly<Record<string, string>>;
  /** An element, with the attribute that matters last. */
  readonly xml: string;
  /** The whole file, with the part in its place. */
  readonly file: (part: string) => Buffer;
}

const packed = (main: string, kind: string, other: string) => (part: string) =>
  zipOf({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
    [main]: '<document/>',
    [other]: part,
  });
const word = packed('word/document.xml', 'wordprocessingml.document', 'word/header1.xml');
const workbook = packed('xl/workbook.xml', 'spreadsheetml.sheet', 'xl/worksheets/sheet1.xml');
const slides = packed('ppt/presentation.xml', 'presentationml.presentation', 'ppt/slides/slide1.xml');
const openText = (part: string) =>
  zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': part, 'META-INF/manifest.xml': '<m/>' });

const ooxml = (id: string, name: string, file: Danger['file'], spaces: Danger['spaces'], xml: string): Danger => ({
  ...{ id, name, file, spaces, xml },
});
const odf = (id: string, xml: string): Danger => ({
  ...{ id, name: 'letter.odt', file: openText, xml },
  spaces: Object.fromEntries([
    ...['office', 'draw', 'table', 'text', 'form', 'script', 'presentation', 'style'].map((one) => [
      one,
      `${ODF}:${one === 'draw' ? 'drawing' : one}:1.0`,
    ]),
    ['xlink', XLINK],
  ]),
});

const DANGERS: readonly Danger[] = [
  ooxml('office-dde', 'a.docx', word, { w: W }, '<w:fldSimple w:x="1" w:instr="DDE app topic"/>'),
  ooxml('office-active-field', 'a.docx', word, { w: W }, '<w:instrText w:x="1">INCLUDEPICTURE "x"</w:instrText>'),
  ooxml('office-alternative-content', 'a.docx', word, { w: W, r: R }, '<w:altChunk w:x="1" r:id="r1"/>'),
  ooxml('office-dangerous-formula', 'a.xlsx', workbook, { s: S }, '<s:f s:x="1">WEBSERVICE("x")</s:f>'),
  ooxml(
    'office-xlm-macro',
    'a.xlsx',
    workbook,
    { s: S },
    '<s:definedName x="1" name="_xlnm.Auto_Open">A</s:definedName>',
  ),
  ooxml('office-dde', 'a.xlsx', workbook, { s: S }, '<s:ddeLink x="1" ddeService="a"/>'),
  ooxml('office-embedded-object', 'a.xlsx', workbook, { s: S, r: R }, '<s:oleObject x="1" r:id="r1"/>'),
  ooxml('office-activex', 'a.xlsx', workbook, { s: S, r: R }, '<s:control x="1" r:id="r9"/>'),
  ooxml('office-action', 'a.xlsx', workbook, { xdr: XDR }, '<xdr:sp x="1" macro="Other.xls!Start"/>'),
  ooxml('office-action', 'a.pptx', slides, { a: A }, '<a:hlinkClick x="1" action="ppaction://program"/>'),
  ooxml('office-action', 'a.pptx', slides, { p: P }, '<p:cmd x="1" type="verb"/>'),
  odf('office-custom-code', '<script:event-listener script:x="1" xlink:href="vnd.sun.star.script:a"/>'),
  odf('office-custom-code', '<script:event script:x="1" script:macro-name="Standard.A.b"/>'),
  odf('office-custom-code', '<presentation:event presentation:x="1" presentation:action="run-program"/>'),
  odf('office-embedded-object', '<draw:object-ole draw:x="1" xlink:href="./Object"/>'),
  odf('office-embedded-object', '<draw:floating-frame draw:x="1" xlink:href="x"/>'),
  odf('office-dde', '<text:dde-connection text:x="1" office:name="a"/>'),
  odf('office-data-connection', '<table:table-source table:x="1" xlink:href="x"/>'),
  odf('office-unsafe-link', '<text:a text:x="1" xlink:href="vnd.sun.star.script:a"/>'),
  odf('office-external-content', '<draw:image draw:x="1" xlink:href="https://files.example/a"/>'),
  odf('office-custom-code', '<presentation:event-listener presentation:x="1" presentation:action="execute-macro"/>'),
];

type Spelling = (danger: Danger) => Pick<Danger, 'spaces' | 'xml'>;

const renamed =
  (to: (prefix: string) => string): Spelling =>
  ({ spaces, xml }) => ({
    spaces: Object.fromEntries(Object.entries(spaces).map(([prefix, uri]) => [to(prefix), uri])),
    xml: Object.keys(spaces).reduce(
      (text, prefix) => text.replaceAll(new RegExp(`([</\\s])${prefix}:`, 'g'), `$1${to(prefix)}:`),
      xml,
    ),
  });
const changed =
  (change: (xml: string) => string): Spelling =>
  ({ spaces, xml }) => ({ spaces, xml: change(xml) });

/** Attributes as they stand in ordinary files. */
const DECOYS = ' instr="PAGE" name="a" macro="[0]!A" action="ppaction://noaction" type="a" xlink:href=""';

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  'as programs write it': ({ spaces, xml }) => ({ spaces, xml }),
  'with ">" in an attribute': changed((xml) => xml.replace('x="1"', 'x="a>b"')),
  'with ">" in an attribute in single quotes': changed((xml) => xml.replace('x="1"', "x='a>b'")),
  'with a long attribute': changed((xml) => xml.replace('x="1"', `x="${'a '.repeat(6_000)}"`)),
  'with many blanks': changed((xml) => xml.replaceAll(/="/g, `${' '.repeat(30)}=\n${'\t'.repeat(30)}"`)),
  'in single quotes': changed((xml) => xml.replaceAll(/="([^"]*)"/g, "='$1'")),
  'between instructions that look like a comment': changed((xml) => `<?a <!-- ?>${xml}<?a --> ?>`),
  'between instructions that look like a section': changed((xml) => `<?a <![CDATA[ ?>${xml}<?a ]]> ?>`),
  'with words split by an instruction': changed((xml) => xml.replace(/>(\w\w)/, '>$1<?a?>')),
  'with words split by a comment': changed((xml) => xml.replace(/>(\w\w)/, '>$1<!-- a -->')),
  'with words split by a section': changed((xml) => xml.replace(/>(\w\w)/, '>$1<![CDATA[]]>')),
  'with attributes that look like others in single quotes': changed((xml) => xml.replace('x="1"', `x='${DECOYS}'`)),
  'with attributes that look like others in double quotes': changed((xml) =>
    xml.replace('x="1"', `x="${DECOYS.replaceAll('"', "'")}"`),
  ),
  'with attributes of another vocabulary': ({ spaces, xml }) => ({
    spaces: { ...spaces, q: 'urn:other' },
    xml: xml.replace('x="1"', `x="1"${DECOYS.replaceAll(' ', ' q:').replaceAll('q:xlink:', 'q:')}`),
  }),
  'with letters as references': changed((xml) =>
    xml.replace(
      /="([^"]*)"(\/?>)/,
      (_, value: string, end) => `="${[...value].map((one) => `&#${one.codePointAt(0)};`).join('')}"${end}`,
    ),
  ),
  'with letters as references in hexadecimal': changed((xml) =>
    xml.replace(
      /="([^"]*)"(\/?>)/,
      (_, value: string, end) =>
        `="${[...value].map((one) => `&#x0${one.codePointAt(0)?.toString(16)};`).join('')}"${end}`,
    ),
  ),
  'with other prefixes': renamed((prefix) => `q${prefix}`),
  'with prefixes of two words': renamed((prefix) => `a-${prefix}.b`),
  'with prefixes in other letters': renamed((prefix) => `é${prefix}`),
  'with customary prefixes for something else': ({ spaces, xml }) => {
    const other = renamed((prefix) => `z${prefix}`)({ spaces, xml } as Danger);
    const misled = Object.fromEntries(Object.keys(spaces).map((prefix) => [prefix, 'urn:other']));
    return { spaces: { ...misled, ...other.spaces }, xml: other.xml };
  },
};

function partOf({ spaces, xml }: Pick<Danger, 'spaces' | 'xml'>): string {
  const declared = Object.entries(spaces).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return `<?xml version="1.0" encoding="UTF-8"?><root${declared.join('')}><p>${xml}</p></root>`;
}

describe.each(Object.entries(SPELLINGS))('%s', (_, spelling) => {
  test.each(DANGERS)('$id is found in $name: $xml', async (danger) => {
    expect(await verdictOn(danger.file(partOf(spelling(danger))), danger.name)).toContain(danger.id);
  });
});

/** What lately said nothing. Each stands alone in a part of a package, or is a whole flat file. */
const ALONE: readonly (readonly [id: string, what: string, bytes: () => Buffer, name: string])[] = [
  [
    'office-custom-code',
    'an event of LibreOffice with a macro and an empty link',
    () =>
      openText(
        '<a><script:event-listener script:language="ooo:Basic" script:macro-name="document:A.b.c" xlink:href=""/></a>',
      ),
    'a.odt',
  ],
  [
    'office-custom-code',
    'a macro under a name that ends like that of a list',
    () =>
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml': '<a/>',
        'Basic/Standard/xscript-lb.xml': '<a/>',
      }),
    'a.odt',
  ],
  ...['com.microsoft.webservice("x")', 'WEBSERVICE            ("x")'].map(
    (formula) =>
      ['office-dangerous-formula', formula, () => openText(`<a table:formula='of:=${formula}'/>`), 'a.odt'] as const,
  ),
  ['office-dde', 'a small dde', () => openText('<a table:formula="of:=dde(1;2;3)"/>'), 'a.odt'],
  [
    'office-external-content',
    'a cell of a file on the web',
    () => openText(`<a table:formula="of:=['https://e.example/x.ods'#$A.B1]"/>`),
    'a.odt',
  ],
  ...['draw:object', 'draw:fill-image', 'text:list-level-style-image', 'presentation:sound'].map(
    (element) =>
      [
        'office-external-content',
        element,
        () => openText(`<${element} xlink:href="https://e.example/x"/>`),
        'a.odt',
      ] as const,
  ),
  ...['vnd.libreoffice.command:x', '.uno:Save', 'service:com.sun.star.x'].map(
    (link) => ['office-unsafe-link', link, () => openText(`<text:a xlink:href="${link}"/>`), 'a.odt'] as const,
  ),
  [
    'office-dde',
    'text in the code of a field',
    () => word('<w:p><w:fldChar w:fldCharType="begin"/><w:t>DDEAUTO a b</w:t><w:fldChar w:fldCharType="end"/></w:p>'),
    'a.docx',
  ],
  [
    'office-dde',
    'a field with words of another vocabulary in it',
    () => word('<w:p><w:instrText>DD</w:instrText><q:instrText>X</q:instrText><w:instrText>E a b</w:instrText></w:p>'),
    'a.docx',
  ],
  [
    'office-unsafe-link',
    'a link in a field to a search',
    () => word('<w:instrText>HYPERLINK "search-ms:query=a"</w:instrText>'),
    'a.docx',
  ],
  [
    'office-external-template',
    'a template on a share',
    () =>
      Buffer.from(
        '<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:attachedTemplate w:val="//e.example/t"/></w:wordDocument>',
      ),
    'a.xml',
  ],
];

test.each(ALONE)('%s is found: %s', async (id, _, bytes, name) => {
  expect(await verdictOn(bytes(), name)).toContain(id);
});

test('a part that is XML behind many blanks is read as XML', async () => {
  const part = `${' '.repeat(5_000)}<w:fldSimple w:instr="DDE a b"/>`;
  const bytes = zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    'word/document.xml': '<document/>',
    'word/part.bin': part,
  });
  expect(await verdictOn(bytes, 'a.docx')).toContain('office-dde');
});

test.each([
  ['a sentence about a web service', '<text:p>Our webservice (REST) and the old dde (server)</text:p>'],
  [
    'links to pages with names like schemes',
    '<text:a xlink:href="services/index.html"/><text:a xlink:href="search.html"/><text:a xlink:href="private/a.odt"/>',
  ],
])('%s is ordinary', async (_, text) => {
  expect(await verdictOn(openText(`<office:text>${text}</office:text>`), 'a.odt')).toMatch(/^benign/);
});
