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

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  'as programs write it': ({ spaces, xml }) => ({ spaces, xml }),
  'with ">" in an attribute': changed((xml) => xml.replace('x="1"', 'x="a>b"')),
  'with ">" in an attribute in single quotes': changed((xml) => xml.replace('x="1"', "x='a>b'")),
  'with a long attribute': changed((xml) => xml.replace('x="1"', `x="${'a '.repeat(6_000)}"`)),
  'with many blanks': changed((xml) => xml.replaceAll(/="/g, `${' '.repeat(30)}=\n${'\t'.repeat(30)}"`)),
  'in single quotes': changed((xml) => xml.replaceAll(/="([^"]*)"/g, "='$1'")),
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
