/** Every row of the must-be-gone tables is found by the inspection, and a file without any of it is not. */
import { describe, expect, test } from 'vitest';
import { detectType } from '../../../../lib/analysis/engines/detect.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../../lib/analysis/engines/engine.ts';
import { type Fact, namesOf } from '../../../../lib/analysis/engines/inspect/fact.ts';
import { inspectOutput } from '../../../../lib/analysis/engines/inspect/inspect.ts';
import { LEGACY_FACTS } from '../../../../lib/analysis/engines/inspect/legacy-office.ts';
import { HTML_FACTS, ODF_FACTS, SVG_FACTS } from '../../../../lib/analysis/engines/inspect/markup-facts.ts';
import { OFFICE_FACTS } from '../../../../lib/analysis/engines/inspect/office-facts.ts';
import { PDF_FACTS } from '../../../../lib/analysis/engines/inspect/pdf-facts.ts';
import { CALENDAR_FACTS } from '../../../../lib/analysis/engines/inspect/plain-formats.ts';
import { RTF_FACTS } from '../../../../lib/analysis/engines/inspect/rtf.ts';
import { describeType, type FileType } from '../../../../lib/formats/file-types.ts';
import { buildPdf } from '../../../fixtures/build-pdf.ts';
import { compoundFile } from '../office-fixture.ts';
import { zipOf } from '../zip-fixture.ts';

const DOCX: FileType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ODT: FileType = 'application/vnd.oasis.opendocument.text';

async function found(bytes: Uint8Array | string, fileType: FileType): Promise<string[]> {
  const file = { bytes: Buffer.from(bytes), type: describeType(fileType) };
  const { leftovers } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, detectType);
  return leftovers.map(({ id }) => id);
}

