/** The inspection skips some work on an Office package. It still misses nothing in an unchanged part or in a cell. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { zipOf } from '../zip-fixture.ts';

const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OOXML = 'application/vnd.openxmlformats-officedocument';
const DOCX = describeType(`${OOXML}.wordprocessingml.document`);

/** A package whose first part is shown as a document, whose second as a header. */
function documentOf(body: string, header = '<w:t>head</w:t>', members: Readonly<Record<string, string>> = {}): Buffer {
  const types = ['document.main', 'header'].map(
    (name, index) => `<Override PartName="/word/${index}.xml" ContentType="${OOXML}.wordprocessingml.${name}+xml"/>`,
  );
  const part = (content: string) => `<w:p xmlns:w="u">${content}</w:p>`;
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types">${types.join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="a" Type="${OD}/officeDocument" Target="word/0.xml"/></Relationships>`,
    'word/_rels/0.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="a" Type="${OD}/header" Target="1.xml"/></Relationships>`,
    'word/0.xml': part(body),
    'word/1.xml': part(header),
    ...members,
  });
}

async function inspect(original: Uint8Array, output: Uint8Array) {
  const { leftovers, words } = await inspectOutput(
    { bytes: original, type: DOCX },
    { bytes: output, type: DOCX },
    DEFAULT_ENGINE_LIMITS,
    { detectType, secondLookOf },
  );
  return { ids: leftovers.map(({ id }) => id), words };
}

const found = async (markup: string) => (await inspect(documentOf(''), documentOf(markup))).ids;

describe('an unchanged part', () => {
  test('is still searched', async () => {
    const header = '<w:altChunk/>';
    const { ids } = await inspect(documentOf('<w:t>one</w:t>', header), documentOf('<w:t>two</w:t>', header));
    expect(ids).toContain('word-foreign-chunk');
  });

  test('is searched when no part changed', async () => {
    const file = documentOf('<w:t>one</w:t><w:attachedTemplate/>');
    expect((await inspect(file, file)).ids).toContain('word-template');
  });

  test('counts in both files', async () => {
    const header = '<w:t>three more words</w:t>';
    const { words } = await inspect(documentOf('<w:t>one two</w:t>', header), documentOf('<w:t>one</w:t>', header));
    expect(words).toEqual({ before: 5, kept: 4, after: 4 });
  });

  test('does not make up for words that another part lost', async () => {
    const header = '<w:t>same same same same</w:t>';
    const { words } = await inspect(documentOf('<w:t>same</w:t>', header), documentOf('', header));
    expect(words).toEqual({ before: 5, kept: 4, after: 4 });
  });

  test('counts like a part that was only packed again', async () => {
    const text = '<w:t>a &amp; b, 12.5 caf\u00e9 &#1046; \u4e2d\u6587</w:t>';
    const same = await inspect(documentOf(text), documentOf(text));
    const anew = await inspect(documentOf(text), documentOf(`${text}<w:r/>`));
    expect(same.words).toEqual(anew.words);
    expect(same.words?.before).toBeGreaterThan(5);
  });
});

test('words in another order all count as kept', async () => {
  const { words } = await inspect(documentOf('<w:t>one two three</w:t>'), documentOf('<w:t>three one two</w:t>'));
  expect(words).toEqual({ before: 4, kept: 4, after: 4 });
});

const QUIET = '<c r="A1" s="1" t="s"><f>ROUND(SUM(A1:B2)*0.19,2)</f><v>12</v></c><c r="B1"/><c><v>1.5</v></c>';

