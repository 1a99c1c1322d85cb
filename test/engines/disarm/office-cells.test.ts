/** Cells that are passed over unread: only those in which nothing could have to go. */
import { describe, expect, test } from 'vitest';
import { isSafeFormula } from '../../../lib/engines/disarm/office/formulas.ts';
import { disarm } from '../../../lib/engines/disarm/office/office.ts';
import { behindPlainCells } from '../../../lib/engines/disarm/office/plain-cells.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { describeType } from '../../../lib/formats/file-types.ts';
import { buildWorkbook } from '../../fixtures/build-workbook.ts';
import { officeParts } from './contents.ts';

const TYPE = describeType('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
const PLAIN = '<c r="A1" s="1"><f>ROUND(SUM(B1:C1)*0.19,2)</f><v>12</v></c><c r="B1" t="s"><v>1</v></c><c r="C1"/>';

async function sheetOf(cells: string) {
  const bytes = await buildWorkbook({ cells });
  const report = await disarm({ bytes, untrustedName: 'a.xlsx', password: null }, TYPE, DEFAULT_ENGINE_LIMITS);
  const parts = await officeParts(report.bytes);
  return { outcome: report.outcome, sheet: parts.get('xl/worksheets/sheet1.xml') ?? '' };
}

const passes = (markup: string) => {
  const bytes = new Uint8Array(Buffer.from(markup));
  return behindPlainCells(bytes, 0, new DataView(bytes.buffer));
};

test('plain cells are skipped one after another', () => {
  expect(passes(`${PLAIN}</row>`)).toBe(PLAIN.length);
  expect(passes('<c r="A1" s="1" t="s"><v>1</v></c><c r="B1"><v>2.5</v></c><row>')).toBe(58);
  expect(passes('<c t="n" r="Z9" s="4"/><c><v>a b \u00e9</v></c>')).toBe(43);
});

test.each([
  '<c r="A1" cm="1"><f>1</f></c>',
  '<c r="A1" r="A2"/>',
  "<c r='A1'/>",
  '<c r ="A1"/>',
  '<c r="A1" />',
  '<c r="&#65;1"/>',
  '<c r="A1"',
  '<c r="A1',
  '<c',
  '<cc/>',
  '<x:c/>',
  '<c><v>1</c></v>',
  '<c><v>1</v>',
  '<c><v>1</v></c',
  '<c><v>a&lt;b</v></c>',
  '<c><v>]]></v></c>',
  '<c><v>\u0001</v></c>',
  '<c><v><x/></v></c>',
  '<c><v>1</v><v>2</v></c>',
  '<c r="A1" s="1" t="n"><v>1</v><v>2</v></c>',
  '<c r="A1" s="1" s="2"><v>1</v></c>',
  '<c r="A1" s="1" cm="1"><v>1</v></c>',
  '<c r="A1" s="1"><v>a&lt;b</v></c>',
  '<c r="A1" s="1"><v>]]></v></c>',
  '<c r="A1" s="1"><v>\u0001</v></c>',
  '<c r="A1" s="1"><v>1</v></d>',
  '<c r="A1" s="1"><v>1</v></c',
  '<c r="A1" s="1"><v>1</v>',
  '<c r="A1" s="1"><v>1',
  '<c r="A1" s="1"><v',
  '<c r="A1" s="',
  '<c><is><t>a</t></is></c>',
  '<c><f t="shared" si="0">1</f></c>',
  '<c><f>1</f><f>2</f></c>',
  '<c><f>1</c></f>',
  '<c><f>1<!-- --></f></c>',
  `<c><f>${'1+'.repeat(2_000)}1</f></c>`,
])('%s is left to the scanner', (cell) => {
  expect(passes(cell)).toBe(0);
});

const LIVE = [
  'CALL(1)',
  'call(1)',
  'A1+EXEC(A2)',
  '_xlfn.WEBSERVICE(A1)',
  '_xll.RUNIT(1)',
  'REGISTER.ID(1,2)',
  'HYPERLINK(A1)',
  '[1]Sheet1!A1',
  'a|b!A1',
  'file:a',
  'FILE:a',
  '1CALL(1)',
  '(((CALL(1))))',
  'SUM(1)CALL(1)',
];

test.each(LIVE)('the formula %s is not skipped, and is removed', async (formula) => {
  expect(isSafeFormula(formula)).toBe(false);
  expect(passes(`<c><f>${formula}</f></c>`)).toBe(0);
  const { sheet, outcome } = await sheetOf(`${PLAIN}<c r="D1"><f>${formula}</f><v>7</v></c>${PLAIN}`);
  expect(outcome).toBe('disarmed');
  expect(sheet).not.toContain(formula);
  expect(sheet).toContain(`${PLAIN}<c r="D1"><v>7</v></c>${PLAIN}`);
});

test('every skipped formula is one that the judge of formulas allows', () => {
  const pieces = [
    'SUM',
    'CALL',
    'file',
    'e',
    ':',
    '(',
    ')',
    '|',
    '!',
    '[',
    ']',
    'A1',
    '.',
    '_',
    '"',
    "'",
    '\\',
    ' ',
    'RTD',
  ];
  let state = 7;
  for (let round = 0; round < 20_000; round += 1) {
    let formula = '';
    for (let index = 0; index < 6; index += 1) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      formula += pieces[(state >>> 16) % pieces.length] ?? '';
    }
    if (passes(`<c><f>${formula}</f></c>`) > 0) expect(isSafeFormula(formula), formula).toBe(true);
  }
});

describe('a sheet', () => {
  test('of plain cells keeps its bytes', async () => {
    expect((await sheetOf(PLAIN.repeat(50))).outcome).toBe('already_safe');
  });

  test.each([
    '<c r="D1" r="D2"/>',
    '<c><v>1</c></v>',
    '<c><v>]]></v></c>',
    '<c><v>\u0001</v></c>',
    '<c><v>&bad;</v></c>',
    '<c><v>1</v>',
  ])('that is not well-formed in %s is refused', async (cell) => {
    await expect(sheetOf(`${PLAIN}${cell}${PLAIN}`)).rejects.toMatchObject({ code: 'unreadable' });
  });

  test('loses cells that only look like cells', async () => {
    const { sheet } = await sheetOf(`${PLAIN}<c xmlns="urn:other"><v>strange</v></c>${PLAIN}`);
    expect(sheet).not.toContain('strange');
    expect(sheet).toContain(`${PLAIN}${PLAIN}`);
  });

  test('loses a row that only looks like a row', async () => {
    const { sheet } = await sheetOf(`${PLAIN}</row><row xmlns="urn:other"><c><v>strange</v></c></row><row>${PLAIN}`);
    expect(sheet).not.toContain('strange');
  });
});
