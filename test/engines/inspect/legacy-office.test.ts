/** Word, Excel and PowerPoint 97-2003: what must be gone is found, and the result of a disarm that removes it passes. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { buildDoc } from '../../fixtures/build-doc.ts';
import { atom, buildPpt, container, slide, text } from '../../fixtures/build-ppt.ts';
import { buildXls, bytes, call, formula, label, name, words, type XlsRecord } from '../../fixtures/build-xls.ts';
import { disarmReport } from '../disarm/run-disarm.ts';

const DOC: FileType = 'application/msword';
const XLS: FileType = 'application/vnd.ms-excel';
const PPT: FileType = 'application/vnd.ms-powerpoint';

async function found(content: Uint8Array, fileType: FileType): Promise<string[]> {
  const file = { bytes: content, type: describeType(fileType) };
  const { leftovers } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  // The library that writes these files adds a stream of its own.
  return leftovers.filter(({ where }) => where !== '^1Sh33tJ5').map(({ id }) => id);
}

/** A name with two bytes for each letter. */
function wide([id, data]: XlsRecord): XlsRecord {
  const end = 15 + (data[3] ?? 0);
  const letters = Buffer.from(Buffer.from(data.subarray(15, end)).toString('latin1'), 'utf16le');
  return [id, Buffer.concat([data.subarray(0, 14), Buffer.of(1), letters, data.subarray(end)])];
}

/** The finding is in the original, and never in the result. */
async function isFoundAndRemoved(content: Uint8Array, fileType: FileType, id: string) {
  expect(await found(content, fileType)).toContain(id);
  const report = await disarmReport(content, `a.${describeType(fileType).extension}`);
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  expect(report.outcome).toBe('disarmed');
  expect(await found(report.bytes, fileType)).toEqual([]);
  return report;
}

describe('fields of a document', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');

  test.each([
    'DDEAUTO c:\\windows\\a.exe "one two three four five six seven eight nine ten eleven twelve"',
    'INCLUDETEXT "http://a.example/a.doc"',
    'HYPERLINK "file:///c:/a.exe"',
    'LINK Excel.Sheet.8 "a.xls"',
    'MACROBUTTON Run here',
  ])('%s is removed, and its code does not count as lost text', async (code) => {
    const report = await isFoundAndRemoved(buildDoc({ text: `${lines} {${code}|shown} end` }), DOC, 'doc-field');
    expect(report?.quality.words).toEqual({ before: 42, kept: 42 });
  });

  test('with a live type in the table are found, with any code', async () => {
    await isFoundAndRemoved(buildDoc({ text: 'a {PAGE|1} b', fieldType: 0x2d }), DOC, 'doc-field');
  });

  test('are found behind a blank that does not break', async () => {
    expect(await found(buildDoc({ text: 'a {HYPERLINK\u00a0"file:///c:/a.exe"|x} b' }), DOC)).toContain('doc-field');
    expect(await found(buildDoc({ text: 'a {HYPERLINK\u00a0"https://a.example/"|x} b' }), DOC)).toEqual([]);
  });

  test('inside the code of another field are part of that code', async () => {
    expect(await found(buildDoc({ text: 'a {QUOTE {PAGE|1} b|shown} c' }), DOC)).toContain('doc-field');
    expect(await found(buildDoc({ text: 'a {= {PAGE|1} + 1|2} c' }), DOC)).toEqual([]);
  });

  test('that are harmless are not reported', async () => {
    const content = buildDoc({ text: 'a {PAGE|1} {HYPERLINK "https://a.example/"|link} {TOC \\o|list} b' });
    expect(await found(content, DOC)).toEqual([]);
  });
});

