import { describe, expect, test } from 'vitest';
import {
  buildXls,
  bytes,
  call,
  formula,
  label,
  name,
  words,
  type XlsOptions,
  type XlsRecord,
} from '../../fixtures/build-xls.ts';
import { rootClass, streamsOf, xlsRecords } from './legacy-contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const run = async (options: XlsOptions) => {
  const report = await disarmed(buildXls(options), 'a.xls');
  const records = xlsRecords(report.bytes);
  const ids = records.map(({ id }) => id);
  return { ...report, records, ids, of: (id: number) => records.filter((each) => each.id === id) };
};
const sheetOf = (...records: readonly XlsRecord[]): XlsOptions => ({ sheets: [{ name: 'Sheet1', records }] });

test('a workbook keeps texts, numbers, formulas that calculate and its sheets', async () => {
  const sum = Buffer.concat([bytes('25 0000 0100 0000 0000'), bytes('19 10 0000')]);
  const { records, of, extension } = await run({
    sheets: [
      { name: 'First', records: [label(0, 0, 'total'), formula(1, 0, sum), formula(2, 0, call(4), 7)] },
      { name: 'Second', state: 1 },
    ],
  });
  expect(extension).toBe('xls');
  expect(of(0x0204)[0]?.data.toString('latin1')).toContain('total');
  expect(of(0x0006).map(({ data }) => data.readDoubleLE(6))).toEqual([42, 7]);
  const sheets = of(0x0085);
  expect(sheets.map(({ data }) => data.toString('latin1', 8))).toEqual(['First', 'Second']);
  expect(sheets[1]?.data[4]).toBe(1);
  // The list of sheets holds the new places of the sheets.
  for (const { data } of sheets) expect(records.find(({ at }) => at === data.readUInt32LE(0))?.id).toBe(0x0809);
});

test('a disarm gives the same bytes every time, and a second pass changes nothing', async () => {
  const input = buildXls({ globals: [name('Auto_Open', bytes('1e 0100'))] });
  const once = await disarmed(input, 'a.xls');
  expect(Buffer.compare((await disarmed(input, 'a.xls')).bytes, once.bytes)).toBe(0);
  expect((await disarmed(once.bytes, 'a.xls')).outcome).toBe('already_safe');
  expect(rootClass(once.bytes)).toBe('2008020000000000c000000000000046');
});

describe('macro sheets', () => {
  test.each([
    ['a macro sheet', 1, 0x40],
    ['a module', 6, 0x06],
    ['a macro sheet that is listed as a worksheet', 0, 0x40],
    ['a macro sheet that begins as a worksheet', 1, 0x10],
  ])('%s becomes an empty worksheet of the same name', async (_what, kind, begin) => {
    const { of, ids, kinds } = await run({
      sheets: [
        { name: 'Plain' },
        { name: 'Macro1', kind, begin, state: 2, records: [formula(0, 0, call(110)), label(1, 0, 'calc.exe')] },
      ],
    });
    expect(of(0x0085).map(({ data }) => [data[4], data[5]])).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(of(0x0809).map(({ data }) => data.readUInt16LE(2))).toEqual([5, 0x10, 0x10]);
    expect(ids).not.toContain(0x0006);
    expect(ids).not.toContain(0x0204);
    expect(kinds).toContain('macro sheet');
  });

  test('a workbook whose sheets are all hidden shows its first', async () => {
    const { of } = await run({
      sheets: [
        { name: 'A', state: 2 },
        { name: 'B', state: 1 },
      ],
    });
    expect(of(0x0085).map(({ data }) => data[4])).toEqual([0, 1]);
  });
});

describe('defined names', () => {
  test.each([
    ['opens with the workbook', name('\x01', bytes('1e 0100'), 0x20)],
    ['closes with it', name('\x02', bytes('1e 0100'), 0x20)],
    ['runs when it is shown', name('\x0a', bytes('1e 0100'), 0x20)],
    ['runs when it is left', name('\x0b', bytes('1e 0100'), 0x20)],
    ['spells the built-in name', name('AUTO_open', bytes('1e 0100'))],
    ['is a function', name('f', bytes('1e 0100'), 0x02)],
    ['is a Visual Basic procedure', name('f', bytes('1e 0100'), 0x04)],
    ['is a procedure', name('f', bytes('1e 0100'), 0x08)],
    ['calls', name('f', call(150))],
  ])('one that %s loses its meaning and keeps its number', async (_what, live) => {
    const { of, kinds } = await run({
      globals: [name('before', bytes('1e 0100')), live, name('behind', bytes('1e 0200'))],
    });
    const names = of(0x0018).map(({ data }) => data);
    expect(names.map((data) => data.toString('latin1', 15, 15 + (data[3] ?? 0)))).toEqual([
      'before',
      'removed_name_2',
      'behind',
    ]);
    expect(names[1]?.subarray(-2)).toEqual(bytes('1c17'));
    expect(kinds).toContain('defined name');
  });
});