describe('a cell', () => {
  test.each([
    'WEBSERVICE("https://a.example")',
    'webservice(A1)',
    'SUM(A1)+CALL(A2)',
    '_xlfn.WEBSERVICE(A1)',
    'WEBSERVICE (A1)',
    "cmd|'/c calc'!A1",
    '[1]Sheet1!A1',
    "'file:///c:/[a.xls]S'!A1",
    'SUM(1)+file:a',
    'HYPERLINK(&quot;ms-msdt:/id&quot;)',
    '&#87;EBSERVICE(A1)',
    'WEB<!-- -->SERVICE(A1)',
    'WEB<![CDATA[SERVICE]]>(A1)',
    '<![CDATA[WEBSERVICE(A1)]]>',
    '1+1<x/>+WEBSERVICE(A1)',
    'SUM(A1)<f/>+WEBSERVICE(A1)',
    'SUM(A1)<f>1</f>+WEBSERVICE(A1)',
    '<x>WEB</x>SERVICE(A1)',
  ])('with the formula %s is found behind harmless cells', async (formula) => {
    for (const name of ['f', 'x:f', 'F']) {
      const markup = `<row>${QUIET}<c r="C1"><${name}>${formula}</${name}><v>1</v></c>${QUIET}</row>`;
      expect(await found(markup)).toContain('excel-formula');
    }
  });

  test.each([
    '<c r="A1" macro="a"><v>1</v></c>',
    '<c macro="a" r="A1"><v>1</v></c>',
    "<c r='A1' x:macro='a'/>",
    '<x:c macro="a"/>',
    '<c r="A1" r="A2" macro="a"/>',
    '<c\tmacro="a"/>',
    '<c r="a>" macro="a"/>',
  ])('does not hide an attribute in %s', async (cell) => {
    expect(await found(`<row>${QUIET}${cell}${QUIET}</row>`)).toContain('excel-shape-macro');
  });

  test.each([
    '<c><v>1</v><oleObjects/></c>',
    '<c><x:oleObjects/></c>',
    '<c><v><oleObjects/></v></c>',
    '<c r="A1" /><oleObjects/>',
    '<c/><OLEObjects />',
    '<c><v>1</v></c ><q:oleObjects></q:oleObjects>',
  ])('does not hide an element in %s', async (cell) => {
    expect(await found(`<row>${QUIET}${cell}${QUIET}</row>`)).toContain('office-ole-element');
  });

  test('with a formula that only calculates is not a finding', async () => {
    const formulas = ['SUM(A1:B2)', 'IF(A1&gt;2,"CALL(","x")', "'My sheet'!A1*2", 'UNKNOWN(1)', 'table:e2', '-A1%'];
    const cells = formulas.map((formula) => `<c><f>${formula}</f><v>1</v></c>`);
    expect(await found(`<row>${cells.join('')}</row>`)).toEqual([]);
  });

  test('counts its value once, whatever else is in it', async () => {
    for (const cell of [
      '<c r="A1"><v>12.5</v></c>',
      '<x:c><x:v>12.5</x:v></x:c>',
      '<c><v>12.5</v><extLst/></c>',
      "<c r='A1'><f>1&amp;2</f><v>12.5</v></c>",
    ]) {
      const { words } = await inspect(
        documentOf(`<row>${cell}</row>`),
        documentOf('<row><c><v>12.5</v></c></row><b/>'),
      );
      expect(words, cell).toEqual({ before: 3, kept: 3, after: 3 });
    }
  });
});

describe('text that is split into pieces', () => {
  test('is judged as one in a defined name', async () => {
    expect(await found('<definedName name="a">EX<!-- -->EC("a")</definedName>')).toContain('excel-formula');
  });

  test('is judged as one in a field code', async () => {
    expect(await found('<w:instrText>DDE<!-- -->AUTO a b</w:instrText>')).toContain('word-field');
    expect(await found('<w:instrText>PAGE</w:instrText>')).toEqual([]);
  });

  test('of an element inside another element is judged for both', async () => {
    expect(await found('<f><creator>A. Person</creator></f>')).toContain('office-properties');
  });

  test('is judged in a document without closing tags', async () => {
    const file = documentOf('', '', { 'word/2.xml': '<a><f>WEBSERVICE("a")' });
    expect((await inspect(file, file)).ids).toContain('excel-formula');
  });
});
