import { describe, expect, test } from 'vitest';
import { buildDoc, type DocOptions, pairOffset, pieceTable, TEXT_AT } from '../../fixtures/build-doc.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { rootClass, streamsOf } from './legacy-contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

/** The marks of objects and fields, as the texts of these tests write them. */
const MARKS: Readonly<Record<string, string>> = { '\x01': '@', '\x13': '{', '\x14': '|', '\x15': '}' };

const run = async (options: DocOptions) => {
  const report = await disarmed(buildDoc(options), 'a.doc');
  const streams = streamsOf(report.bytes);
  const word = streams.get('WordDocument') ?? Buffer.alloc(0);
  const line = word.toString('utf16le', TEXT_AT).split('\r')[0] ?? '';
  const shown = [...line].map((character) => MARKS[character] ?? character).join('');
  return {
    ...report,
    streams,
    word,
    shown,
    table: streams.get('1Table') ?? Buffer.alloc(0),
    data: streams.get('Data') ?? Buffer.alloc(0),
  };
};

test('a document keeps its text, and only the streams of a document', async () => {
  const { shown, streams, bytes, extension } = await run({
    text: 'Invoice 2024-0117, café 你好',
    data: Buffer.alloc(8),
  });
  expect(extension).toBe('doc');
  expect(shown).toBe('Invoice 2024-0117, café 你好');
  expect([...streams.keys()].sort()).toEqual(['1Table', 'Data', 'WordDocument']);
  expect(rootClass(bytes)).toBe('0609020000000000c000000000000046');
});

test('comments keep their dates', async () => {
  // [MS-DOC] 2.9.2: when a comment was made, how deep it stands in an answer, and to which it answers.
  const dates = Buffer.from('48dbe05800000000000000000000000000000000'.slice(0, 36), 'hex');
  const { word, table } = await run({ pairCount: 136, pairs: { 112: dates } });
  const at = word.readUInt32LE(pairOffset(112));
  expect(table.subarray(at, at + word.readUInt32LE(pairOffset(112) + 4))).toEqual(dates);
});

test('a disarm gives the same bytes every time, and a second pass changes nothing', async () => {
  const input = buildDoc({ text: 'a {DDEAUTO c:\\\\a.exe|b} c' });
  const once = await disarmed(input, 'a.doc');
  expect(Buffer.compare((await disarmed(input, 'a.doc')).bytes, once.bytes)).toBe(0);
  expect((await disarmed(once.bytes, 'a.doc')).outcome).toBe('already_safe');
});

describe('fields', () => {
  test.each([
    'DDE c:\\a.exe',
    'DDEAUTO "c:\\a.exe" "b"',
    ' ddeauto x',
    'LINK Excel.Sheet.8 "a.xls"',
    'EMBED Package',
    'IMPORT a.gif',
    'INCLUDE "a"',
    'INCLUDETEXT "http://a"',
    'INCLUDEPICTURE "http://a/b.png"',
    'DATABASE \\c "x"',
    'MACROBUTTON run here',
    'GOTOBUTTON x',
    'QUOTE x',
    'AUTOTEXT x',
    'AUTOTEXTLIST x',
    'RD a.doc',
    'PRINT x',
    'ADDIN x',
    'CONTROL Forms.CommandButton.1',
    'HTMLACTIVEX x',
    'PRIVATE x',
    'BARCODE x',
    'FILLIN x',
    'ASK x y',
    'SET x y',
    'HYPERLINK "file://server/a.exe"',
    'HYPERLINK "\\\\\\\\server\\\\a"',
    'HYPERLINK "javascript:a"',
  ])('%s becomes spaces and leaves its result', async (code) => {
    const { shown, kinds } = await run({ text: `before {${code}|result} behind` });
    expect(shown).toBe(`before {${' '.repeat(code.length)}|result} behind`);
    expect(kinds.join()).toMatch(/field/);
  });

  test.each([
    'PAGE',
    'TOC \\o "1-3"',
    'NUMWORDS',
    'HYPERLINK "https://example.com/"',
    'HYPERLINK \\l "mark"',
    'SEQ a',
    '=1+1',
  ])('%s stays', async (code) => {
    expect((await run({ text: `{${code}|1} x` })).shown).toBe(`{${code}|1} x`);
  });

  test('a field that shows a document property is replaced by the text that it shows', async () => {
    expect((await run({ text: '{SAVEDATE|2 May 2024} x' })).shown).toContain('2 May 2024} x');
  });

  test('a button is removed and its label stays as text', async () => {
    const { shown } = await run({ text: 'a {MACROBUTTON run [type here]} b' });
    expect(shown.replace(/ +/g, ' ')).toBe('a [type here] b');
  });

  test('a harmless keyword with the type of a DDE field is removed', async () => {
    const { shown, table, word } = await run({ text: '{PAGE|1}', fieldType: 0x2e });
    expect(shown).toBe('{    |1}');
    expect(table[word.readUInt32LE(pairOffset(16)) + 17]).toBe(0x02);
  });

  test('a field whose keyword an inner field computes is removed with that field', async () => {
    const { shown } = await run({ text: 'a {DD{QUOTE E|E}AUTO c|result} b' });
    expect(shown).toBe(`a {${' '.repeat('DD{QUOTE E|E}AUTO c'.length)}|result} b`);
  });

  test.each([
    ['that the table does not list', { fields: null }],
    ['that the table lists elsewhere', { fields: Buffer.alloc(22, 1) }],
  ])('marks %s are no marks any more', async (_what, options) => {
    const { shown } = await run({ text: 'a {DDEAUTO x|result} b', ...options });
    expect(shown).toBe('a            result  b');
  });

  test('a field in a header is judged as well', async () => {
    const { word } = await run({ text: 'main', header: '{DDEAUTO evil|result}' });
    expect(word.toString('utf16le')).toContain('result');
    expect(word.toString('utf16le')).not.toContain('evil');
  });
});

