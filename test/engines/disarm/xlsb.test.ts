import { describe, expect, test } from 'vitest';
import { CellCount } from '../../../lib/engines/disarm/workbook/book.ts';
import { readSheet } from '../../../lib/engines/disarm/workbook/xlsb-sheet.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import {
  buildXlsb,
  u16,
  u32,
  type XlsbOptions,
  type XlsbSheet,
  xlsbCell,
  xlsbLink,
  xlsbRow,
} from '../../fixtures/build-xlsb.ts';
import { record, wide } from '../../hostile/static/xlsb-fixture.ts';
import { officeParts } from './contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

async function run(options: XlsbOptions) {
  const report = await disarmed(await buildXlsb(options), 'book.xlsb');
  const parts = await officeParts(report.bytes);
  const part = (name: string) => parts.get(name) ?? '';
  // The parts are read as bytes.
  const list = Buffer.from(part('xl/sharedStrings.xml'), 'latin1').toString('utf8');
  const texts = Array.from(list.matchAll(/<t[^>]*>([^<]*)</g), ([, text]) => text);
  return {
    ...report,
    parts,
    texts,
    sheet: part('xl/worksheets/sheet1.xml'),
    book: part('xl/workbook.xml'),
    styles: part('xl/styles.xml'),
  };
}

const sheet = (rows: readonly Uint8Array[], more: Partial<XlsbSheet> = {}): XlsbOptions => ({
  sheets: [{ name: 'Data', rows, ...more }],
});

