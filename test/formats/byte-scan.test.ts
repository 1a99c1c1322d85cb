import { expect, test } from 'vitest';
import { holdsMatch } from '../../lib/formats/byte-scan.ts';

const WORD = 'pg \r\np';
/** Around the borders of what is looked at as one text. */
const PLACES = [0, 32, 64].flatMap((kilobytes) =>
  Array.from({ length: 10 }, (_, index) => Math.max(0, kilobytes * 1024 - 8 + index)),
);

test('a pattern is found in bytes wherever it matches', () => {
  for (const place of PLACES)
    for (const behind of [0, 1, 40_000]) {
      const bytes = Buffer.from(`${'a'.repeat(place)}${WORD}${'\xe9'.repeat(behind)}`, 'latin1');
      expect(holdsMatch(bytes, /PG \r?\np/i, WORD.length), `at ${place}`).toBe(true);
    }
});

test('a pattern is not found in bytes that hold parts of it', () => {
  for (const place of PLACES)
    expect(holdsMatch(Buffer.from(`${'a'.repeat(place)}pg \r\n${'a'.repeat(40_000)}p`), /pg \r?\np/, 6)).toBe(false);
  expect(holdsMatch(new Uint8Array(), /a/, 1)).toBe(false);
});
