/** Macro sheets that a workbook calls something else, and formulas of ordinary sheets and names that reach out. All are inert. */
import { describe, expect, test } from 'vitest';
import { buildXls, bytes, formula, name, words, type XlsOptions, type XlsRecord } from '../../fixtures/build-xls.ts';
import { verdictOn } from './analyse.ts';

const text = (value: string) => Buffer.concat([bytes('17'), Buffer.from([value.length, 0]), Buffer.from(value)]);
const counted = (id: number, count: number) => Buffer.concat([bytes('42'), Buffer.from([count]), words(id)]);
const [CALL, REGISTER_ID, RTD, EXEC, SUM] = [150, 267, 379, 110, 4];
const reaching = (id: number) => Buffer.concat([text('a'), text('b'), counted(id, 2)]);
const shared: XlsRecord = [
  0x04bc,
  Buffer.concat([words(0, 0), Buffer.from([0, 0, 0, 1]), words(reaching(CALL).length), reaching(CALL)]),
];

describe('a workbook of Excel 97-2003', () => {
  test('whose list of sheets calls a macro sheet an ordinary one is found, and folded', async () => {
    const run = formula(0, 0, Buffer.concat([text('calc'), counted(EXEC, 1)]));
    const verdict = await verdictOn(
      buildXls({ sheets: [{ name: 'm', kind: 0, begin: 0x40, records: [run] }] }),
      'a.xls',
    );
    expect(verdict).toMatch(/^(?:suspicious|malicious) .*office-xlm-macro.*xlm-dangerous-call/);
  });

  test.each<[string, XlsOptions]>([
    ['a formula of a sheet calls a library', { sheets: [{ name: 's', records: [formula(0, 0, reaching(CALL))] }] }],
    [
      'a shared formula calls a library',
      { sheets: [{ name: 's', records: [formula(0, 0, bytes('01 0000 0000')), shared] }] },
    ],
    ['a formula registers a library', { sheets: [{ name: 's', records: [formula(0, 0, reaching(REGISTER_ID))] }] }],
    ['a formula asks a program', { sheets: [{ name: 's', records: [formula(0, 0, reaching(RTD))] }] }],
    ['a name starts a program', { globals: [name('total', Buffer.concat([text('calc'), counted(EXEC, 1)]))] }],
  ])('in which %s is suspicious', async (_, options) => {
    expect(await verdictOn(buildXls(options), 'a.xls')).toMatch(/^suspicious .*office-dangerous-formula/);
  });

  test('with ordinary formulas and names is benign', async () => {
    const sum = Buffer.concat([text('a'), counted(SUM, 1)]);
    const book = buildXls({ sheets: [{ name: 's', records: [formula(0, 0, sum)] }], globals: [name('total', sum)] });
    expect(await verdictOn(book, 'a.xls')).toBe('benign');
  });
});

describe('a workbook in one XML file', () => {
  const withNames = (names: string) =>
    verdictOn(
      Buffer.from(
        `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Names>${names}</Names><Worksheet ss:Name="M"><Table><Row><Cell><Data ss:Type="Number">1</Data></Cell></Row></Table></Worksheet></Workbook>`,
      ),
      'a.xml',
    );

  test('with a name that starts by itself is suspicious', async () => {
    expect(await withNames('<NamedRange ss:Name="Auto_Open" ss:RefersTo="=M!R1C1"/>')).toBe(
      'suspicious office-xlm-macro',
    );
    expect(await withNames('<NamedRange ss:Name="Total" ss:RefersTo="=M!R1C1"/>')).toBe('benign');
  });
});
