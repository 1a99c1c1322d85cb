import { describe, expect, test } from 'vitest';
import { words } from '../../fixtures/build-xls.ts';
import { compoundFile } from '../office-fixture.ts';
import { officeParts } from './contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

type OldRecord = readonly [id: number, data: Uint8Array];
const bytes = (text: string) => Buffer.from(text, 'latin1');
const record = ([id, data]: OldRecord) => Buffer.concat([words(id, data.length), data]);
const begin = (kind: number): OldRecord => [0x0809, words(0x0500, kind, 0x0dbb, 0x07cc)];
const END: OldRecord = [0x000a, Buffer.alloc(0)];
const double = (value: number) => Buffer.from(Float64Array.of(value).buffer);
const label = (row: number, column: number, text: string, format = 0): OldRecord => [
  0x0204,
  Buffer.concat([words(row, column, format, text.length), bytes(text)]),
];
const formula = (row: number, column: number, result: Buffer, code = Buffer.from([0x1e, 1, 0])): OldRecord => [
  0x0006,
  Buffer.concat([words(row, column, 0), result, words(0, 0, 0, code.length), code]),
];
const named = (text: string) => Buffer.concat([Buffer.from([text.length]), bytes(text)]);

interface OldSheet {
  readonly name: string;
  readonly records: readonly OldRecord[];
  /** Kind in the list: 0 worksheet, 1 macro sheet, 2 chart, 6 module. */
  readonly kind?: number;
  readonly begin?: number;
  readonly state?: number;
}

/** A workbook as Excel 95 writes it. */
function oldXls(
  sheets: readonly OldSheet[],
  globals: readonly OldRecord[] = [],
  streams: Readonly<Record<string, Uint8Array>> = {},
): Buffer {
  const bodies = sheets.map((sheet) => Buffer.concat([begin(sheet.begin ?? 0x10), ...sheet.records, END].map(record)));
  const head = (places: readonly number[]) =>
    Buffer.concat(
      [
        begin(5),
        [0x0042, words(1252)] as OldRecord,
        ...globals,
        ...sheets.map(
          ({ name, kind = 0, state = 0 }, index): OldRecord => [
            0x0085,
            Buffer.concat([
              words((places[index] ?? 0) & 0xffff, (places[index] ?? 0) >>> 16),
              Buffer.from([state, kind]),
              named(name),
            ]),
          ],
        ),
        END,
      ].map(record),
    );
  const first = head([]).length;
  const places = bodies.map((_, index) => bodies.slice(0, index).reduce((sum, { length }) => sum + length, first));
  return compoundFile({ Book: Buffer.concat([head(places), ...bodies]), ...streams });
}

async function run(
  sheets: readonly OldSheet[],
  globals: readonly OldRecord[] = [],
  streams: Readonly<Record<string, Uint8Array>> = {},
) {
  const report = await disarmed(oldXls(sheets, globals, streams), 'old.xls');
  const parts = await officeParts(report.bytes);
  const part = (name: string) => Buffer.from(parts.get(name) ?? '', 'latin1').toString('utf8');
  const texts = Array.from(part('xl/sharedStrings.xml').matchAll(/<t[^>]*>([^<]*)</g), ([, text]) => text);
  return {
    ...report,
    texts,
    sheet: part('xl/worksheets/sheet1.xml'),
    styles: part('xl/styles.xml'),
    book: part('xl/workbook.xml'),
    all: [...parts.values()].join(),
  };
}

