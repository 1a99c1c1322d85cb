/** Ordinary documents that use many features of Office. None is refused, and none loses anything that its reader would miss. */
import { expect, test } from 'vitest';
import { buildDocx, buildZip } from '../../fixtures/build-office.ts';
import { buildWorkbook } from '../../fixtures/build-workbook.ts';
import { ordinaryOffice } from '../../fixtures/ordinary-office.ts';
import { officeParts } from './contents.ts';
import { disarmed, disarmReport } from './run-disarm.ts';

/** What ordinary documents lose as well, without anybody seeing it. */
const UNSEEN = new Set(['document properties', 'picture data', 'style sheet', 'printer settings']);
/** What single documents lose, with the reason. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  // The text that it filled in stays.
  'word-form.docx': ['custom XML data', 'unreached part'],
  // FILENAME and IF, whose results stay.
  'word-report.docx': ['field code'],
  'slides-google.pptx': ['unknown part', 'unknown markup'],
};

const ANY_XML = '$1<Default Extension="xml" ContentType="application/xml"/>';

const files = await ordinaryOffice();
const fileOf = (name: string): Uint8Array => {
  const file = files.find((each) => each.name === name);
  if (file === undefined) throw new Error(`no ordinary document is called ${name}`);
  return file.bytes;
};

test.each(files)('$name keeps its text, and loses nothing that its reader would miss', async ({ name, bytes }) => {
  const report = await disarmReport(bytes, name);
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  const kinds = new Set(report.details.map(({ kind }) => kind));
  expect([...kinds].filter((kind) => !UNSEEN.has(kind) && !ALSO[name]?.includes(kind))).toEqual([]);
  const { strategy, words, units } = report.quality ?? {};
  expect(strategy).toBe('rebuild');
  expect(words?.kept).toBe(words?.before);
  expect(units?.after).toBe(units?.before);
  expect((await disarmed(report.bytes, name)).outcome).toBe('already_safe');
});

test('a workbook in which nothing had to go keeps its bytes, also with an order of calculation', async () => {
  const bytes = await buildWorkbook({ cells: '<c r="A1"><f>1+1</f><v>2</v></c>', calcChain: true });
  expect((await officeParts(bytes)).has('xl/calcChain.xml')).toBe(true);
  expect(await disarmReport(bytes, 'a.xlsx')).toMatchObject({ outcome: 'already_safe', bytes });
});

test.each([
  ['excel-formulas.xlsx', 'xl/styles.xml', 'spreadsheetml.styles+xml'],
  ['word-letter.docx', 'word/styles.xml', 'wordprocessingml.styles+xml'],
])('%s that calls its styles any XML keeps them', async (name, part, type) => {
  const parts = new Map(await officeParts(fileOf(name)));
  const types = parts.get('[Content_Types].xml') ?? '';
  const withoutType = types.replace(new RegExp(`<Override [^>]*PartName="/${part}"[^>]*/>`), '');
  parts.set('[Content_Types].xml', withoutType.replace(/(<Types[^>]*>)/, ANY_XML));
  const { bytes, kinds } = await disarmed(await buildZip([...parts]), name);
  const after = await officeParts(bytes);
  expect(after.has(part)).toBe(true);
  expect(after.get('[Content_Types].xml')).toContain(type);
  expect(kinds).not.toContain('part of a foreign type');
});

test('there are at least 25 of them, in every format', () => {
  expect(files.length).toBeGreaterThanOrEqual(25);
  expect(new Set(files.map(({ name }) => name.split('.').at(-1)))).toEqual(
    new Set(['docx', 'dotx', 'xlsx', 'xltx', 'pptx', 'ppsx', 'potx']),
  );
});

test('a document with the smart tags of Word keeps what they stand around, and loses what they say of it', async () => {
  const tag = '<w:smartTag w:uri="urn:schemas-microsoft-com:office:smarttags" w:element="place">';
  const properties = '<w:smartTagPr><w:attr w:name="key" w:val="PRIVATE"/></w:smartTagPr>';
  const body = `<w:p>${tag}${properties}<w:r><w:t>Berlin</w:t></w:r></w:smartTag></w:p>`;
  const { bytes, kinds } = await disarmed(await buildDocx({ body }), 'a.docx');
  const document = (await officeParts(bytes)).get('word/document.xml');
  expect(document).toContain(`${tag}<w:r><w:t>Berlin</w:t></w:r></w:smartTag>`);
  expect(document).not.toContain('PRIVATE');
  expect(kinds).toContain('smart tag');
});

test.each([
  ['word-pictures.docx', 'word/document.xml'],
  ['excel-pictures.xlsx', 'xl/drawings/drawing1.xml'],
  ['slides-pictures.pptx', 'ppt/slides/slide1.xml'],
])('%s keeps its drawing beside the raster picture, coloured without a style sheet', async (name, part) => {
  const { bytes } = await disarmed(fileOf(name), name);
  const parts = await officeParts(bytes);
  expect(parts.get(part)).toContain('asvg:svgBlip');
  const drawing = [...parts].find(([path]) => path.endsWith('.svg'))?.[1] ?? '';
  expect(drawing).toContain('fill:#2f6fb5');
  expect(drawing).not.toContain('<style');
  expect(parts.get('[Content_Types].xml')).toContain('image/svg+xml');
});

test('a formula over a range of sheets, a table beside another sheet and a link within the workbook stay formulas', async () => {
  const { bytes } = await disarmed(fileOf('excel-formulas.xlsx'), 'a.xlsx');
  const sheet = (await officeParts(bytes)).get('xl/worksheets/sheet3.xml');
  for (const formula of ["'Jan 2024:Mar 2024'!B2:B5", 'Costs[Amount])-Sums!A1/2', 'HYPERLINK(', '_xlws.SORT']) {
    expect(sheet).toContain(formula);
  }
});

test('a link to a place in the workbook stays, though it is declared as an outside target', async () => {
  const { bytes } = await disarmed(fileOf('excel-pictures.xlsx'), 'a.xlsx');
  expect((await officeParts(bytes)).get('xl/drawings/_rels/drawing1.xml.rels')).toContain('Target="#Pictures!A1"');
});

test('an extension that names a removed part is removed as a whole', async () => {
  const { bytes } = await disarmed(fileOf('slides-google.pptx'), 'a.pptx');
  expect((await officeParts(bytes)).get('ppt/presentation.xml')).not.toContain('GoogleSlides');
});

test('a form field of Word that calculates keeps its calculation and its result', async () => {
  const mark = (kind: string) => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
  const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
  const inner = `${mark('begin')}${code(' =15+5 ')}${mark('separate')}${code('20')}${mark('end')}`;
  const field = `${mark('begin')}${code(' FORMTEXT ')}${inner}${mark('separate')}<w:r><w:t>20</w:t></w:r>${mark('end')}`;
  const bytes = await buildDocx({ body: `<w:p>${field}</w:p>` });
  expect(await disarmReport(bytes, 'a.docx')).toMatchObject({ outcome: 'already_safe', bytes });
});

test('the labels of a chart that come from cells of another workbook keep their texts', async () => {
  const label = (formula: string) =>
    `<c15:datalabelsRange xmlns:c15="http://schemas.microsoft.com/office/drawing/2012/chart"><c15:f>${formula}</c15:f><c15:dlblRangeCache><c:ptCount val="1"/><c:pt idx="0"><c:v>57 %</c:v></c:pt></c15:dlblRangeCache></c15:datalabelsRange>`;
  const chart = (labels: string) =>
    `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart><c:ser><c:idx val="0"/><c:extLst><c:ext uri="{02D57815-91ED-43cb-92C2-25804820EDAC}">${labels}</c:ext></c:extLst></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
  const contentType = 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml';
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart';
  const { bytes, kinds } = await disarmed(
    await buildDocx({
      parts: [
        { name: 'word/charts/chart1.xml', content: chart(label("'[1]3D'!$C$9") + label('Sheet1!$C$9')), contentType },
      ],
      links: [{ id: 'rId9', type, target: 'charts/chart1.xml' }],
    }),
    'a.docx',
  );
  const kept = (await officeParts(bytes)).get('word/charts/chart1.xml');
  expect(kept).toContain(label('#REF!') + label('Sheet1!$C$9'));
  expect(kinds).toContain('live formula');
});