describe('a binary workbook comes back as xlsx', () => {
  test('with the values of its cells, whatever record they stand in', async () => {
    const rows = [
      xlsbRow(0),
      ...[
        xlsbCell.text(0, 'a text'),
        xlsbCell.rich(1, 'a rich text'),
        xlsbCell.short(2, 1234),
        xlsbCell.short(3, -12.5),
      ],
      xlsbRow(4),
      ...[xlsbCell.number(0, 1e300), xlsbCell.truth(1, true), xlsbCell.error(2, 0x2a), xlsbCell.blank(3)],
      xlsbRow(5),
      ...[xlsbCell.formula(0, 'a result'), xlsbCell.formula(1, 99.25), xlsbCell.formula(2, false)],
    ];
    const { sheet: markup, texts, extension, quality, kinds } = await run(sheet(rows));
    expect(extension).toBe('xlsx');
    expect(texts).toEqual(['a text', 'a rich text', 'a result']);
    const cells = Array.from(
      markup.matchAll(/<c r="(\w+)"[^>]*?(?: t="(\w)")?(?:\/>|><v>([^<]*)<)/g),
      ([, name, type, value]) => [name, type, value].join(' '),
    );
    expect(cells).toEqual([
      'A1 s 0',
      'B1 s 1',
      'C1  1234',
      'D1  -12.5',
      'A5  1e+300',
      'B5 b 1',
      'C5 e #N/A',
      'D5  ',
      'A6 s 2',
      'B6  99.25',
      'C6 b 0',
    ]);
    expect(quality.units).toEqual({ kind: 'sheets', before: 1, after: 1 });
    expect(quality.words?.kept).toBe(quality.words?.before);
    expect(kinds).toEqual(['binary workbook', 'formula']);
  });

  test('with texts that cells share, also those that look like markup', async () => {
    const { texts } = await run({
      ...sheet([xlsbRow(0), xlsbCell.shared(0, 1), xlsbCell.shared(1, 1), xlsbCell.shared(2, 7)]),
      texts: ['of no cell', '<b> & "Größe"'],
    });
    expect(texts).toEqual(['&lt;b&gt; &amp; "Größe"']);
  });

  test('with its formats', async () => {
    const { sheet: markup, styles } = await run(
      sheet([xlsbRow(0), xlsbCell.text(0, 'head', 1), xlsbCell.number(1, 45_000, 2)]),
    );
    expect(markup).toContain('<c r="A1" s="1" t="s">');
    expect(markup).toContain('<c r="B1" s="2"><v>45000</v>');
    expect(styles).toContain('<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>');
    expect(styles).toContain(
      '<font><b/><i/><u val="single"/><sz val="14"/><color rgb="FFFF0000"/><name val="Arial"/></font>',
    );
    expect(styles).toContain('<patternFill patternType="solid"><fgColor rgb="FFFFFF00"/>');
    expect(styles).toContain(
      '<left style="thick"></left><right style="double"></right><top style="thin"></top><bottom style="medium"></bottom>',
    );
    expect(styles).toContain('<xf numFmtId="164" fontId="0" fillId="2" borderId="0"');
    expect(styles).toContain('<alignment horizontal="center" vertical="center" wrapText="1"/>');
  });

  test('with the sizes of rows and columns, merged cells and frozen panes', async () => {
    const before = [
      record(151, Buffer.concat([Buffer.from(Float64Array.of(0, 1).buffer), u32(1, 0, 2), Buffer.from([1])])),
      record(60, Buffer.concat([u32(1, 2, 30 * 256, 0), u16(2)])),
    ];
    const behind = [record(176, u32(1, 1, 0, 2))];
    const { sheet: markup } = await run(
      sheet([xlsbRow(0, 30), xlsbCell.text(0, 'a'), xlsbRow(1, undefined, true)], { before, behind }),
    );
    expect(markup).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(markup).toContain('<col min="2" max="3" width="30" customWidth="1" style="0"/>');
    expect(markup).toContain('<row r="1" ht="30" customHeight="1">');
    expect(markup).toContain('<row r="2" hidden="1">');
    expect(markup).toContain('<mergeCell ref="A2:C2"/>');
  });

  test('with hidden sheets and days from 1904', async () => {
    const { book, kinds } = await run({
      is1904: true,
      sheets: [{ name: 'A & B' }, { name: 'H', state: 1 }, { name: 'V', state: 2 }],
    });
    expect(book).toContain('date1904="1"');
    expect(book).toMatch(/name="A &amp; B".*name="H"[^>]*state="hidden".*name="V"[^>]*state="hidden"/);
    expect(kinds).toContain('very hidden sheet');
  });

  test('with drawings and their pictures', async () => {
    const drawing =
      '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><xdr:oneCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>0</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="9" cy="9"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="p"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="p1"/></xdr:blipFill><xdr:spPr/></xdr:pic><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>';
    const {
      parts,
      sheet: markup,
      quality,
    } = await run({
      sheets: [
        {
          name: 'Data',
          behind: [record(550, wide('d1'))],
          links: [{ id: 'd1', type: 'drawing', target: '../drawings/drawing1.xml' }],
        },
      ],
      parts: [
        {
          name: 'xl/drawings/drawing1.xml',
          content: drawing,
          contentType: 'application/vnd.openxmlformats-officedocument.drawing+xml',
        },
        {
          name: 'xl/drawings/_rels/drawing1.xml.rels',
          content:
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="p1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="../media/image1.png"/></Relationships>',
        },
        { name: 'xl/media/image1.png', content: buildPng() },
      ],
    });
    expect(markup).toContain('<drawing r:id="other1"/>');
    expect([...parts.keys()]).toContain('xl/media/image1.png');
    expect(quality.checks).toContain('pictures');
  });

  test('with links to the web and within, and without others', async () => {
    const links = [
      { id: 'a', type: 'hyperlink', target: 'https://kept.example/?a=1&amp;b=2', isExternal: true },
      { id: 'b', type: 'hyperlink', target: 'file:///c:/evil.exe', isExternal: true },
    ];
    const behind = [xlsbLink(0, 0, 'a'), xlsbLink(0, 1, 'b'), xlsbLink(0, 2, '', 'Data!A1')];
    const { sheet: markup, parts, kinds } = await run(sheet([xlsbRow(0), xlsbCell.text(0, 'a')], { behind, links }));
    expect(markup).toMatch(/<hyperlink ref="A1" r:id="\w+"\/>.*<hyperlink ref="C1" location="Data!A1"\/>/);
    expect(parts.get('xl/worksheets/_rels/sheet1.xml.rels')).toContain('https://kept.example/?a=1&amp;b=2');
    expect([...parts.values()].join()).not.toContain('evil');
    expect(kinds).toContain('unsafe link');
  });

  test('in the same bytes every time', async () => {
    const input = await buildXlsb(sheet([xlsbRow(0), xlsbCell.text(0, 'a')]));
    expect(Buffer.compare((await disarmed(input, 'a.xlsb')).bytes, (await disarmed(input, 'a.xlsb')).bytes)).toBe(0);
  });
});

test('a macro sheet is removed with its macros, and the other sheets stay', async () => {
  const { book, parts, kinds } = await run({
    sheets: [
      { name: 'Macro1', kind: 'http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet', state: 2 },
      { name: 'Data' },
    ],
    bookLinks: [
      {
        id: 'vba',
        type: 'http://schemas.microsoft.com/office/2006/relationships/vbaProject',
        target: 'vbaProject.bin',
      },
    ],
    parts: [{ name: 'xl/vbaProject.bin', content: 'x', contentType: 'application/vnd.ms-office.vbaProject' }],
  });
  expect(book).not.toContain('Macro1');
  expect([...parts.keys()].filter((name) => /\.bin$/.test(name))).toEqual([]);
  expect(kinds).toEqual(expect.arrayContaining(['macro sheet', 'macro']));
});