const sheet = (...records: readonly XlsRecord[]) => buildXls({ sheets: [{ name: 'Sheet1', records }] });
const string = (value: string) => Buffer.concat([Buffer.from([0x17, value.length, 0]), Buffer.from(value, 'latin1')]);
const variadic = (count: number, id: number) => Buffer.concat([Buffer.from([0x42, count]), words(id)]);
const linkTo = (target: string) => {
  const path = Buffer.from(`${target}\0`, 'utf16le');
  const head = bytes('d0c9ea79f9bace118c8200aa004ba90b 02000000 03000000 e0c9ea79f9bace118c8200aa004ba90b');
  return Buffer.concat([words(0, 0, 0, 0), head, words(path.length, 0), path]);
};

describe('of a workbook', () => {
  const LIVE = [53, 54, 55, 110, 123, 132, 137, 138, 149, 150, 166, 175, 176, 177, 178, 186, 201, 257, 267, 379];

  test.each(LIVE)('a formula that calls function %i becomes its value', async (id) => {
    await isFoundAndRemoved(sheet(label(0, 0, 'total'), formula(1, 0, call(id))), XLS, 'xls-formula');
  });

  test('a macro sheet inside a sheet is removed', async () => {
    const begin: XlsRecord = [0x0809, words(0x0600, 0x40, 0, 0, 0, 0, 0, 0)];
    const inner = sheet(label(0, 0, 'total'), begin, label(1, 1, 'inner'), [0x000a, Buffer.alloc(0)]);
    await isFoundAndRemoved(inner, XLS, 'xls-macro-sheet');
  });

  test('a call of function 304 is found', async () => {
    expect(await found(sheet(formula(0, 0, call(304))), XLS)).toEqual(['xls-formula']);
  });

  test.each([0x8011, 0x8060, 0x8076, 0x8094])('a macro command (%i) becomes its value', async (id) => {
    const code = Buffer.concat([bytes('1e 0100'), variadic(1, id)]);
    await isFoundAndRemoved(sheet(formula(0, 0, code)), XLS, 'xls-formula');
  });

  test('a live call behind strings, choices and brackets is still found', async () => {
    const code = Buffer.concat([string('a'), bytes('19 04 0100 0800 1000'), bytes('1e 0100 15'), call(110)]);
    expect(await found(sheet(formula(0, 0, code)), XLS)).toContain('xls-formula');
  });

  test('HYPERLINK to a file becomes its value, and HYPERLINK to the web stays', async () => {
    const to = (target: string) => sheet(formula(0, 0, Buffer.concat([string(target), variadic(1, 359)])));
    await isFoundAndRemoved(to('file:///c:/a.exe'), XLS, 'xls-formula');
    expect(await found(to('https://a.example/'), XLS)).toEqual([]);
  });

  test('a formula of unknown tokens is found, and one that only calculates is not', async () => {
    await isFoundAndRemoved(sheet(formula(0, 0, bytes('7e 0000'))), XLS, 'xls-unknown-formula');
    expect(await found(sheet(formula(0, 0, bytes('25 0000 0100 0000 0000 19 10 0000'))), XLS)).toEqual([]);
  });

  test.each<[string, XlsRecord, string]>([
    ['a name that runs on opening', name('\u0001', bytes('1e 0100'), 0x20), 'xls-auto-name'],
    ['the same name spelled out', name('AUTO_open_x', bytes('1e 0100')), 'xls-auto-name'],
    ['the same name with a prefix', name('_xlnm.Auto_Close', bytes('1e 0100')), 'xls-auto-name'],
    ['the same name in two bytes a letter', wide(name('AUTO_OPEN', bytes('1e 0100'))), 'xls-auto-name'],
    ['a name that calls behind two bytes a letter', wide(name('x', call(150))), 'xls-formula'],
    ['a name of a macro', name('run', bytes('1e 0100'), 0x08), 'xls-name-macro'],
    ['a name that calls', name('x', call(150)), 'xls-formula'],
    ['another workbook', [0x01ae, bytes('0100 0900 00 01433a5c612e786c73')], 'xls-external-book'],
    ['a printer', [0x004d, Buffer.alloc(8)], 'xls-printer'],
    ['a query', [0x01ad, Buffer.alloc(8)], 'xls-query'],
  ])('%s is removed', async (_what, record, id) => {
    await isFoundAndRemoved(buildXls({ globals: [record] }), XLS, id);
  });

  test.each(['_xlfn.WEBSERVICE', 'call', '_xll._xlfn.RTD'])(
    'a name of a function that calls is found: %s',
    async (text) => {
      expect(await found(buildXls({ globals: [name(text, bytes('1e 0100'))] }), XLS)).toEqual(['xls-formula']);
    },
  );

  test('a mark of a template is found', async () => {
    expect(await found(buildXls({ globals: [[0x0060, Buffer.alloc(0)]] }), XLS)).toEqual(['xls-template']);
  });

  test.each(['callers', 'webservices', 'a.call'])('another name is not: %s', async (text) => {
    expect(await found(buildXls({ globals: [name(text, bytes('1e 0100'))] }), XLS)).toEqual([]);
  });

  test('a link of a cell is removed when it leads to a file', async () => {
    await isFoundAndRemoved(sheet([0x01b8, linkTo('file:///c:/a.exe')]), XLS, 'xls-link');
    expect(await found(sheet([0x01b8, linkTo('https://a.example/')]), XLS)).toEqual([]);
  });
});