describe('formulas', () => {
  test.each([
    53, 54, 55, 110, 123, 132, 137, 138, 149, 150, 166, 175, 176, 177, 178, 186, 201, 257, 267, 304, 379, 0x8011,
    0x8060, 0x8076, 0x8094,
  ])('function %i is replaced by its value', async (id) => {
    const { of, ids, kinds } = await run(sheetOf(formula(3, 4, call(id), 7)));
    expect(ids).not.toContain(0x0006);
    expect(of(0x0203)[0]?.data.readUInt16LE(2)).toBe(4);
    expect(of(0x0203)[0]?.data.readDoubleLE(6)).toBe(7);
    expect(kinds).toContain('live formula');
  });

  test.each([
    ["'file:///a.ods'#$S.A1", true],
    ["'\\\\server\\[a.xls]S'!A1", true],
    ["'Last year'!B2", false],
  ])('a reference that is made of the text %s is replaced by its value: %s', async (text, isReplaced) => {
    const letters = Buffer.concat([Buffer.from([0x17, text.length, 0]), Buffer.from(text, 'latin1')]);
    const { ids } = await run(sheetOf(formula(3, 4, Buffer.concat([letters, bytes('42 01 94 00')]), 7)));
    expect(ids.includes(0x0006)).toBe(!isReplaced);
  });

  test('text, boolean and error results keep their types', async () => {
    const text: XlsRecord = [0x0207, Buffer.concat([words(4), Buffer.from('\0kept', 'latin1')])];
    const { of } = await run(
      sheetOf(
        formula(0, 0, call(110), bytes('00 00 00 00 00 00 ff ff')),
        text,
        formula(1, 0, call(110), bytes('01 00 01 00 00 00 ff ff')),
        formula(2, 0, call(110), bytes('02 00 2a 00 00 00 ff ff')),
      ),
    );
    expect(of(0x0204)[0]?.data.toString('latin1', 9)).toBe('kept');
    expect(of(0x0205).map(({ data }) => [data[6], data[7]])).toEqual([
      [1, 0],
      [0x2a, 1],
    ]);
    expect(of(0x0207)).toEqual([]);
  });

  test('a shared formula is removed from all cells that use it', async () => {
    const shared = (code: Buffer): XlsRecord => [
      0x04bc,
      Buffer.concat([words(0, 1), Buffer.from([0, 0, 0, 2]), words(code.length), code]),
    ];
    const use = bytes('01 0000 0000');
    const live = await run(sheetOf(formula(0, 0, use, 1), shared(call(150)), formula(1, 0, use, 2)));
    expect(live.of(0x0203).map(({ data }) => data.readDoubleLE(6))).toEqual([1, 2]);
    expect(live.ids).not.toContain(0x04bc);
    const plain = await run(sheetOf(formula(0, 0, use, 1), shared(call(4)), formula(1, 0, use, 2)));
    expect([plain.of(0x0006).length, plain.of(0x04bc).length]).toEqual([2, 1]);
  });

  test.each([
    ['https://example.com/', 0x0006],
    ['file:///c:/a.exe', 0x0203],
    ['\\\\server\\a', 0x0203],
  ])('a link to %j is judged by its target', async (target, id) => {
    const code = Buffer.concat([
      Buffer.from([0x17, target.length, 0]),
      Buffer.from(target, 'latin1'),
      bytes('42 01'),
      words(359),
    ]);
    expect((await run(sheetOf(formula(0, 0, code)))).ids).toContain(id);
  });

  test('a computed link target is removed', async () => {
    const code = Buffer.concat([bytes('17 01 00 61 17 01 00 62 08'), bytes('42 01'), words(359)]);
    expect((await run(sheetOf(formula(0, 0, code)))).ids).not.toContain(0x0006);
  });
});