describe('structures', () => {
  test.each([
    ['commands', 24],
    ['macros', 26],
    ['printer driver', 27],
    ['printer port', 28],
    ['autosave source', 35],
    ['mail merge', 44],
    ['document variables', 60],
    ['embedded fonts', 61],
    ['routing slip', 70],
    ['saved-by history', 71],
    ['file names', 72],
    ['controls', 85],
  ])('the %s go', async (_what, index) => {
    const { word, table } = await run({ pairs: { [index]: Buffer.from('evil-content') } });
    expect(word.readBigUInt64LE(pairOffset(index))).toBe(0n);
    expect(table.toString('latin1')).not.toContain('evil-content');
  });

  test('names and times are removed unless the caller keeps metadata', async () => {
    const strings = Buffer.concat([
      Buffer.from([0xff, 0xff, 18, 0, 0, 0, 6, 0]),
      Buffer.from('c:\\dot', 'utf16le'),
      Buffer.alloc(34),
    ]);
    const properties = Buffer.alloc(500, 1);
    const input = { pairs: { 31: properties, 32: strings } };
    const { table } = await run(input);
    expect(table.toString('utf16le').includes('c:\\dot') || table.toString('latin1').includes('c\0:\0')).toBe(false);
    expect(table.indexOf(Buffer.alloc(18))).toBeGreaterThan(-1);
  });

  test('bytes that nothing points at are removed', async () => {
    const { word } = await run({ hidden: 'deleted sentence', pairs: { 1: Buffer.from('style sheet') } });
    expect(word.toString('latin1')).not.toContain('deleted');
  });

  test.each([
    'Macros/VBA/ThisDocument',
    'ObjectPool/_1/\x01Ole10Native',
    'ObjectPool/_1/\x03OCXDATA',
    '\x01CompObj',
    '\x05SummaryInformation',
    'MsoDataStore/a/Item',
    '_xmlsignatures/1',
    '0Table',
  ])('the stream %j goes', async (path) => {
    const { streams } = await run({ streams: { [path]: Buffer.from('secret') } });
    expect([...streams.keys()].sort()).toEqual(['1Table', 'WordDocument']);
  });
});

describe('the data stream', () => {
  const object = (kind: number, content: Buffer) => {
    const head = Buffer.alloc(68);
    head.writeUInt32LE(68 + content.length, 0);
    head.writeUInt16LE(68, 4);
    head.writeUInt16LE(kind, 6);
    return Buffer.concat([head, content]);
  };
  const record = (version: number, type: number, content: Uint8Array) => {
    const head = Buffer.alloc(8);
    head.writeUInt16LE(version, 0);
    head.writeUInt16LE(type, 2);
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content]);
  };

  test('keeps the pixels of a picture in the text, and nothing else', async () => {
    const picture = record(
      0x6e00,
      0xf01e,
      Buffer.concat([Buffer.alloc(17, 1), buildPng({ comment: 'secret', appended: Buffer.from('PK tail') })]),
    );
    const { data, kinds } = await run({
      text: '@',
      data: Buffer.concat([object(0x64, picture), Buffer.from('unreached')]),
      dataAt: 0,
    });
    expect(data.includes(Buffer.from('IDAT'))).toBe(true);
    expect(data.toString('latin1')).not.toMatch(/secret|PK tail|unreached/);
    expect(kinds).toContain('picture data');
  });

  test('drops a program under the name of a picture', async () => {
    const picture = record(0x6e00, 0xf01e, Buffer.concat([Buffer.alloc(17, 1), Buffer.from('MZ program')]));
    const { data, kinds } = await run({ text: '@', data: object(0x64, picture), dataAt: 0 });
    expect(data.toString('latin1')).not.toContain('MZ');
    expect(kinds).toContain('disguised content');
  });

  test('drops the path of a linked picture', async () => {
    const { data } = await run({ text: '@', data: object(0x66, Buffer.from('\x08\\\\srv\\a.b', 'latin1')), dataAt: 0 });
    expect(data.toString('latin1')).not.toContain('srv');
  });

  test('drops the macros of a form field and keeps its name', async () => {
    const text = (value: string) =>
      Buffer.concat([Buffer.from([value.length, 0]), Buffer.from(`${value}\0`, 'utf16le')]);
    const field = Buffer.concat([
      Buffer.from('ffffffff000000000000', 'hex'),
      ...['Field', '', '', '', '', 'EntryMacro', 'ExitMacro'].map(text),
    ]);
    const { data } = await run({
      text: '{FORMTEXT @|x}',
      fieldType: 0x46,
      data: object(0, field),
      dataAt: 0,
      isFieldData: true,
    });
    expect(data.toString('utf16le')).toContain('Field');
    expect(data.toString('utf16le')).not.toMatch(/Macro/);
  });
});

test.each([
  ['behind a password', { flags: 0x0100 }, 'encrypted'],
  ['of Word 95', { version: 0x0065 }, 'unsupported'],
  ['of Word 6', { magic: 0xa5dc }, 'unsupported'],
  ['whose text leads out of it', { pieces: pieceTable(1 << 20, 10) }, 'unreadable'],
  ['without a piece table', { pieces: Buffer.alloc(30, 9) }, 'unreadable'],
])('a document %s is refused', async (_what, options, code) => {
  expect(await refusalCode(buildDoc(options), 'a.doc')).toBe(code);
});
