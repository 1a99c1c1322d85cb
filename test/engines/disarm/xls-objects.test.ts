import { expect, test } from 'vitest';
import { buildXls, bytes, call, label, words, type XlsRecord } from '../../fixtures/build-xls.ts';
import { xlsRecords } from './legacy-contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

/** Disarms a sheet with these records. Gives its records of one kind, and what was removed. */
async function run(id: number, ...records: readonly XlsRecord[]) {
  const report = await disarmed(
    buildXls({ sheets: [{ name: 'Sheet1', records: [label(0, 0, 'kept'), ...records] }] }),
    'a.xls',
  );
  const all = xlsRecords(report.bytes);
  return { found: all.filter((record) => record.id === id).map(({ data }) => data), all, kinds: report.kinds };
}

const part = (id: number, content: Uint8Array) => Buffer.concat([words(id, content.length), content]);

test.each([
  ['a macro', 0x04, 'macro'],
  ['the formula of an OLE object', 0x09, 'embedded object'],
  ['a linked cell', 0x0e, 'linked cell'],
  ['a linked check box', 0x14, 'linked cell'],
  ['an unknown part', 0x33, 'unknown object part'],
])('an object loses %s and stays', async (_what, id, kind) => {
  const common = part(0x15, words(8, 1, 0, 0, 0, 0, 0, 0, 0));
  const object = Buffer.concat([common, part(id, Buffer.from('evil')), part(0, Buffer.alloc(0))]);
  const { found, kinds } = await run(0x005d, [0x005d, object]);
  expect(found).toEqual([Buffer.concat([common, part(0, Buffer.alloc(0))])]);
  expect(kinds).toContain(kind);
});

test('a picture loses the flags of a DDE link and of a control', async () => {
  const { found } = await run(0x005d, [0x005d, Buffer.concat([part(0x08, words(0x13)), part(0, Buffer.alloc(0))])]);
  expect(found[0]?.readUInt16LE(4)).toBe(0x01);
});

const CLASS = 'd0c9ea79f9bace118c8200aa004ba90b';
const link = (object: Buffer): XlsRecord => [0x01b8, Buffer.concat([words(0, 0, 0, 0), bytes(CLASS), object])];
const url = (target: string) => {
  const text = Buffer.from(`${target}\0`, 'utf16le');
  return Buffer.concat([bytes('02000000 03000000 e0c9ea79f9bace118c8200aa004ba90b'), words(text.length, 0), text]);
};

test('a link to a page and a link into the workbook stay', async () => {
  const inside = Buffer.concat([bytes('02000000 08000000 03000000'), Buffer.from('A1\0', 'utf16le')]);
  expect((await run(0x01b8, link(url('https://example.com/')), link(inside))).found).toHaveLength(2);
});

test.each([
  ['a program', url('file:///c:/a.exe')],
  ['a script', url('javascript:a')],
  ['a file by its path', bytes('02000000 03000000 0303000000000000c000000000000046 0000 01000000 61')],
  [
    'a server share by name',
    Buffer.concat([bytes('02000000 01010000 08000000'), Buffer.from('\\\\srv\\a\0', 'utf16le')]),
  ],
  ['an unknown kind of place', bytes('02000000 03000000 11111111111111111111111111111111')],
  ['nothing that can be read', bytes('02000000 03000000 ff')],
])('a link to %s is removed', async (_what, object) => {
  const { found, kinds } = await run(0x01b8, link(object));
  expect(found).toEqual([]);
  expect(kinds).toContain('unsafe hyperlink');
});

test('a conditional format with a live formula never applies, and one that only calculates stays', async () => {
  const rule = (code: Buffer): XlsRecord => [
    0x01b1,
    Buffer.concat([Buffer.from([1, 3]), words(code.length, 0), Buffer.alloc(6), code]),
  ];
  const { found } = await run(0x01b1, rule(call(4)), rule(call(150)));
  expect(found[0]).toEqual(rule(call(4))[1]);
  expect(found[1]?.subarray(-2)).toEqual(bytes('1c17'));
  expect(found[1]?.includes(call(150))).toBe(false);
});

test('a validation with a live formula accepts everything and keeps its messages', async () => {
  const text = Buffer.concat([words(4), Buffer.from('\0help', 'latin1')]);
  const check = (code: Buffer): XlsRecord => [
    0x01be,
    Buffer.concat([bytes('07000000'), text, text, text, text, words(code.length, 0), code, words(0, 0, 1, 0, 0, 0, 0)]),
  ];
  const { found } = await run(0x01be, check(call(4)), check(call(150)));
  expect(found[0]).toEqual(check(call(4))[1]);
  expect(found[1]?.toString('latin1')).toContain('help');
  expect(found[1]?.[0]).toBe(0);
  expect(found[1]?.includes(call(150))).toBe(false);
});