describe('other workbooks', () => {
  const sheets: XlsRecord = [0x0017, words(1, 0, 0, 0)];
  const outside = Buffer.concat([words(1, 8), Buffer.from([0]), Buffer.from('\x01\x05http:a', 'latin1')]);

  test('a reference to another workbook is replaced by its value, and the path is removed', async () => {
    const { ids, of } = await run({
      globals: [
        [0x01ae, outside],
        [0x0023, bytes('0000 0000 0000 01 00 41')],
        sheets,
        [0x0059, words(1, 0)],
        [0x005a, words(0, 0)],
      ],
      ...sheetOf(formula(0, 0, bytes('5a 0000 0000 0000'), 9)),
    });
    expect(of(0x01ae).map(({ data }) => data.toString('hex'))).toEqual(['000001000020']);
    expect(of(0x0023)).toHaveLength(1);
    expect(of(0x0203)[0]?.data.readDoubleLE(6)).toBe(9);
    for (const gone of [0x0006, 0x0059, 0x005a]) expect(ids).not.toContain(gone);
  });

  test('a DDE link is removed', async () => {
    const dde = Buffer.concat([words(0, 9), Buffer.from([0]), Buffer.from('cmd\x03/c ca', 'latin1')]);
    const { bytes: out, kinds } = await run({
      globals: [
        [0x01ae, dde],
        [0x0023, Buffer.concat([bytes('1000 0000 0000 04 00'), Buffer.from('calc')])],
      ],
    });
    expect(Buffer.from(out).toString('latin1')).not.toMatch(/cmd|calc/);
    expect(kinds).toContain('DDE link');
  });

  test('a reference into another sheet of the same workbook stays', async () => {
    const { ids } = await run({
      globals: [[0x01ae, words(1, 0x0401)], sheets],
      ...sheetOf(formula(0, 0, bytes('5a 0000 0000 0000'))),
    });
    expect(ids).toContain(0x0006);
  });
});

test.each([
  ['the project mark', 0x00d3],
  ['the mark of a project without macros', 0x01bd],
  ['a connection', 0x0876],
  ['a query', 0x01ad],
  ['a database query', 0x0803],
  ['a consolidation', 0x0050],
  ['web publishing', 0x0801],
  ['the template mark', 0x0060],
  ['printer settings', 0x004d],
  ['the index', 0x020b],
  ['row blocks', 0x00d7],
  ['real time data', 0x0813],
  ['an unknown record', 0x0fee],
])('%s is removed', async (_what, id) => {
  const { ids } = await run({
    globals: [[id, Buffer.alloc(8, 1)]],
    ...sheetOf([id, Buffer.alloc(8, 1)], label(0, 0, 'kept')),
  });
  expect(ids).not.toContain(id);
  expect(ids).toContain(0x0204);
});

test.each([
  '_VBA_PROJECT_CUR/VBA/Module1',
  'MBD00012345/Contents',
  '\x01Ole10Native',
  '\x01Ole10ItemName',
  '\x03ObjInfo',
  'Equation Native',
  'MsoDataStore/a/Item',
  '_xmlsignatures/1',
  '\x06DataSpaces/Version',
  'Ctls',
  '\x05SummaryInformation',
  '\x05DocumentSummaryInformation',
  'Unheard Of',
])('the stream %j is removed', async (path) => {
  const { bytes: out } = await run({ streams: { [path]: Buffer.from('secret content') } });
  expect([...streamsOf(out).keys()]).toEqual(['Workbook']);
});

test.each([
  ['behind a password', { globals: [[0x002f, Buffer.alloc(54)] as const] }, 'encrypted'],
  ['of Excel 95', { version: 0x0500 }, 'unsupported'],
  ['without a sheet', { sheets: [] }, 'unreadable'],
])('a workbook %s is refused', async (_what, options, code) => {
  expect(await refusalCode(buildXls(options), 'a.xls')).toBe(code);
});

test('a workbook opens with its password, and needs none when Excel tries the password by itself', async () => {
  const options = sheetOf(label(0, 0, 'locked text'));
  const locked = buildXls({ ...options, password: 'secret' });
  expect(await refusalCode(locked, 'a.xls')).toBe('encrypted');
  expect(await refusalCode(locked, 'a.xls', { password: 'wrong' })).toBe('encrypted');
  for (const report of [
    await disarmed(locked, 'a.xls', { password: 'secret' }),
    await disarmed(buildXls({ ...options, password: 'VelvetSweatshop' }), 'a.xls'),
  ]) {
    expect(report.kinds).toContain('encryption');
    expect(xlsRecords(report.bytes).map(({ id }) => id)).not.toContain(0x002f);
    expect(Buffer.from(report.bytes).toString('latin1')).toContain('locked text');
  }
});
