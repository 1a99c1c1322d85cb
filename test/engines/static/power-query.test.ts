/** The queries of workbooks (Power Query): those of the workbook itself or near by are a fact, and any other source is suspicious. */
import { describe, expect, test } from 'vitest';
import { sourceOfQueries } from '../../../lib/engines/static/office/power-query/m-sources.ts';
import { isLinear } from '../../growth.ts';
import { zipOf } from '../zip-fixture.ts';
import { reportOn, verdictOn } from './analyse.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = '<Types xmlns="x"><Default Extension="m" ContentType="application/x-ms-m"/></Types>';

const longs = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer);

type Parts = Parameters<typeof zipOf>[0];

interface Mashup {
  readonly version?: number;
  /** How much longer than it is the package claims to be. */
  readonly more?: number;
  readonly parts?: Parts;
}

/** The content of the part, as Excel writes it: a version, the package with its length, and no permissions or settings. */
function mashupOf(m: string, { parts = {}, ...others }: Mashup = {}): string {
  return mashupWith({ 'Formulas/Section1.m': m, ...parts }, others);
}

function mashupWith(parts: Parts, { version = 0, more = 0 }: Mashup = {}): string {
  const inner = zipOf({ '[Content_Types].xml': TYPES, 'Config/Package.xml': '<Package/>', ...parts });
  return Buffer.concat([longs(version, inner.length + more), inner, longs(0, 0)]).toString('base64');
}

const CONNECTION =
  '<connection id="1" name="Query" type="5"><dbPr connection="Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location=Orders;Extended Properties=&quot;&quot;" command="SELECT * FROM [Orders]"/></connection>';

const SCHEMA = 'http://schemas.microsoft.com/DataMashup';
const element = (content: string) => `<DataMashup xmlns="${SCHEMA}">${content}</DataMashup>`;

/** A workbook with queries, written in two bytes a character as Excel does it. */
const workbook = (content: string, connection = CONNECTION) => workbookWith(element(content), connection);

function workbookWith(mashup: string, connection = CONNECTION, name = 'customXml/item1.xml'): Uint8Array {
  const part = `<?xml version="1.0" encoding="utf-16"?>${mashup}`;
  return zipOf({
    '[Content_Types].xml':
      '<Types xmlns="x"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}"><sheets/></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${OFFICE}/connections" Target="connections.xml"/><Relationship Id="r2" Type="${OFFICE}/customXml" Target="../customXml/item1.xml"/></Relationships>`,
    'xl/connections.xml': `<connections xmlns="${MAIN}">${connection}</connections>`,
    'customXml/itemProps1.xml':
      '<ds:datastoreItem xmlns:ds="x"><ds:schemaRefs><ds:schemaRef ds:uri="http://schemas.microsoft.com/DataMashup"/></ds:schemaRefs></ds:datastoreItem>',
    [name]: { content: Buffer.from(`\ufeff${part}`, 'utf16le') },
  });
}

const query = (expression: string) => `section Section1;\r\n\r\nshared Orders = ${expression};`;
const verdict = (expression: string) => verdictOn(workbook(mashupOf(query(expression))), 'a.xlsx');

const STEPS = `let
    Source = Excel.CurrentWorkbook(){[Name="Orders"]}[Content],
    #"Changed Type" = Table.TransformColumnTypes(Source,{{"Day", type date}, {"Sum", Int64.Type}}),
    /* Web.Contents is not used */ #"Kept" = Table.SelectRows(#"Changed Type", each [Sum] > 0 and [Source.Name] <> "Web.Contents(""a"")"),
    Rows = Table.AddColumn(#"Kept", "Half", each Number.Round([Sum] / 2, 1.5)) // to halves
in
    Rows`;

