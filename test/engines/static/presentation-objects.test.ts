/** Objects, controls and macros of PowerPoint 97 to 2003, which stand compressed in its records. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { writeCompoundFile } from '../../../lib/engines/disarm/compound/write.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { analyseFile } from '../../../lib/engines/static/analyse-file.ts';
import { atom, buildPpt, container, slide } from '../../fixtures/build-ppt.ts';
import { ARGS_CALL, compiledProject, LIT_STR, OFFICES } from '../../hostile/static/compiled-fixture.ts';
import { packageOf } from '../../hostile/static/document-fixture.ts';
import { PROGRAM } from '../../hostile/static/sample.ts';
import { compoundFile, vbaProject, wordDocument } from '../office-fixture.ts';
import { reportOn, verdictOn } from './analyse.ts';

const STORAGE = 0x1011;
const CLASSES = {
  sheet: '2008020000000000c000000000000046',
  package: '0c00030000000000c000000000000046',
  equation: '02ce020000000000c000000000000046',
  mathType: '03ce020000000000c000000000000046',
  browser: '61f95688fbd0cf11a8a200aa0060fafb',
  checkBox: '401dd28b42ecce119e0d00aa006002f3',
  presentation: '108d81649b4fcf1186ea00aa00b929e8',
};

const object = (clsid: string, streams: Readonly<Record<string, Uint8Array>>) =>
  writeCompoundFile({
    clsid,
    streams: new Map(Object.entries(streams).map(([name, bytes]) => [name, Buffer.from(bytes)])),
  });

function compressed(bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, deflateSync(bytes)]);
}

/** A presentation with storages behind its slides. `flag` says that there are macros. */
const withStorages = (storages: readonly Uint8Array[], document: readonly Uint8Array[] = []) =>
  buildPpt({ slides: [slide('Quarterly figures'), ...storages.map((one) => atom(STORAGE, one, 1))], document });

const HAS_MACROS = container(0x03ff, [atom(0x0400, Buffer.from('030000000100000002000000', 'hex'), 2)]);
const ATTACK = vbaProject('Sub Auto_Open()\r\nShell "calc"\r\nEnd Sub');
const withObject = (clsid: string, streams: Readonly<Record<string, Uint8Array>>) =>
  withStorages([compressed(object(clsid, streams))]);

describe('a macro of a presentation', () => {
  const PLAIN = compiledProject(
    OFFICES['Office 2016 of 64 bits'] ?? { number: 0xd7, is64: true },
    'Sub Report()\r\nMsgBox "Total"\r\nEnd Sub\r\n',
    'Report',
    [
      [
        [LIT_STR, { text: 'Total' }],
        [ARGS_CALL, 'MsgBox', 1],
      ],
    ],
  );

  test.each([
    ['compressed', compressed(ATTACK)],
    ['as it is', ATTACK],
    ['with a checksum of something else', Buffer.concat([compressed(ATTACK).subarray(0, -4), Buffer.alloc(4, 1)])],
    ['without an end', Buffer.concat([compressed(Buffer.concat([ATTACK, Buffer.alloc(5_000)])).subarray(0, -8)])],
  ])('that starts a program is found %s', async (_, storage) => {
    expect(await verdictOn(withStorages([storage], [HAS_MACROS]), 'a.ppt')).toMatch(
      /^malicious .*macro-acts-by-itself.*office-macro/,
    );
  });

  test('is found where nothing says that there is one', async () => {
    expect(await verdictOn(withStorages([compressed(ATTACK)]), 'a.ppt')).toMatch(/^malicious .*macro-acts-by-itself/);
  });

  test('is found in a presentation that is an object of a document', async () => {
    const inner = { 'PowerPoint Document': atom(STORAGE, compressed(ATTACK), 1) };
    const part = { 'word/embeddings/oleObject1.bin': object(CLASSES.presentation, inner) };
    const outer = wordDocument({ relationships: [['oleObject', 'embeddings/oleObject1.bin', false]], parts: part });
    expect(await verdictOn(outer, 'a.docx')).toMatch(/^malicious .*macro-acts-by-itself/);
    const old = compoundFile({ 'MBD0001/PowerPoint Document': inner['PowerPoint Document'] });
    expect(await verdictOn(old, 'a.doc')).toMatch(/^malicious .*macro-acts-by-itself/);
  });

  test('that only shows a sum is a fact', async () => {
    const bytes = withStorages([compressed(PLAIN)], [HAS_MACROS]);
    expect(await verdictOn(bytes, 'a.ppt')).toBe('unknown office-macro');
  });

  test('that cannot be read is suspicious', async () => {
    const bytes = withStorages([Buffer.from('0000000078ff00ff00ff', 'hex')], [HAS_MACROS]);
    expect(await verdictOn(bytes, 'a.ppt')).toMatch(/^suspicious .*office-macro/);
  });
});