describe('of a presentation', () => {
  test('the slides and the words are counted', async () => {
    const file = { bytes: buildPpt({ slides: [slide('one two'), slide('three')] }), type: describeType(PPT) };
    const { units, words } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
    expect(units).toEqual({ kind: 'slides', before: 2, after: 2 });
    expect(words).toEqual({ before: 3, kept: 3, after: 3 });
  });

  const link = (target: string) =>
    container(0x0409, [container(0x0fd7, [atom(0x0fd3, Buffer.alloc(4)), text('shown', 0), text(target, 1)])]);

  test.each(['file:///c:/a.exe', '\\\\server\\share', 'javascript:run()', 'a.exe'])(
    'the link to %s goes',
    async (to) => {
      await isFoundAndRemoved(buildPpt({ document: [link(to)] }), PPT, 'ppt-link');
    },
  );

  test.each(['https://a.example/', '256,1,Title'])('the link to %s stays', async (to) => {
    expect(await found(buildPpt({ document: [link(to)] }), PPT)).toEqual([]);
  });

  test('the macro of a click is removed', async () => {
    const info = Buffer.alloc(16);
    info[8] = 1;
    const click = container(0x0ff2, [atom(0x0ff3, info), text('Run', 2)]);
    await isFoundAndRemoved(buildPpt({ slides: [slide('a', click)] }), PPT, 'ppt-macro');
  });

  test.each([
    [0x0fcc, 'ppt-object'],
    [0x0fce, 'ppt-linked-object'],
    [0x0fee, 'ppt-control'],
    [0x1006, 'ppt-media'],
  ])('record %i is removed', async (kind, id) => {
    await isFoundAndRemoved(buildPpt({ document: [container(kind, [])] }), PPT, id);
  });

  test('what newer versions keep of themselves is removed', async () => {
    await isFoundAndRemoved(
      buildPpt({ slides: [slide('a', atom(0x040e, Buffer.from('PK')))] }),
      PPT,
      'ppt-newer-version',
    );
  });

  test('slides of earlier saves, and what no save names, are removed', async () => {
    await isFoundAndRemoved(buildPpt({ earlier: [slide('old')] }), PPT, 'ppt-stray-data');
    await isFoundAndRemoved(buildPpt({ stray: Buffer.alloc(40) }), PPT, 'ppt-stray-data');
  });
});

describe('a file that cannot be read', () => {
  test('does not count as an empty file', async () => {
    expect(await found(Buffer.from('no such file'), DOC)).toEqual(['ole-unreadable']);
  });

  test('because it is encrypted is not counted', async () => {
    const content = buildXls({ password: 'secret', sheets: [{ name: 'a', records: [label(0, 0, 'one two')] }] });
    const report = await disarmReport(content, 'a.xls', { password: 'secret' });
    expect(report).toMatchObject({ outcome: 'disarmed', quality: { words: null, units: null } });
  });
});
