import { expect, test } from 'vitest';
import { holdsEntity, holdsSoftEnd, textViews } from '../../lib/message/encodings/text-views.ts';

/** Around the places at which the search for the end of a line changes its way, and at which a text is looked at in pieces. */
const LENGTHS = [0, 1, 14, 15, 16, 17, 18, 300, 32_766, 32_767, 32_768, 40_000];

test('a blank before the end of a line is seen wherever it stands', () => {
  for (const length of LENGTHS)
    for (const end of [' \n', ' \r\n']) {
      const before = 'x'.repeat(length);
      for (const text of [`${before}${end}`, `short\r\n${before}${end}rest`, `\n\n${before}${end}`])
        expect(holdsSoftEnd(Buffer.from(text)), JSON.stringify(text.slice(-20))).toBe(true);
    }
});

test('a blank anywhere else is no end of a line', () => {
  for (const length of LENGTHS) {
    const before = 'x'.repeat(length);
    for (const text of [
      before,
      `${before} `,
      `${before}\n y`,
      `${before} y\r\n`,
      `${before} \ry`,
      `${before}\r\n${before}`,
    ])
      expect(holdsSoftEnd(Buffer.from(text)), JSON.stringify(text.slice(-20))).toBe(false);
  }
});

test('a number of a character is an entity, and a name is none', () => {
  expect(holdsEntity(Buffer.from(`${'x'.repeat(40_000)}&#98;`))).toBe(true);
  expect(holdsEntity(Buffer.from('salt & pepper &lt; # 1'))).toBe(false);
});

test.each([
  ['a quoted file', '> begin 644 a.txt\r\n', 'begin 644 a.txt\r\n'],
  ['one in capitals', '| BEGIN 644 a.txt\r\n', 'BEGIN 644 a.txt\r\n'],
  ['one behind an entity in a page', '<p>&#98;egin 644 a.txt</p>\r\n', 'begin 644 a.txt\n'],
])('%s far into a text has a view in which it begins a line', (_, written, expected) => {
  const text = Buffer.from(`${'An ordinary line.\r\n'.repeat(4_000)}${written}`);
  expect(textViews(text).some((view) => view.toString('latin1').includes(`\n${expected}`))).toBe(true);
});

test('ordinary text has no other view', () => {
  expect(textViews(Buffer.from('An ordinary line, & no more.\r\n'.repeat(4_000)))).toEqual([]);
});