describe('an object of a presentation', () => {
  const data = Buffer.alloc(200, 1);

  test('that is a sheet is a fact', async () => {
    expect(await verdictOn(withObject(CLASSES.sheet, { Workbook: data }), 'a.ppt')).toBe(
      'unknown office-embedded-object',
    );
  });

  test.each([
    ['of another class', withObject(CLASSES.browser, { Contents: data })],
    ['that is a link', withObject(CLASSES.sheet, { '\u0001Ole': Buffer.from('0100000201000000', 'hex') })],
    ['that cannot be unpacked', withStorages([Buffer.from('0000000078ff00ff00ff', 'hex')])],
    ['beside an ordinary one', withStorages([object(CLASSES.sheet, {}), object(CLASSES.browser, { Contents: data })])],
  ])('%s is suspicious', async (_, bytes) => {
    expect(await verdictOn(bytes, 'a.ppt')).toMatch(/^suspicious .*office-embedded-object/);
  });

  test.each([
    ['a picture', 'holiday.png', 'unknown office-embedded-object'],
    ['a page that runs', 'a.hta', 'malicious office-embedded-object office-embedded-program'],
    ['a name that shows another one', 'a.exe:b.txt', 'malicious office-embedded-object office-embedded-program'],
    ['a kind that nobody knows', 'a.xyz', 'suspicious office-embedded-object'],
  ])('that is a file for a click: %s', async (_, name, expected) => {
    const bytes = withObject(CLASSES.package, { '\u0001Ole10Native': packageOf(name, Buffer.from('some bytes')) });
    expect(await verdictOn(bytes, 'a.ppt')).toBe(expected);
  });

  test('that is a program under the name of a picture is found', async () => {
    const bytes = withObject(CLASSES.package, { '\u0001Ole10Native': packageOf('holiday.png', PROGRAM) });
    expect(await verdictOn(bytes, 'a.ppt')).toMatch(/office-embedded-program/);
  });

  test('that unpacks to more than is looked at is refused', async () => {
    const bomb = withStorages([compressed(Buffer.alloc(4 * 1024 * 1024))]);
    const limits = { ...DEFAULT_ENGINE_LIMITS, inflatedBytes: 1024 * 1024 };
    const report = await analyseFile({ bytes: bomb, untrustedName: 'a.ppt', password: null }, limits);
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
  });
});

describe('a control of a presentation', () => {
  const control = container(0x0fee, []);

  test('that is a check box is a fact, and another one is not', async () => {
    const box = compressed(object(CLASSES.checkBox, { contents: Buffer.alloc(40) }));
    expect(await verdictOn(withStorages([box], [control]), 'a.ppt')).toBe(
      'unknown office-activex office-embedded-object',
    );
    expect(await verdictOn(withStorages([box], [control, control]), 'a.ppt')).toMatch(/^suspicious /);
    const browser = compressed(object(CLASSES.browser, { contents: Buffer.alloc(40) }));
    expect(await verdictOn(withStorages([browser], [control]), 'a.ppt')).toMatch(/^suspicious .*office-activex/);
  });
});

describe('a formula', () => {
  /** 28 bytes in front, then the version and the program, then records. */
  const formula = (records: string, version = '03') => {
    const mtef = Buffer.from(`${version}0101030a${records}`, 'hex');
    const head = Buffer.from('1c0000000200d3c10000000000000000000000000000000000000000', 'hex');
    head.writeUInt32LE(mtef.length, 8);
    return Buffer.concat([head, mtef]);
  };
  const withFormula = (bytes: Buffer, clsid = CLASSES.equation) => withObject(clsid, { 'Equation Native': bytes });
  const name = (length: number) => `0801${'00'}${'41'.repeat(length)}00`;

  test.each([
    ['one plus one', '0a0102883100028a2b000288310000' + '00'],
    ['a fraction in a matrix', '0a05010101020100000301000000' + '00010000' + '00'],
    ['a font', `0a01${name(31)}028831000000`],
  ])('that is %s is a fact', async (_, records) => {
    const report = await reportOn(withFormula(formula(records)), 'a.ppt');
    expect(report.findings.filter(({ level }) => level !== 'benign')).toEqual([]);
  });

  test.each([
    ['a font whose name does not fit', `0a01${name(32)}028831000000`],
    ['a font whose name has no end', `0a010801004141414141`],
    ['a matrix with more rows than fit', '0a0501010120010000000000000000000000000000' + '0000'],
    ['a record that is none', '0a010f0000'],
    ['a ruler without the number of its stops', '0a0a0a0a07'],
    ['a line whose ruler has none', '0a0a0a2107'],
    ['bytes behind its end', `0a010000${'90'.repeat(40)}`],
  ])('that has %s is suspicious', async (_, records) => {
    expect(await verdictOn(withFormula(formula(records)), 'a.ppt')).toMatch(/^suspicious .*office-embedded-object/);
  });

  test('of another version or program is one only in the class of MathType', async () => {
    const newer = formula('010000', '05');
    expect(await verdictOn(withFormula(newer), 'a.ppt')).toMatch(/^suspicious /);
    expect(await verdictOn(withFormula(newer, CLASSES.mathType), 'a.ppt')).toBe('unknown office-embedded-object');
    expect(await verdictOn(withFormula(newer, CLASSES.sheet), 'a.ppt')).toMatch(/^suspicious /);
  });
});