describe('queries of a workbook', () => {
  test.each([
    ['the tables of the workbook itself', STEPS],
    ['a workbook on a drive', 'Excel.Workbook(File.Contents("C:\\Users\\ana\\Orders.xlsx"), null, true)'],
    [
      'a table of text in the network of the sender',
      'Csv.Document(File.Contents("\\\\SRV01\\share\\a.csv"),[Delimiter=";"])',
    ],
    ['all files of a folder', 'Table.Combine(Folder.Files("D:\\Orders")[Content])'],
    ['a text with a sign that no character has', '"#(FFFFFFFF)"'],
    [
      'a database in the network of the sender',
      'Sql.Database("SRV01\\SQL", "Sales"){[Schema="dbo",Item="Orders"]}[Data]',
    ],
  ])('that read %s are a fact', async (_, expression) => {
    expect(await verdict(expression)).toBe('unknown office-data-connection');
  });

  test.each([
    ['a page', 'Json.Document(Web.Contents("https://load.example/a"))', 'Web.Contents https://load.example/a'],
    ['a page, by a function with another name', 'let f = Web.Contents in f("https://load.example/a")', 'Web.Contents'],
    ['a page, by a name in quotes', '#"Web.Contents"("https://load.example/a")', 'Web.Contents https://load.example/a'],
    [
      'a page, by a name with an escape',
      '#"Web#(002E)Contents"("https://load.example/a")',
      'Web.Contents https://load.example/a',
    ],
    [
      'a page, by a name with a long escape',
      '#"Web#(0000002E)Contents"("https://load.example/a")',
      'Web.Contents https://load.example/a',
    ],
    ['a page, in brackets', '[Web.Contents("https://load.example/a")]', 'Web.Contents https://load.example/a'],
    ['a page, behind a text that looks like a comment', 'let a = "/*", b = Web.Page("x") in b', 'Web.Page x'],
    [
      'a function by a computed name',
      'Record.Field(#shared, "Web" & ".Contents")("https://load.example/a")',
      '#shared',
    ],
    ['a function of another section by a computed name', 'Record.Field(#sections, "A")', '#sections'],
    ['a text that becomes code', 'Expression.Evaluate("1 + 1", #shared)', 'Expression.Evaluate 1 + 1'],
    ['a feed', 'OData.Feed("https://load.example/a")', 'OData.Feed https://load.example/a'],
    ['a file elsewhere', 'File.Contents("\\\\load.example\\a\\b.csv")', 'File.Contents \\\\load.example\\a\\b.csv'],
    ['a file with a computed name', 'File.Contents("\\\\load." & "example\\a")', 'File.Contents'],
    ['a file of a computed machine', 'File.Contents("\\\\SRV01" & ".load.example\\a")', 'File.Contents'],
    ['a table that is made on request', 'Table.View(null, [])', 'Table.View'],
    ['bytes that are made on request', 'Binary.View(null, [])', 'Binary.View'],
    ['a file, by a function with another name', 'let f = File.Contents in f("C:\\a.csv")', 'File.Contents'],
    ['a database elsewhere', 'Sql.Database("load.example", "a")', 'Sql.Database load.example'],
    ['a command for a database', 'Value.NativeQuery(Sql.Database("SRV01", "a"), "exec b")', 'Value.NativeQuery'],
    ['a source that nobody knows', 'Extension.Contents("a")', 'Extension.Contents a'],
  ])('that read %s are suspicious', async (_, expression, evidence) => {
    const report = await reportOn(workbook(mashupOf(query(expression))), 'a.xlsx');
    expect(report.level).toBe('suspicious');
    expect(report.findings.find(({ id }) => id === 'office-data-connection')?.evidence).toBe(evidence);
  });

  test.each([
    ['of another version', mashupOf(query(STEPS), { version: 1 })],
    ['that are longer than they are', mashupOf(query(STEPS), { more: 0x7fff_0000 })],
    ['with another part', mashupOf(query(STEPS), { parts: { 'Content/a.bin': 'a' } })],
    ['without a query', mashupWith({})],
    [
      'with bytes that are no text',
      mashupWith({ 'Formulas/Section1.m': { content: Buffer.concat([Buffer.from(query(STEPS)), Buffer.of(0xff)]) } }),
    ],
    [
      'with two sections, one of which reads a page',
      mashupWith({
        'Formulas/Section1.m': query(STEPS),
        'Formulas/Section2.m': 'section Section2; shared A = Web.Page("a");',
      }),
    ],
    ['without a package', Buffer.from('words').toString('base64')],
    ['that are no base64', '&lt;a&gt;'],
    ['without anything', ''],
  ])('%s are suspicious', async (_, content) => {
    expect(await verdictOn(workbook(content), 'a.xlsx')).toBe('suspicious office-data-connection');
  });

  test.each([
    [
      'in an element with a prefix',
      `<a:DataMashup xmlns:a="${SCHEMA}">${mashupOf(query('Web.Page("a")'))}</a:DataMashup>`,
    ],
    ['in an element without content', `<DataMashup xmlns="${SCHEMA}"/>`],
    ['in an element without anything', '<DataMashup/>'],
    ['in an element around another one', element('<a/>')],
  ])('%s are suspicious', async (_, mashup) => {
    expect(await verdictOn(workbookWith(mashup), 'a.xlsx')).toBe('suspicious office-data-connection');
  });

  test('that are too long to be read are suspicious', () => {
    const long = { kind: 'outside', untrustedWhat: 'too long to be read' };
    expect(sourceOfQueries(' '.repeat(4_000_000))).toEqual({ kind: 'own' });
    expect(sourceOfQueries(' '.repeat(4_000_001))).toEqual(long);
  });

  test.each(['xl/customData/itemProps1.xml', 'xl/item.bin', 'a.dat'])(
    'are read in a part with another name: %s',
    async (name) => {
      const page = query('Json.Document(Web.Contents("https://load.example/a"))');
      const report = await reportOn(workbookWith(element(mashupOf(page)), CONNECTION, name), 'a.xlsx');
      expect(report.findings.map(({ evidence }) => evidence)).toContain('Web.Contents https://load.example/a');
      expect(await verdictOn(workbookWith(element(mashupOf(query(STEPS))), CONNECTION, name), 'a.xlsx')).toMatch(
        /^unknown office-data-connection/,
      );
    },
  );

  test('that a connection brings itself are suspicious', async () => {
    const own = CONNECTION.replace('=&quot;&quot;', '=&quot;UEsDBBQ&quot;');
    expect(await verdictOn(workbook(mashupOf(query(STEPS)), own), 'a.xlsx')).toBe('suspicious office-data-connection');
  });

  test.each([
    ['texts', (size: number) => '"a"'.repeat(size)],
    ['comments without an end', (size: number) => '/*'.repeat(size)],
    ['names', (size: number) => 'A.'.repeat(size)],
    ['escapes', (size: number) => `#"${'#('.repeat(size)}"`],
  ])('of many %s are read in linear time', async (_, textOf) => {
    expect(await isLinear(10_000, (size) => sourceOfQueries(textOf(size)))).toBe(true);
  });
});
