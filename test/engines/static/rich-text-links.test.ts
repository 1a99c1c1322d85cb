/** Links, templates and linked pictures of rich text, in every way in which it can spell a path. */
import { describe, expect, test } from 'vitest';
import { verdictOn } from './analyse.ts';

const verdict = (inner: string) => verdictOn(Buffer.from(`{\\rtf1\\ansi ${inner} Text\\par}`, 'latin1'), 'a.rtf');
/** A text as RTF writes it. */
const spelled = (text: string) => text.replace(/[\\{}]/g, '\\$&');
const hex = (text: string) =>
  [...text].map((sign) => `\\'${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const numbered = (text: string) => [...text].map((sign) => `\\u${sign.charCodeAt(0)}?`).join('');
/** In the code of a field a backslash is written twice. */
const field = (target: string, spell = spelled) =>
  `{\\field{\\*\\fldinst {HYPERLINK "${spell(target.replaceAll('\\', '\\\\'))}"}}{\\fldrslt x}}`;

describe('a link', () => {
  test.each([
    '\\\\far.example\\a',
    'file://far.example/a',
    'C:\\a.exe',
    'cmd.exe',
    'search-ms:query=a',
    'javascript:a',
  ])('to a program or a far share is suspicious: %s', async (target) => {
    for (const spell of [spelled, hex, numbered])
      expect(await verdict(field(target, spell))).toBe('suspicious office-unsafe-link');
  });

  test('cut by groups and control words is read', async () => {
    const cut = '{\\field{\\*\\fldinst {HYPER}{\\b LINK "fi}{\\i0 le:}\r\n{//far.example/a"}}{\\fldrslt x}}';
    expect(await verdict(cut)).toBe('suspicious office-unsafe-link');
  });

  test.each(['\\\\fs01\\a\\b.docx', 'C:\\a\\b.docx'])('within the network is a fact: %s', async (target) => {
    expect(await verdict(field(target))).toBe('unknown office-file-link');
  });

  test.each(['https://far.example/a', 'mailto:a@far.example', 'annex.pdf', 'www.example.com'])(
    'to the web is ordinary: %s',
    async (target) => {
      expect(await verdict(field(target))).toBe('benign');
    },
  );

  test('with the data that Word keeps beside it is ordinary', async () => {
    const data = '{\\*\\datafield 00d0c9ea79f9bace118c8200aa004ba90b}';
    const link = `{\\field{\\*\\fldinst {HYPERLINK "https://far.example/a" \\\\t "_blank"}{${data}}}{\\fldrslt x}}`;
    expect(await verdict(link)).toBe('benign');
  });

  test('to a bookmark, and words behind a link, are ordinary', async () => {
    expect(await verdict('{\\field{\\*\\fldinst HYPERLINK \\\\l "_Toc1"}{\\fldrslt cmd.exe}}')).toBe('benign');
  });
});

test('fields that are in one another without end are not read without end, and are suspicious', async () => {
  expect(await verdict('{\\fldinst'.repeat(20_000))).toBe('suspicious rtf-active');
});

describe('a template', () => {
  test.each([
    '\\\\far.example\\a.dot',
    'https://far.example/a.dot',
    '\\\\?\\UNC\\far.example\\a.dot',
    '/\\far.example/a',
  ])('of another machine is suspicious: %s', async (path) => {
    for (const spell of [spelled, hex])
      expect(await verdict(`{\\*\\template ${spell(path)}}`)).toBe('suspicious rtf-active');
  });

  test.each(['C:\\Users\\pat\\letter.dotx', 'Normal.dotm'])('of its writer is ordinary: %s', async (path) => {
    for (const spell of [spelled, hex]) expect(await verdict(`{\\*\\template ${spell(path)}}`)).toBe('benign');
  });

  test.each(['C:{\\b x}', '\\u92?\\u92?far.example', 'C:\\par x', 'C:', 'C:\\bin1 x'])(
    'that Word does not write so is suspicious: %s',
    async (path) => {
      const end = path === 'C:' ? '' : '}';
      expect(await verdict(`{\\*\\template ${path}${end}`)).toMatch(/^suspicious .*rtf-active/);
    },
  );

  test('of another machine behind one of its writer is suspicious', async () => {
    expect(await verdict('{\\*\\template C:\\\\a.dot}{\\template \\\\\\\\far.example\\\\a}')).toBe(
      'suspicious rtf-active',
    );
  });
});

const picture = (name: string, flags: number) =>
  `{\\shp{\\*\\shpinst{\\sp{\\sn pibName}{\\sv ${spelled(name)}}}{\\sp{\\sn pibFlags}{\\sv ${flags}}}}}`;
test.each([
  ['https://far.example/a.png', 10, 'suspicious office-external-content'],
  ['\\\\far.example\\a.png', 8, 'suspicious office-external-content'],
  ['https://far.example/a.png', 2, 'benign'],
  ['C:\\a.png', 10, 'unknown office-file-link'],
])('a picture of a shape is loaded when its flags say so: %s, %i', async (name, flags, expected) => {
  expect(await verdict(picture(name, flags))).toBe(expected);
});
