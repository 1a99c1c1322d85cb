import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../lib/formats/detection/file-type.ts';
import { RUN_BY_NAME, RUN_FROM_ARCHIVES, RUN_FROM_MAIL } from '../../lib/formats/names/acting-names.ts';
import { extensionReadings } from '../../lib/formats/names/name-readings.ts';
import { isPlainName } from '../../lib/formats/names/plain-name.ts';
import { isLinear } from '../growth.ts';

const LONG = 'a'.repeat(5_000);

describe('some program opens it as a script', () => {
  test.each([
    'a.js',
    'A.JS',
    'a.js...',
    'a.js \u00a0',
    'a.js"',
    'a.js::$DATA',
    'a.js:b.txt',
    'b.txt:a.js',
    'a.js/b.txt',
    'b/a.js',
    'a.j\x01s',
    'a.j\x01s\0.txt',
    'a.js\0.txt',
    'a.j\u200bs',
    'a.j\u202es',
    'a.j\ufe0fs',
    'a.js;b.txt',
    'a.j*s',
    'a.j|s',
    'a%2ejs',
    'a%252ejs',
    'a%EF%BC%8Ejs',
    'a\u2024js',
    'a\uff0ejs',
    'a\u3002js',
    'a\uff61js',
    'a.\uff4a\uff53',
    'a.\u0135s',
    'a.j\xc3s',
    'a.j\ufffds',
    'b\u2215a.js',
    `${LONG}a.js`,
    `${LONG}a.js${'.'.repeat(5_000)}`,
    `${LONG}a.js\0${LONG}.txt`,
  ])('%j', (name) => expect(extensionReadings(name)).toContain('js'));
});

describe('names by which a file is run', () => {
  test.each([...RUN_FROM_ARCHIVES, ...RUN_FROM_MAIL].filter((extension) => extension !== 'iso'))(
    'is no text to policy: .%s',
    (extension) => {
      const hints = { untrustedNames: [`a.${extension}`], declaredType: 'text/plain', role: 'attachment' as const };
      expect(['script', 'executable', 'other']).toContain(identifyFile(Buffer.from('hello'), hints).typeGroup);
    },
  );

  test('are dangerous in an archive and in a mail', () => {
    for (const extension of ['exe', 'js', 'lnk', 'library-ms', 'one', 'py'])
      for (const names of [RUN_BY_NAME, RUN_FROM_ARCHIVES, RUN_FROM_MAIL]) expect(names).toContain(extension);
  });

  test('source code is not dangerous in a disarmed archive, and no name of a document', () => {
    for (const extension of ['pl', 'rb', 'vb', 'txt', 'pdf', 'zip']) {
      expect(RUN_BY_NAME).not.toContain(extension);
      expect(RUN_FROM_ARCHIVES).not.toContain(extension);
    }
  });
});

test.each(['Node.js in practice.pdf', 'Wie geht das mit a.js (1).pdf', 'a.jsé notes.pdf'])(
  'nobody opens %j as one',
  (name) => expect([...extensionReadings(name)]).not.toContain('js'),
);

test('a name of thousands of pieces costs what their number says', async () => {
  expect(await isLinear(4_000, (n) => extensionReadings('.a\0'.repeat(n)))).toBe(true);
});

describe('a name that all programs read alike', () => {
  test.each([
    'report.pdf',
    'Grüße 報告.png',
    "L'été (1).pdf",
    '100% sure.pdf',
    'Report%20Final.pdf',
    'Re: lunch.eml',
    'Who am I?.pdf',
    'Screenshot 10.02.33\u202fAM.pdf',
    '\u200fדוח.pdf',
    'می\u200cخواهم.pdf',
    '👨‍👩‍👧 ❤️.png',
    'v1.2 (final).pdf',
    '会議.pdf',
    `${'報告書'.repeat(26)}.pdf`,
  ])('%j', (name) => expect(isPlainName(name)).toBe(true));

  test.each([
    '',
    '.pdf',
    ' a.pdf',
    'a.pdf.',
    'a.pdf ',
    'a\0.pdf',
    'a\u200b.pdf',
    'a\u202efdp.pdf',
    '../a.pdf',
    'a/b.pdf',
    'a\\b.pdf',
    'C:a.pdf',
    'a.pdf::$DATA',
    'a.pdf:$DATA',
    'con.pdf',
    'LPT1',
    'a"b.pdf',
    '<b>.pdf',
    'a%2fb.pdf',
    'a%00.pdf',
    '=?utf-8?q?a?=',
    'www.evil.example.pdf',
    'a\uff0epdf',
    'a\u3002pdf',
    'a    b.pdf',
    'a\tb.pdf',
    'a\u200db.pdf',
    `${LONG}.pdf`,
    `a.js${'b'.repeat(120)}.pdf`,
  ])('is none of %j', (name) => expect(isPlainName(name)).toBe(false));
});
