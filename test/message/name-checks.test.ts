import { describe, expect, test } from 'vitest';
import { disagreesWithType, hasDoubleExtension, isDeceptive } from '../../lib/message/headers/name-checks.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { lines, mail, multipart, TEXT } from './mail-builder.ts';

describe('a name', () => {
  test.each([
    'invoice.pdf.exe',
    'a.DOCX.js',
    'photo.jpg   .scr',
    'report.pdf.exe. ',
    'x.txt\u202e.exe',
    'a.ics.one',
    'photo.mov.rb',
  ])('that looks like a document and is a program: %j', (name) => expect(hasDoubleExtension(name)).toBe(true));

  test.each(['backup.tar.gz', 'report.v2.pdf', 'setup.exe', 'a.b.c', 'minutes.2026.docx', 'exe.pdf'])(
    'of one kind only: %j',
    (name) => expect(hasDoubleExtension(name)).toBe(false),
  );

  test.each([
    'annexe\u202efdp.exe',
    'a.pdf\0.exe',
    'a.exe.',
    'a.exe ',
    'C:\\tmp\\a.exe',
    '../a',
    `a.pdf${' '.repeat(60)}.exe`,
  ])('that is shown other than it is: %j', (name) => expect(isDeceptive(name)).toBe(true));

  test.each(['Grüße 報告.png', 'report (final).pdf', 'a b.txt', '\u200fדוח.pdf'])('that is plain: %j', (name) =>
    expect(isDeceptive(name)).toBe(false),
  );

  test.each([
    ['photo.exe', 'image/png', true],
    ['photo.pdf', 'image/png', true],
    ['notes.js', 'text/plain', true],
    ['notes.csv', 'text/plain', false],
    ['report.pdf', 'application/octet-stream', false],
    ['photo.jpeg', 'image/png', false],
    ['report.docx', 'application/msword', false],
  ])('%s declared as %s: disagrees %s', (name, type, expected) => expect(disagreesWithType(name, type)).toBe(expected));

  test('causes a warning at its part, and is listed unchanged', async () => {
    const part = lines(
      'Content-Type: image/png; name="a.pdf.exe"',
      'Content-Disposition: attachment; filename="b/c.png"',
      '',
      'x',
    );
    const { parts, warnings } = await readMessage(mail(multipart('mixed', 'b', [TEXT, part])), DEFAULT_LIMITS);
    expect(parts[2]?.untrustedNames).toEqual(['b/c.png', 'a.pdf.exe']);
    expect(warnings.map(({ code, path }) => `${path} ${code}`).sort()).toEqual([
      '1.2 deceptive_name',
      '1.2 double_extension',
      '1.2 type_name_mismatch',
    ]);
  });
});
