/** The table of types: which module takes which type, and which types nobody looks at a second time. */
import { expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { inspectOutput } from '../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../lib/formats/detection/detect.ts';
import { deliveredTypeOf, describeType, disarmOf, secondLookOf } from '../../lib/formats/file-types.ts';
import { zipOf } from '../engines/zip-fixture.ts';

test.each([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
  ['text/plain', 'text'],
  ['text/csv', 'csv'],
  ['image/svg+xml', 'svg'],
  ['image/png', 'image'],
  ['image/heic', 'image'],
  ['image/jxl', 'image'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'office'],
  ['application/vnd.ms-excel.sheet.binary.macroenabled.12', 'binary-workbook'],
  ['application/vnd.openxmlformats-officedocument.unknown', null],
  ['image/x-unheard-of', null],
  ['constructor', null],
])('%s is taken by %s and by no module for what is only like it', (type, module) => {
  expect(disarmOf(type)).toBe(module);
});

test.each([
  'application/vnd.ms-word.document.macroenabled.12',
  'multipart/related',
  'image/x-unheard-of',
  'application/x-unheard-of',
])('a result that says it is %s, which no disarm writes, is a finding, handed out or in an archive', async (type) => {
  const output = { bytes: Buffer.from('a b c'), type: { type, extension: 'bin', description: 'a file' } };
  const archive = { bytes: zipOf({ 'a.bin': 'a b c' }), type: describeType('application/zip') };
  const detect = async () => output.type;
  for (const file of [output, archive]) {
    const { leftovers } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, { detectType: detect, secondLookOf });
    expect(leftovers).toContainEqual({ id: 'no-second-look', where: type });
  }
});

test('a result of a type that a disarm writes is looked at', async () => {
  const file = { bytes: Buffer.from('a b c'), type: describeType('text/plain') };
  const { leftovers, words } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  expect({ leftovers, words }).toEqual({ leftovers: [], words: { before: 3, kept: 3, after: 3 } });
});

test.each([
  ['pdf', 'application/pdf'],
  ['jpg', 'image/jpeg'],
  ['tsv', 'text/tab-separated-values'],
  ['xml', 'application/xml'],
  ['eml', 'application/octet-stream'],
  ['xlsb', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  ['jpeg', null],
  ['docm', null],
  ['json', null],
  ['exe', null],
  ['', null],
  ['constructor', null],
])('a disarmed file called .%s is delivered as %s', (extension, type) => {
  expect(deliveredTypeOf(extension)).toBe(type);
});