test('a series of a chart from another workbook becomes one with its own values', async () => {
  const series = (code: Buffer): XlsRecord => [
    0x1051,
    Buffer.concat([Buffer.from([1, 2]), words(0, 0, code.length), code]),
  ];
  const { found } = await run(0x1051, series(bytes('3b 0000 0000 0100 0000 0000')));
  expect(found.map((data) => [data[1], data.length])).toEqual([[1, 8]]);
});

test('a dialog sheet becomes a plain sheet, and its custom theme is removed', async () => {
  const { found, all } = await run(0x0081, [0x0081, words(0x04d1)], [0x0896, Buffer.alloc(100, 1)]);
  expect(found[0]?.readUInt16LE(0)).toBe(0x04c1);
  expect(all.map(({ id }) => id)).not.toContain(0x0896);
});

test('the name of the last user is removed', async () => {
  const { found } = await run(0x005c, [0x005c, Buffer.from('\x05\0\0Alice'.padEnd(112, ' '), 'latin1')]);
  expect(found.map((data) => data.toString('latin1').trim())).toEqual(['\0\0\0'.padEnd(112, ' ').trim()]);
});

/** A record of a drawing; the last digit of the version says whether it holds others. */
const drawn = (version: number, type: number, content: Uint8Array) =>
  Buffer.concat([words(version, type, content.length & 0xffff, content.length >>> 16), content]);

/**
 * Notes with a text each, as Excel writes them: one drawing over many records, which goes on in CONTINUE behind the text of a note once
 * more than 8,224 bytes are written ([MS-XLS] 2.4.329).
 */
function longDrawing(notes: number, text: string, shape: (index: number) => Uint8Array): XlsRecord[] {
  const shapes = Array.from({ length: notes }, (_, index) => drawn(0x0f, 0xf004, shape(index)));
  const tree = drawn(0x0f, 0xf002, drawn(0x0f, 0xf003, Buffer.concat(shapes)));
  const records: XlsRecord[] = [];
  let at = 0;
  for (const [index, { length }] of shapes.entries()) {
    const end = index === shapes.length - 1 ? tree.length : at + length + (index === 0 ? 16 : 0);
    records.push([at < 8_224 ? 0x00ec : 0x003c, tree.subarray(at, end)]);
    records.push([
      0x005d,
      Buffer.concat([part(0x15, words(0x19, index + 1, 0x4011, 0, 0, 0, 0, 0, 0)), part(0, Buffer.alloc(0))]),
    ]);
    records.push([0x01b6, words(0x0212, 0, 0, 0, 0, text.length, 16, 0, 0)]);
    // Excel cuts a long text where a record is full, and each piece says how wide its characters are.
    for (let from = 0; from < text.length; from += 8_223)
      records.push([0x003c, Buffer.concat([Buffer.from([0]), Buffer.from(text.slice(from, from + 8_223), 'latin1')])]);
    records.push([0x003c, Buffer.alloc(16)]);
    at = end;
  }
  return records;
}

/** A shape with a text that describes it, and with a script (property 0x38e), which no drawing may hold. */
const scripted = (index: number) => {
  const described = Buffer.from(`note ${index} ${'x'.repeat(300)}\0`, 'utf16le');
  const script = Buffer.from(`secret${index}`, 'utf16le');
  const entry = (id: number, { length }: Buffer) =>
    Buffer.concat([words(0x8000 | id), words(length & 0xffff, length >>> 16)]);
  return drawn(0x23, 0xf00b, Buffer.concat([entry(0x381, described), entry(0x38e, script), described, script]));
};

test.each([
  ['short', 'see the other sheet'],
  ['longer than a record', 'word '.repeat(4_000)],
])('a drawing of more than 8 KB goes on behind %s texts of notes, and is filtered there, too', async (_what, text) => {
  const { all } = await run(0, ...longDrawing(30, text, scripted));
  const stream = Buffer.concat(all.map(({ data }) => data))
    .toString('latin1')
    .replaceAll('\0', '');
  expect(all.filter(({ id }) => id === 0x01b6)).toHaveLength(30);
  expect(stream.split(text.slice(0, 19)).length).toBeGreaterThanOrEqual(30);
  for (const index of [0, 15, 29]) expect(stream).toContain(`note ${index} x`);
  expect(stream).not.toContain('secret');
});

test('a drawing that goes on behind a text which claims to be longer is refused', async () => {
  const records = longDrawing(30, 'short', scripted).map(
    ([id, data]): XlsRecord => [id, id === 0x01b6 ? words(0x0212, 0, 0, 0, 0, 60_000, 16, 0, 0) : data],
  );
  expect(await refusalCode(buildXls({ sheets: [{ name: 'Sheet1', records }] }), 'a.xls')).toBe('unreadable');
});