describe('a workbook of Excel 95 comes back as xlsx', () => {
  test('with the values of its cells', async () => {
    const records: OldRecord[] = [
      label(0, 0, 'caf\xe9'),
      [0x00d6, Buffer.concat([words(0, 1, 0, 4), bytes('rich'), Buffer.from([0])])],
      [0x0203, Buffer.concat([words(1, 0, 0), double(3.5)])],
      [0x027e, Buffer.concat([words(1, 1, 0), Buffer.from(Uint32Array.of((1234 << 2) | 2).buffer)])],
      [
        0x00bd,
        Buffer.concat([
          words(1, 2),
          words(0),
          Buffer.from(Uint32Array.of((1250 << 2) | 3).buffer),
          words(0),
          Buffer.from(Uint32Array.of((7 << 2) | 2).buffer),
          words(3),
        ]),
      ],
      [0x0205, Buffer.concat([words(2, 0, 0), Buffer.from([1, 0])])],
      [0x0205, Buffer.concat([words(2, 1, 0), Buffer.from([0x2a, 1])])],
      formula(3, 0, double(99.25)),
      formula(3, 1, Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff])),
      [0x0207, Buffer.concat([words(6), bytes('result')])],
      formula(3, 2, Buffer.from([1, 0, 1, 0, 0, 0, 0xff, 0xff])),
    ];
    const { sheet, texts, extension, quality, kinds } = await run([{ name: 'Data', records }]);
    expect(extension).toBe('xlsx');
    expect(texts).toEqual(['café', 'rich', 'result']);
    const cells = Array.from(sheet.matchAll(/<c r="(\w+)"[^>]*?(?: t="(\w)")?><v>([^<]*)</g), ([, name, type, value]) =>
      [name, type, value].join(' '),
    );
    expect(cells).toEqual([
      'A1 s 0',
      'B1 s 1',
      'A2  3.5',
      'B2  1234',
      'C2  12.5',
      'D2  7',
      'A3 b 1',
      'B3 e #N/A',
      'A4  99.25',
      'B4 s 2',
      'C4 b 1',
    ]);
    expect(quality.units).toEqual({ kind: 'sheets', before: 1, after: 1 });
    expect(quality.words?.kept).toBe(quality.words?.before);
    expect(kinds).toEqual(expect.arrayContaining(['workbook of an old version', 'formula']));
  });

  test('with its formats and sizes', async () => {
    const font = (name: string, flags: number, weight: number): OldRecord => [
      0x0031,
      Buffer.concat([words(240, flags, 0, weight, 0), Buffer.from([0, 0, 0, 0]), named(name)]),
    ];
    const globals: OldRecord[] = [
      font('Arial', 0, 400),
      font('Courier', 2, 700),
      [0x041e, Buffer.concat([words(164), named('yyyy-mm-dd')])],
      [0x00e0, words(0, 0, 0, 0, 0, 0, 0, 0)],
      [0x00e0, words(1, 164, 0, 0x0a, 0, 0, 0, 0)],
    ];
    const records: OldRecord[] = [
      [0x007d, words(0, 1, 20 * 256, 0, 1)],
      [0x0208, words(0, 0, 1, 600, 0, 0, 0x40, 0)],
      label(0, 0, 'day', 1),
    ];
    const { sheet, styles } = await run([{ name: 'Data', records }], globals);
    expect(sheet).toContain('<col min="1" max="2" width="20" customWidth="1" style="0" hidden="1"/>');
    expect(sheet).toContain('<row r="1" ht="30" customHeight="1"><c r="A1" s="1"');
    expect(styles).toContain('<font><b/><i/><sz val="12"/><name val="Courier"/></font>');
    expect(styles).toMatch(
      /<xf numFmtId="164" fontId="1"[^>]*><alignment horizontal="center" vertical="top" wrapText="1"\/>/,
    );
  });

  test('without macros, macro sheets and charts', async () => {
    const sheets: OldSheet[] = [
      { name: 'Macro1', kind: 1, begin: 0x40, records: [label(0, 0, 'THREAT')] },
      { name: 'Module1', kind: 6, begin: 0x06, records: [] },
      { name: 'Chart1', kind: 2, begin: 0x20, records: [] },
      { name: 'Data', state: 2, records: [label(0, 0, 'kept'), formula(1, 0, double(1), Buffer.from('THREAT'))] },
    ];
    const { book, all, kinds } = await run(sheets, [[0x0018, bytes('Auto_Open THREAT')]], {
      '_VBA_PROJECT_CUR/VBA/dir': bytes('THREAT'),
    });
    expect(book).toContain('name="Data"');
    expect(book).not.toMatch(/Macro1|Module1|Chart1/);
    expect(all).not.toContain('THREAT');
    expect(kinds).toEqual(expect.arrayContaining(['macro', 'macro sheet', 'chart']));
  });
});

test('comments and drawings that stay behind are named', async () => {
  const records: OldRecord[] = [
    label(0, 0, 'kept'),
    [0x001c, Buffer.concat([words(0, 0, 4), bytes('note')])],
    [0x005d, Buffer.alloc(40)],
  ];
  const { kinds } = await run([{ name: 'Data', records }]);
  expect(kinds).toEqual(expect.arrayContaining(['comment', 'drawing']));
});

describe('is refused:', () => {
  test.each<[string, Buffer, string]>([
    ['one behind a password', oldXls([{ name: 'A', records: [] }], [[0x002f, words(0x1234, 0x5678)]]), 'encrypted'],
    ['one of Excel 4', compoundFile({ Book: record([0x0409, words(0, 0x10, 0)]) }), 'unsupported'],
    ['one without a sheet', oldXls([{ name: 'M', kind: 1, begin: 0x40, records: [] }]), 'unreadable'],
    [
      'one with a sheet that has no end',
      compoundFile({
        Book: Buffer.concat(
          [
            begin(5),
            [0x0085, Buffer.concat([words(0xffff, 0), Buffer.from([0, 0]), named('A')])] as OldRecord,
            END,
          ].map(record),
        ),
      }),
      'unreadable',
    ],
  ])('%s', async (_what, content, code) => {
    expect(await refusalCode(content, 'old.xls')).toBe(code);
  });
});
