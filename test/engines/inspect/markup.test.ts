/** Drawings, OpenDocument files, Office parts and XML data as the second look sees them: what acts, and what is no part of the format. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { zipOf } from '../zip-fixture.ts';
import { OFFICE_RELATIONSHIPS } from './must-be-found.ts';

const SVG: FileType = 'image/svg+xml';
const XML: FileType = 'text/xml';
const ODT: FileType = 'application/vnd.oasis.opendocument.text';
const ODS: FileType = 'application/vnd.oasis.opendocument.spreadsheet';
const ODP: FileType = 'application/vnd.oasis.opendocument.presentation';
const DOCX: FileType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function look(output: string | Uint8Array, type: FileType, original: string | Uint8Array = output) {
  const described = describeType(type);
  const [before, after] = [original, output].map((bytes) => ({ bytes: Buffer.from(bytes), type: described }));
  if (before === undefined || after === undefined) throw new Error('two files');
  const found = await inspectOutput(before, after, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  return { ...found, ids: [...new Set(found.leftovers.map(({ id }) => id))] };
}

/** A picture of a flat document. */
const inlineDrawing = (drawing: string) =>
  `<draw:image><office:binary-data>${Buffer.from(drawing).toString('base64')}</office:binary-data></draw:image>`;

describe('a drawing', () => {
  const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
  test.each([
    ['<rect width="1"/><text>one</text>', []],
    ['<rect onclick="a"/>', ['svg-event-handler']],
    ['<rect a="b" ONLOAD = "a"/>', ['svg-event-handler']],
    ["<rect a='b'onload='a'/>", ['svg-event-handler']],
    ['<rect a="b"onbegin="a"/>', ['svg-event-handler']],
    ['<rect x:onend="a"/>', ['svg-event-handler']],
    ['<rect/onend="a"/>', ['svg-event-handler']],
    ['<text>upon one = two</text>', []],
    ['<rect bonclick="a"/>', []],
    ['<rect on="a" one="b"/>', []],
    ['<a href="https://a.example/"/>', []],
    ['<image href="file:///a"/>', ['svg-address', 'svg-remote-content']],
  ] as const)('of %j has the findings %j', async (content, ids) => {
    expect((await look(svg(content), SVG)).ids.filter((id) => id !== 'xml-malformed')).toEqual(ids);
  });

  test.each([
    ['<svg/>', []],
    ['<x:svg xmlns:x="http://www.w3.org/2000/svg"/>', []],
    ['\ufeff<?xml version="1.0"?>\n<!-- a -->\n<svg></svg>', []],
    ['<svgs/>', ['xml-other-root']],
    ['<html/>', ['xml-other-root']],
    ['text <svg/>', ['xml-other-root']],
    ['text', ['xml-other-root']],
  ] as const)('%j has the findings %j', async (text, ids) => {
    expect((await look(text, SVG)).ids.filter((id) => id === 'xml-other-root')).toEqual(ids);
  });
});

describe('XML data', () => {
  test.each([
    ['<a>one</a>', []],
    ['<_a/>', []],
    ['<?xml version="1.0"?><a/>', []],
    ['<1/>', ['xml-other-root']],
    ['one', ['xml-other-root']],
  ] as const)('%j has the findings %j', async (text, ids) => expect((await look(text, XML)).ids).toEqual(ids));
  test('shows its text', async () => {
    expect((await look('<a b="one">two <c>three</c></a>', XML)).words?.before).toBe(2);
  });
});

