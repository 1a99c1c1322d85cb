import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { painter, painterFor, wrap } from '../../lib/local/paint.ts';

test.each([
  ['ordinary words', 'the quick brown fox jumps over the lazy dog '.repeat(4).trim()],
  ['wide characters, which take two columns', '請求書 添付 確認 '.repeat(12).trim()],
  ['combining marks, which take none', 'e\u0301te\u0301 '.repeat(30).trim()],
])('no line of %s is wider than it may be, and no word is lost', (_, text) => {
  const lines = wrap(text, 20, '    ').split('\n    ');
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(20);
  expect(lines.join(' ')).toBe(text);
  expect(lines.length).toBeLessThan(text.split(' ').length);
});

test('lines are as wide as the terminal, within reason, and 100 columns elsewhere', () => {
  const on = (isTTY: boolean, columns: number) => painterFor({ stdout: { isTTY, columns } as never, env: {} }).width;
  expect([on(true, 80), on(true, 300), on(true, 20), on(false, 80), painter(false).width]).toEqual([
    80, 100, 60, 100, 100,
  ]);
});
