import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { safeFileName, safeJson, safeText } from '../../lib/pipeline/safe-text.ts';

test.each([
  ['plain', 'invoice 2026.pdf', 'invoice 2026.pdf'],
  ['terminal escapes', 'a\u001b[31mb', 'a\ufffd[31mb'],
  ['line breaks', 'a\r\nBcc: x', 'a\ufffd\ufffdBcc: x'],
  ['bidi controls', 'fdp\u202Eexe', 'fdp\ufffdexe'],
  ['zero width', 'pay\u200bpal', 'pay\ufffdpal'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['fillers', 'a.pdf\u2800\u3164\u034f\u17b4.exe', 'a.pdf\ufffd\ufffd\ufffd\ufffd.exe'],
  ['an emoji with its shape stays', 'I \u2764\ufe0f it', 'I \u2764\ufe0f it'],
  ['other scripts stay', 'Rechnung für 山田さん', 'Rechnung für 山田さん'],
])('safeText: %s', (_, untrusted, expected) => {
  expect(safeText(untrusted, 100)).toBe(expected);
});

test('safeJson: no program acts on it, and it parses to the same value', () => {
  const acting = [
    '\u009b31m',
    '\u009d0;owned',
    '\u202Eevil',
    'a\u2028b',
    '\u{e0041}',
    '\ufeff',
    '\u007f',
    'a\u2800b\u3164',
  ];
  const json = safeJson(acting);
  expect(json).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(json)).toEqual(acting);
});

test('safeText cuts a long text and marks the cut', () => {
  expect(safeText('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
});

test.each([
  ['a macro document gets the name of what it is now', 'invoice.docm', 'docx', 'invoice.docx'],
  ['a path', '../../etc/passwd', 'txt', 'passwd.txt'],
  ['a Windows path', 'C:\\Users\\x\\report.pdf', 'pdf', 'report.pdf'],
  ['a name turned around', 'gpj.\u202Eexe', 'png', 'gpj._exe.png'],
  ['trailing dots and spaces', 'a.pdf. . .', 'pdf', 'a.pdf.pdf'],
  ['two extensions', 'invoice.pdf.exe', 'pdf', 'invoice.pdf.pdf'],
  ['nothing left', '///', 'bin', 'attachment.bin'],
  ['no name', null, 'png', 'attachment.png'],
  ['a header in a name', 'a"\r\nX: y.pdf', 'pdf', 'a___X_ y.pdf'],
])('safeFileName: %s', (_, untrusted, extension, expected) => {
  expect(safeFileName(untrusted, extension)).toBe(expected);
});

test('whatever a sender chose: one segment, no control, the given extension, short', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (untrusted) => {
      const name = safeFileName(untrusted, 'pdf');
      expect(name).toMatch(/^[^\\/\p{Cc}\p{Cf}]{1,110}\.pdf$/u);
    }),
  );
});

test('keys are made of ids, hashes and closed sets only; anything else throws', () => {
  const run = 'a'.repeat(32);
  const sha256 = 'b'.repeat(64);
  expect(keys.cleanFile(run, sha256, 'pdf')).toBe(`${run}/files/${sha256}.pdf`);
  for (const evil of ['../x', '', 'A'.repeat(32), `${run}/..`]) expect(() => keys.intake(evil)).toThrow(TypeError);
  expect(() => keys.artifact('../../etc')).toThrow(TypeError);
  expect(() => keys.cleanFile(run, sha256, 'pdf/../x')).toThrow(TypeError);
});