/** What a row with a pattern must find; written from the list, not from the pattern. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'office-vba': 'http://schemas.microsoft.com/office/2006/relationships/vbaProject',
  'office-macrosheet': 'http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet',
  'office-toolbar': 'http://schemas.microsoft.com/office/2006/relationships/attachedToolbars',
  'office-custom-ui': 'http://schemas.microsoft.com/office/2007/relationships/ui/extensibility',
  'office-ole-object': 'http://purl.oclc.org/ooxml/officeDocument/relationships/oleObject',
  'office-control': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/control',
  'office-template': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate',
  'office-foreign-chunk': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk',
  'office-frame': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/subDocument',
  'office-mail-merge': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/mailMergeSource',
  'office-external-link': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/externalLinkPath',
  'office-connection': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/connections',
  'office-custom-property': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties',
  'office-printer': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/printerSettings',
  'office-calc-chain': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain',
  'office-revisions': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/revisionLog',
  'office-custom-xml': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXml',
  'office-signature': 'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin',
  'office-web-extension': 'http://schemas.microsoft.com/office/2011/relationships/webextension',
  'office-slide-update': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/slideUpdateUrl',
  'office-legacy-text': 'http://schemas.microsoft.com/office/2006/relationships/legacyDocTextInfo',
  'office-media': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/video',
  'office-font': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/font',
  'office-macro-type': 'application/vnd.ms-word.document.macroEnabled.main+xml',
  'office-control-type': 'application/vnd.ms-office.activeX+xml',
  'office-link-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml',
  'office-foreign-type': 'text/html',
  'office-binary-part': 'word/vbaProject.bin',
  'office-program-part': 'word/media/a.exe',
  'office-folder': 'customXml/item1.xml',
  'excel-shape-macro': '[0]!Module1.Run',
  'excel-name-macro': '1',
  'slide-action': 'ppaction://program',
  'vml-live-address': 'file:///c:/a.exe',
  'vml-event': 'run()',
  'excel-cache-source': 'external',
  'office-properties': 'A. Person',
  'excel-formula': 'WEBSERVICE("https://a.example")',
  'html-refresh': 'refresh',
  'html-inline-document': 'https://a.example/',
  'html-live-style': 'width: expression(run())',
  'html-load': 'https://a.example/x',
  'html-remote-source': 'https://a.example/x',
  'svg-address': 'javascript:run()',
  'svg-loaded-style': 'fill: url(https://a.example/x.svg#a)',
  'odf-live-formula': 'of:=WEBSERVICE("https://a.example")',
  'odf-form-command': 'SELECT * FROM a',
  'odf-properties': 'A. Person',
  'odf-external-address': 'file:///etc/passwd',
  'odf-basic': 'Basic/Standard/Module1.xml',
  'odf-signature': 'META-INF/macrosignatures.xml',
  'ics-unsafe-link': 'file://server/share',
  'ics-remote-picture': 'https://a.example/a.png',
  'ics-alarm': 'PROCEDURE',
  'ole-macro': 'Macros/VBA/dir',
  'ole-object': 'ObjectPool/_1/contents',
  'ole-control': '\u0003OCXNAME',
  'ole-equation': 'Equation Native',
  'ole-data-store': 'MsoDataStore/a/Item',
  'ole-signature': '_xmlsignatures/a',
  'ole-encryption': 'EncryptedPackage',
  'ole-properties': '\u0005SummaryInformation',
};

const example = ({ id }: Fact): string => EXAMPLES[id] ?? expect.fail(`no example for ${id}`);

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

function officeSamples(fact: Fact): readonly Package[] {
  const { find } = fact;
  switch (find.by) {
    case 'relationship':
      return [{ relationship: example(fact) }];
    case 'contentType':
      return [{ contentType: example(fact) }];
    case 'path':
      return [{ members: { [example(fact)]: '<a/>' } }];
    case 'element':
      return namesOf(find.names).map((name) => ({ markup: `<q:${name} xmlns:q="u"/>` }));
    case 'attribute':
      return namesOf(find.names).map((name) => ({ markup: `<q:a b="1" q:${name}='${example(fact)}'/>` }));
    case 'text':
      return namesOf(find.names).map((name) => ({ markup: `<q:${name}>${example(fact)}</q:${name}>` }));
    default:
      return expect.fail(`no sample for ${find.by}`);
  }
}

test.each(OFFICE_FACTS)('finds $id in an Office package', async (fact) => {
  for (const sample of officeSamples(fact)) expect(await found(officeFile(sample), DOCX)).toContain(fact.id);
});

test.each(PDF_FACTS)('finds $id in a PDF, also under an escaped name', async ({ id, find }) => {
  if (find.by !== 'name' && find.by !== 'pair') return expect.fail(`no sample for ${find.by}`);
  const entries = find.by === 'name' ? namesOf(find.names).map((name) => [name, '1']) : [];
  if (find.by === 'pair') for (const value of namesOf(find.values)) entries.push([find.key, `/${value}`]);
  for (const [key = '', value] of entries) {
    const escaped = `#${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
    for (const name of [key, escaped]) {
      const body = `<< /Type /Catalog /Names << /${name} ${value} >> >>`;
      const pdf = `%PDF-1.7\n1 0 obj\n${body}\nendobj\nxref\n0 1\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n`;
      expect(await found(pdf, 'application/pdf')).toContain(id);
    }
  }
});

const markupSample = (fact: Fact, name: string) =>
  fact.find.by === 'element' ? `<p><${name}></${name}></p>` : `<p><b x="1" ${name}='${example(fact)}'>a</b></p>`;

test.each(HTML_FACTS)('finds $id in a page', async (fact) => {
  const names = 'names' in fact.find ? namesOf(fact.find.names) : [];
  for (const name of names) expect(await found(markupSample(fact, name), 'text/html')).toContain(fact.id);
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
  ['<p style=\'@import "https://a.example"\'>a</p>', 'html-live-style'],
])('finds in the page %s: %s', async (page, id) => {
  expect(await found(page, 'text/html')).toContain(id);
});

test.each(SVG_FACTS)('finds $id in a drawing', async (fact) => {
  const names = 'names' in fact.find ? namesOf(fact.find.names) : [];
  for (const name of names) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${markupSample(fact, name)}</svg>`;
    expect(await found(svg, 'image/svg+xml')).toContain(fact.id);
  }
});

test.each(ODF_FACTS)('finds $id in an OpenDocument file', async (fact) => {
  const content = (markup: string) => `<office:document-content xmlns:office="u">${markup}</office:document-content>`;
  const names = 'names' in fact.find ? namesOf(fact.find.names) : [''];
  for (const name of names) {
    const isPath = fact.find.by === 'path';
    const isAbout = fact.find.by === 'text';
    const members: Record<string, string> = {
      mimetype: ODT,
      'content.xml': content(isPath || isAbout ? '' : markupSample(fact, `q:${name}`)),
      ...(isPath && { [example(fact)]: '<a/>' }),
      ...(isAbout && { 'meta.xml': content(`<q:${name}>${example(fact)}</q:${name}>`) }),
    };
    expect(await found(zipOf(members), ODT)).toContain(fact.id);
  }
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
        expect(await found(odt(`<${name} xlink:href="${href}"/>`), ODT)).toContain('odf-remote-content');
      }
      expect(await found(odt('<text:a xlink:href="http://a.example/">a</text:a>'), ODT)).toEqual([]);
      expect(await found(odt('<draw:image xlink:href="Pictures/a.png"/>'), ODT)).toEqual([]);
    },
  );

  test('are searched in a flat document, too', async () => {
    const flat =
      '<?xml version="1.0"?><office:document xmlns:office="u"><draw:image xlink:href="http://a.example/a"/><office:scripts/></office:document>';
    expect(await found(flat, 'application/vnd.oasis.opendocument.text-flat-xml')).toEqual([
      'odf-remote-content',
      'odf-script',
    ]);
  });
});

test.each(RTF_FACTS)('finds $id in a rich text document', async ({ id, find }) => {
  for (const name of 'names' in find ? namesOf(find.names) : []) {
    expect(await found(`{\\rtf1\\ansi text {\\*\\${name} abc}}`, 'application/rtf')).toContain(id);
  }
});

test('bytes that follow \\bin are neither text nor markup', async () => {
  const original = {
    bytes: Buffer.from('{\\rtf1 a {\\pict\\bin9 x y} {z w} b c}'),
    type: describeType('application/rtf'),
  };
  const output = { bytes: Buffer.from('{\\rtf1 a b c}'), type: describeType('application/rtf') };
  const { words } = await inspectOutput(original, output, DEFAULT_ENGINE_LIMITS, detectType);
  expect(words).toEqual({ before: 3, kept: 3 });
});

test.each(CALENDAR_FACTS)('finds $id in a calendar entry', async (fact) => {
  for (const name of 'names' in fact.find ? namesOf(fact.find.names) : []) {
    const value = fact.find.by === 'text' ? example(fact) : 'a';
    const entry = `BEGIN:VCALENDAR\r\n${name};X="a:b":${value.slice(0, 4)}\r\n ${value.slice(4)}\r\nEND:VCALENDAR\r\n`;
    expect(await found(entry, 'text/calendar')).toContain(fact.id);
  }
});

test.each(LEGACY_FACTS)('finds $id in a compound file', async (fact) => {
  const file = compoundFile({ WordDocument: Buffer.alloc(5_000), [example(fact)]: Buffer.from('a') });
  expect(await found(file, 'application/msword')).toContain(fact.id);
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

  test('no PDF of ours is taken for clean that was not rebuilt: its first byte decides', async () => {
    expect(await found(Buffer.concat([Buffer.from('x'), buildPdf()]), 'application/pdf')).toContain('pdf-data-before');
  });
});
