/** A field whose name is put together out of pieces may be any field. Word reads it as one, and a search for names does not. */
import { describe, expect, test } from 'vitest';
import { compoundFile, wordDocument } from '../office-fixture.ts';
import { verdictOn } from './analyse.ts';

const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const shown = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const [BEGIN, SEPARATE, END] = [mark('begin'), mark('separate'), mark('end')];
const nested = (text: string, result: string) => `${BEGIN}${code(text)}${SEPARATE}${shown(result)}${END}`;
const inDocument = (...field: string[]) => verdictOn(wordDocument({ body: `<w:p>${field.join('')}</w:p>` }), 'a.docx');

describe('a field of a document', () => {
  test.each<[string, ...string[]]>([
    ['the result of another', BEGIN, code('D'), nested(' QUOTE "D" ', 'D'), code('E c:\\\\a '), END],
    ['nothing and another', BEGIN, nested(' QUOTE "DDE a" ', 'DDE a'), END],
    ['pieces around an empty one', BEGIN, code(' DD'), nested(' SET a "" ', ''), code('EAUTO a '), END],
    [
      'pieces around a deletion',
      BEGIN,
      code('D'),
      '<w:del><w:r><w:delInstrText>x</w:delInstrText></w:r></w:del>',
      code('DE a '),
      END,
    ],
    ['pieces around a text', BEGIN, code('D'), shown('x'), code('DE a '), END],
    [
      'pieces around what only some programs read',
      BEGIN,
      code('D'),
      '<mc:AlternateContent><mc:Choice Requires="x"><w:r><w:instrText>x</w:instrText></w:r></mc:Choice></mc:AlternateContent>',
      code('DE a '),
      END,
    ],
  ])('whose name is put together of %s is suspicious', async (_, ...field) => {
    expect(await inDocument(...field)).toMatch(/^suspicious .*office-active-field/);
  });

  test.each<[string, ...string[]]>([
    [
      'compares the result of another',
      BEGIN,
      code(' IF '),
      nested(' PAGE ', '1'),
      code(' = 1 "a" "b" '),
      SEPARATE,
      shown('a'),
      END,
    ],
    ['calculates with another', BEGIN, code(' ='), nested(' PAGE ', '1'), code('+1 '), SEPARATE, shown('2'), END],
    ['has another in its result', BEGIN, code(' TOC \\\\o '), SEPARATE, shown('a'), nested(' PAGEREF a ', '1'), END],
    ['is written in pieces', BEGIN, code(' PA'), code('GE '), SEPARATE, shown('1'), END],
    ['was deleted', BEGIN, '<w:del><w:r><w:delInstrText> PAGE </w:delInstrText></w:r></w:del>', SEPARATE, END],
  ])('that %s is benign', async (_, ...field) => {
    expect(await inDocument(...field)).toBe('benign');
  });
});

describe('a field of a document of Word 97-2003', () => {
  const withText = (text: string) => {
    const bytes = Buffer.alloc(0x800);
    bytes.writeUInt16LE(0xa5ec, 0);
    bytes.writeUInt16LE(0x00c1, 2);
    bytes.write(text, 0x400, 'latin1');
    return verdictOn(compoundFile({ WordDocument: bytes, '1Table': Buffer.alloc(16) }), 'a.doc');
  };

  test('with another in its name is suspicious', async () => {
    expect(await withText('\x13D\x13 QUOTE "D" \x14D\x15E a \x15')).toMatch(/^suspicious .*office-active-field/);
  });

  test('with another behind its name is no finding', async () => {
    expect(await withText('\x13 IF \x13 PAGE \x141\x15 = 1 "a" "b" \x14a\x15')).not.toContain('office-active-field');
  });
});

describe('a field of rich text', () => {
  const withField = (text: string) =>
    verdictOn(Buffer.from(`{\\rtf1\\ansi {\\field{\\*\\fldinst ${text}}{\\fldrslt a}}}`), 'a.rtf');

  test('with another in its name is suspicious', async () => {
    expect(await withField('D{\\field{\\fldinst { QUOTE "D" }}{\\fldrslt D}}E a ')).toMatch(/^suspicious .*rtf-active/);
  });

  test('with another behind its name is no finding', async () => {
    expect(await withField(' IF {\\field{\\*\\fldinst PAGE }{\\fldrslt 1}} = 1 "a" "b" ')).not.toContain('rtf-active');
  });
});
