import { expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/text/plain-text.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';

const TEXT = { type: 'text/plain', extension: 'txt', description: 'plain text' };
const run = (bytes: Uint8Array) =>
  disarm({ bytes, untrustedName: 'a.txt', password: null }, TEXT, DEFAULT_ENGINE_LIMITS);

test.each([
  ['UTF-8', Buffer.from('héllo\r\n\tworld')],
  ['a Latin charset', Buffer.from('h\xe9llo', 'latin1')],
  ['UTF-16 with a mark', Buffer.from('\ufeffhello', 'utf16le')],
  ['nothing', Buffer.alloc(0)],
])('keeps %s byte for byte', async (_, bytes) => {
  const report = await run(bytes);
  expect(report).toMatchObject({ outcome: 'already_safe', details: [] });
  expect(report.bytes).toBe(bytes);
});

test.each([
  ['NUL bytes', Buffer.from('MZ\0\0\x03')],
  ['control characters', Buffer.from('a\x07b')],
])('refuses a text with %s', async (_, bytes) => {
  await expect(run(bytes)).rejects.toMatchObject({ code: 'unreadable' });
});

const ESC = '\x1b';

test.each([
  ['a colour', `${ESC}[31mError${ESC}[0m at`, ' [31mError [0m at'],
  ['a title of the window', `${ESC}]0;title\x0cword`, ' ]0;title\x0cword'],
  ['an escape that names letters, with more behind it', `${ESC}(B${ESC}[2J`, `${ESC}(B [2J`],
  ['an escape at the end', `word${ESC}`, 'word '],
  ['a command in one character', 'a\u009b31mb\u009d0;c\u0090d', 'a  31mb  0;c  d'],
])('takes the command of a terminal out of text: %s', async (_, before, after) => {
  const report = await run(Buffer.from(before));
  expect(report).toMatchObject({ outcome: 'disarmed', details: [{ kind: 'control characters' }] });
  expect(Buffer.from(report.bytes ?? []).toString()).toBe(after);
  expect(await run(Buffer.from(after))).toMatchObject({ outcome: 'already_safe' });
});

test.each(['utf16le', 'utf16be'] as const)('takes it out of %s, too', async (encoding) => {
  const bytes = (text: string) => {
    const wide = Buffer.from(text, 'utf16le');
    return encoding === 'utf16le' ? wide : wide.swap16();
  };
  for (const mark of ['\ufeff', '']) {
    const report = await run(bytes(`${mark}a${ESC}[31mb`));
    expect(Buffer.from(report.bytes ?? [])).toEqual(bytes(`${mark}a [31mb`));
  }
});

test.each([
  ['Japanese in ISO-2022-JP', `${ESC}$B$3$s$K$A$O${ESC}(B and ${ESC}(I1${ESC}(J`],
  ['Korean in ISO-2022-KR', `${ESC}$)C text`],
  ['letters of Czech that were converted twice', 'mu\u009e, p\u009ff'],
  ['a letter of Latin 1 where terminals have a command', Buffer.from('caf\xe9 \x9bmot\x9d', 'latin1')],
])('keeps %s', async (_, text) => {
  expect(await run(Buffer.from(text))).toMatchObject({ outcome: 'already_safe' });
});

test.each([
  ['utf-32le', (code: number) => [code & 0xff, code >> 8, 0, 0]],
  ['utf-32be', (code: number) => [0, 0, code >> 8, code & 0xff]],
])('takes commands of terminals out of %s, and keeps letters of which a byte looks like one', async (_, unit) => {
  const codes = [...'\ufeffp\u011bt \u009b2J \u1b00'].map((letter) => letter.codePointAt(0) ?? 0);
  const report = await run(Buffer.from(codes.flatMap(unit)));
  expect(Buffer.from(report.bytes).toString().replace('\ufeff', '')).toBe('p\u011bt  2J \u1b00');
});