test('what a sheet loses besides its cells is named', async () => {
  const links = [
    { id: 'a', type: 'comments', target: '../comments1.bin' },
    { id: 'b', type: 'oleObject', target: '../embeddings/a.bin' },
    { id: 'c', type: 'control', target: '../activeX/a.xml' },
    { id: 'd', type: 'queryTable', target: '../queryTables/a.bin' },
    { id: 'e', type: 'pivotTable', target: '../pivotTables/a.bin' },
    { id: 'f', type: 'image', target: '../media/a.png' },
  ];
  const { kinds } = await run(sheet([xlsbRow(0), xlsbCell.text(0, 'kept')], { links }));
  expect(kinds).toEqual(
    expect.arrayContaining(['comment', 'embedded object', 'ActiveX control', 'query', 'pivot data', 'picture']),
  );
});

test('characters that XML cannot hold are left out, wherever they stand', async () => {
  const styles = [record(44, Buffer.concat([u16(164), wide('0\u0001.0')]))];
  const {
    book,
    sheet: markup,
    texts,
    styles: formats,
  } = await run({
    ...sheet([xlsbRow(0), xlsbCell.text(0, 'a\u0001b')], {
      name: 'A\u0002B',
      behind: [xlsbLink(0, 0, '', 'A\u0002B!A1')],
    }),
    styles,
  });
  const all = [texts, book, markup, formats].join();
  expect([all.includes('\u0001'), all.includes('\u0002')]).toEqual([false, false]);
  expect(texts).toEqual(['ab']);
  expect(markup).toContain('location="AB!A1"');
});

describe('is refused:', () => {
  const cases: readonly (readonly [string, () => Promise<Uint8Array>])[] = [
    ['rows out of order', () => buildXlsb(sheet([xlsbRow(3), xlsbRow(1)]))],
    [
      'two cells in one place',
      () => buildXlsb(sheet([xlsbRow(0), xlsbCell.text(2, 'seen by one'), xlsbCell.text(2, 'seen by another')])),
    ],
    ['a cell before any row', () => buildXlsb(sheet([xlsbCell.text(0, 'a')]))],
    ['a column that no program has', () => buildXlsb(sheet([xlsbRow(0), xlsbCell.text(20_000, 'a')]))],
    ['a row that no program has', () => buildXlsb(sheet([xlsbRow(2_000_000)]))],
    ['a text that is cut off', () => buildXlsb(sheet([xlsbRow(0), record(6, Buffer.concat([u32(0, 0), u32(500)]))]))],
    ['records that break off', () => buildXlsb(sheet([Buffer.from([0x06, 0xff, 0xff, 0x7f])]))],
    ['no sheet', () => buildXlsb({ sheets: [] })],
    ['a list of sheets that is damaged', () => buildXlsb({ book: [record(156, u32(0, 1, 99))] })],
    [
      'two sheets of one part',
      () => buildXlsb({ book: [record(156, Buffer.concat([u32(0, 2), wide('sheet1'), wide('Twin')]))] }),
    ],
    [
      'a part beside that takes the place of a sheet',
      () =>
        buildXlsb({
          bookLinks: [{ id: 'x', type: 'theme', target: 'worksheets/sheet1.xml' }],
          parts: [{ name: 'xl/worksheets/sheet1.xml', content: '<a/>', contentType: 'application/xml' }],
        }),
    ],
  ];
  test.each(cases)('%s', async (_what, build) => {
    expect(await refusalCode(await build(), 'a.xlsb')).toBe('unreadable');
  });

  test('more cells than fit into memory', () => {
    const records = [
      { type: 0, data: xlsbRow(0).subarray(2) },
      ...[0, 1, 2].map((column) => ({ type: 1, data: xlsbCell.blank(column).subarray(2) })),
    ];
    expect(readSheet(records, [], new CellCount(3)).rows[0]?.cells).toHaveLength(3);
    expect(() => readSheet(records, [], new CellCount(2))).toThrow('more than 2 cells');
  });

  test('more markup than the limit', async () => {
    const rows = [xlsbRow(0), ...Array.from({ length: 5_000 }, (_, column) => xlsbCell.short(column, 1))];
    expect(await refusalCode(await buildXlsb(sheet(rows)), 'a.xlsb', { limits: { inflatedBytes: 100_000 } })).toBe(
      'oversize',
    );
  });
});