describe('an OpenDocument file', () => {
  const package_ = (content: string, more: Readonly<Record<string, string>> = {}, mime: string = ODT) =>
    zipOf({ mimetype: mime, 'content.xml': `<office:document-content>${content}</office:document-content>`, ...more });

  test.each([
    ['<text:p>one</text:p>', []],
    ['<draw:image xlink:href="Pictures/a.png"/>', []],
    ['<draw:image xlink:href="https://a.example/"/>', ['odf-linked-content']],
    ['<draw:image xlink:href="Pictures/../../a"/>', ['odf-linked-content']],
    ['<draw:image xlink:href="vnd.sun.star.Package:a"/>', ['odf-external-address', 'odf-linked-content']],
    ['<style:background-image xlink:href=" //a.example/a"/>', ['odf-external-address', 'odf-linked-content']],
    ['<text:a xlink:href="https://a.example/"/>', []],
    ['<text:a xlink:href="#a"/><text:a xlink:href=""/><text:a/>', []],
    ['<text:a xlink:href=".uno:Quit"/>', ['odf-linked-content']],
    ['<draw:area-circle xlink:href="java&#9;script:a"/>', ['odf-external-address', 'odf-linked-content']],
    ['<form:form xlink:href="https://a.example/"/>', ['odf-linked-content']],
    ['<form:button xlink:href="#a"/><text:a xlink:href="#a"/>', ['odf-linked-content']],
    ['<draw:frame xlink:href="a"/><text:a/>', ['odf-linked-content']],
    ['<x:audio xlink:href="a.wav"/>', ['odf-linked-content', 'odf-sound']],
    ['<style:map style:condition="is-true-formula(WEBSERVICE(&quot;a&quot;))"/>', ['odf-live-formula']],
    ['<calcext:condition calcext:value="formula-is(FILTERXML(1;2))"/>', ['odf-live-formula']],
    ['<table:named-expression table:expression="of:=EXEC(1)"/>', ['odf-live-formula']],
    [`<calcext:sparkline calcext:data-range="'file:///a.ods'#S.A1"/>`, ['odf-external-reference']],
    ['<text:bibliography-mark text:url="javascript:a"/>', ['odf-unsafe-link']],
    ['<text:bibliography-mark text:url="https://a.example/"/>', []],
    ['<draw:custom-shape draw:engine="com.sun.star.a"/>', ['odf-shape-engine']],
    ['<draw:image><office:binary-data>TVqQAAMAAAAEAAAA</office:binary-data></draw:image>', ['odf-foreign-part']],
    [inlineDrawing('<svg xmlns="http://www.w3.org/2000/svg"/>'), []],
    [inlineDrawing('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), ['svg-script']],
    [inlineDrawing('<svg xmlns="http://www.w3.org/2000/svg" onload="a"/>'), ['svg-event-handler']],
    [inlineDrawing('<html><body/></html>'), ['svg-foreign-markup', 'xml-other-root']],
    [inlineDrawing(' <svg/>'), ['odf-foreign-part']],
    ['<config:config-item config:name="a">vnd.sun.star.pkg://a</config:config-item>', ['odf-setting']],
    [`<config:config-item config:name="a">${'QUFB'.repeat(99)}</config:config-item>`, ['odf-setting']],
    ['<config:config-item config:name="a">Sheet 1</config:config-item>', []],
    ['<form:form form:command="select"/>', ['odf-form-command']],
    ['<form:form form:command=" "/>', []],
    ['<table:table-cell table:formula="of:=CALL(1)"/>', ['odf-live-formula']],
    ['<table:table-cell table:formula="of:=1+Register.ID (1)"/>', ['odf-live-formula']],
    ['<table:table-cell table:formula="of:=RECALL(1)"/>', []],
    ['<table:table-cell table:formula="of:=&quot;a &quot;&quot; call(&quot;"/>', []],
  ] as const)('of %j has the findings %j', async (content, ids) => {
    expect(
      (await look(package_(content), ODT)).ids
        .filter((id) => id !== 'odf-external-address' || ids.includes(id as never))
        .sort(),
    ).toEqual(ids);
  });

  test('keeps the last values of other programs in tables that are no sheets', async () => {
    const link = '<table:dde-links><table:dde-link><table:table/></table:dde-link></table:dde-links>';
    const sheet = '<table:table table:name="S"><text:p>one</text:p></table:table>';
    const { units } = await look(package_(sheet, {}, ODS), ODS, package_(`${sheet}${link}`, {}, ODS));
    expect(units).toEqual({ kind: 'sheets', before: 1, after: 1 });
  });

  test.each([
    ['EBCDIC', Buffer.from('4c6fa7949340a58599a289969540f17ef0', 'hex')],
    ['UTF-7', Buffer.from('<?xml version="1.0" encoding="UTF-7"?><a/>')],
    ['UTF-32', Buffer.from('3c0000006100000020000000', 'hex')],
    ['marked UTF-32', Buffer.from('fffe00003c0000006100000020000000', 'hex')],
    ['no markup', Buffer.from('MZ')],
  ])('in %s is not searched, and that is a finding', async (_, bytes) => {
    expect((await look(zipOf({ mimetype: ODT, 'content.xml': { content: bytes } }), ODT)).ids).toEqual([
      'xml-encoding',
    ]);
  });

  test('says who wrote it only in the part about it', async () => {
    const creator = '<dc:creator>Ada</dc:creator>';
    expect((await look(package_('', { 'meta.xml': `<a>${creator}</a>` }), ODT)).ids).toEqual(['odf-properties']);
    expect((await look(package_('', { 'meta.xml': '<a><dc:creator> </dc:creator></a>' }), ODT)).ids).toEqual([]);
    expect((await look(package_(creator, { 'styles.xml': `<a>${creator}</a>` }), ODT)).ids).toEqual([]);
  });

  test.each([
    ['a.bin', 'text', ['odf-foreign-part']],
    ['a.xmlx', '<a/>', ['odf-foreign-part']],
    ['Pictures/a.svg', '<svg onload="a"/>', ['svg-event-handler']],
    ['Pictures/a.svg.png', '<svg/>', ['odf-foreign-part']],
    ['manifest.rdf', '<text:p><script:event-listener/></text:p>', ['odf-script']],
    ['a.xml', '<text:p/>', []],
    ['a/', '', []],
  ] as const)('with the member %s of %j has the findings %j', async (name, text, ids) => {
    expect((await look(package_('', { [name]: text }), ODT)).ids).toEqual(ids);
  });

  test('has sheets or slides, and a text has neither', async () => {
    const tables = '<table:table/><table:table table:name="local-table"/><draw:page/><draw:page/><draw:page/>';
    const units = async (type: FileType) => (await look(package_(tables, {}, type), type)).units;
    expect(await units(ODS)).toEqual({ kind: 'sheets', before: 1, after: 1 });
    expect(await units(ODP)).toEqual({ kind: 'slides', before: 3, after: 3 });
    expect(await units(ODT)).toBeNull();
    const flat = (content: string) => `<office:document office:mimetype="${ODS}">${content}</office:document>`;
    expect((await look(flat(tables), ODS)).units).toEqual({ kind: 'sheets', before: 1, after: 1 });
    expect((await look(flat(tables).replaceAll('office:document', 'office:documents'), ODS)).ids).toContain(
      'xml-other-root',
    );
  });

  test('is packed like any archive that two programs read alike', async () => {
    expect((await look(Buffer.concat([package_(''), Buffer.from('x')]), ODT)).ids).toEqual(['zip-data-behind']);
    expect((await look('PK and nothing', ODT)).leftovers).toEqual([{ id: 'zip-unreadable', where: 'archive' }]);
    const lost = Buffer.concat([Buffer.from('hidden'), package_('<text:p>one two</text:p>')]);
    expect((await look(package_('<text:p>one</text:p>'), ODT, lost)).ids).toEqual([]);
  });

  test('that is encrypted is not counted as an original', async () => {
    const manifest = '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>';
    const original = package_('<text:p>one two</text:p>', { 'META-INF/manifest.xml': manifest });
    expect((await look(package_('<text:p>one</text:p>'), ODT, original)).words).toBeNull();
    const open = package_('<text:p>one two</text:p>', { 'META-INF/manifest.xml': '<a/>' });
    expect((await look(package_('<text:p>one</text:p>'), ODT, open)).words).toEqual({ before: 2, kept: 1, after: 1 });
  });
});

describe('a part of an Office package', () => {
  const NS = 'http://schemas.openxmlformats.org/package/2006';
  const package_ = (more: Readonly<Record<string, string>>) =>
    zipOf({ '[Content_Types].xml': `<Types xmlns="${NS}/content-types"></Types>`, ...more });
  const ids = async (more: Readonly<Record<string, string>>) => (await look(package_(more), DOCX)).ids;
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a/>`;

  test.each(['utf-8', 'UTF8', 'utf-16', 'us-ascii', 'ISO-8859-1', 'windows-1252'])(
    'in %s is read',
    async (encoding) => {
      expect(await ids({ 'word/a.xml': declared(encoding) })).toEqual([]);
    },
  );
  test('of letters that stand for other markup is a finding', async () => {
    const ebcdic = { content: Buffer.from('4c6fa7949340a58599a289969540f17ef0', 'hex') };
    const found = await look(zipOf({ '[Content_Types].xml': '<Types/>', 'word/a.xml': ebcdic }), DOCX);
    expect(found.ids).toContain('xml-encoding');
  });

  const relationship = (target: string, mode = '', type = 'image') =>
    `<Relationship Id="a" Type="http://a.example/${type}" Target="${target}"${mode && ` TargetMode="${mode}"`}/>`;
  const inRoot = async (...rows: readonly string[]) =>
    ids({ '_rels/.rels': `<Relationships>${rows.join('')}</Relationships>` });
  test.each([
    [relationship('https://a.example/a.png'), ['office-external-target']],
    [relationship(' //a.example/a.png'), ['office-external-target']],
    [relationship('\\\\a\\b.png', 'Internal'), ['office-external-target']],
    [relationship('a.png', ' External '), ['office-external-target']],
    [relationship('a.png', 'Elsewhere'), ['office-external-target']],
    [relationship('word/a.png'), []],
    [relationship('/word/a.png', 'Internal'), []],
    [relationship("#'Sheet 1'!A1"), []],
  ] as const)('that points as %s has the findings %j', async (row, found) => {
    expect(await inRoot(row)).toEqual(found);
  });

  test('that is one of two documents is a finding', async () => {
    const word = relationship('a.xml', '', 'officeDocument');
    const visio =
      '<Relationship Id="b" Type="http://schemas.microsoft.com/visio/2010/relationships/document" Target="b.xml"/>';
    expect(await inRoot(word)).toEqual([]);
    expect(await inRoot(word, visio)).toEqual(['office-two-documents']);
  });

  test.each(['utf-7', 'cp037', 'utf-80', 'xutf-8'])('in %s is a finding', async (encoding) => {
    expect(await ids({ 'word/a.xml': declared(encoding) })).toEqual(['xml-encoding']);
    expect(await ids({ 'word/a.vml': declared(encoding).replace('"', "'") })).toEqual(['xml-encoding']);
  });
  test.each<[string, string, readonly string[]]>([
    ['word/a.xml.bin', declared('utf-7'), ['office-foreign-part']],
    ['word/a.xmls', '<w:altChunk/>', ['office-foreign-part']],
    ['word/a.relsx', '<a/>', ['office-foreign-part']],
    ['word/a.svg', '<svg onload="a"/>', ['svg-event-handler']],
    ['word/a.svg', declared('utf-7').replace('<a/>', '<svg/>'), ['xml-encoding']],
    ['word/a.xml', '<w:altChunk/>', ['word-foreign-chunk']],
    ['word/a.txt', 'text', ['office-foreign-part']],
  ])('called %s of %j has the findings %j', async (name, text, expected) => {
    expect(await ids({ [name]: text })).toEqual(expected);
  });

  const LONGER =
    /VbaProject|vbaProject|wordVbaData|[mM]acrosheet|dialogsheet|attachedToolbars|keyMap|extensibility|userCustomization|Binary|ExternalLinkPath|digital|webextension|legacy/;
  test.each(OFFICE_RELATIONSHIPS.filter(([, type]) => !LONGER.test(type)))(
    'is not %s for a relationship that only begins like %s',
    async (_, type) => {
      const row = `<Relationship Id="a" Type="${type}s" Target="a.xml"/>`;
      expect(
        await ids({
          'word/_rels/document.xml.rels': `<Relationships xmlns="${NS}/relationships">${row}</Relationships>`,
        }),
      ).toEqual([]);
    },
  );
});
