/** The tests of some formats: every row of the list that they can carry. */
import { describe, expect, test } from 'vitest';
import { shareOf } from '../share.ts';
import { problemsOf } from './check-sample.ts';
import { MUST_BE_GONE } from './must-be-gone.ts';
import type { Format } from './row.ts';
import { samplesOf } from './samples.ts';

export function describeFormats(formats: readonly Format[]): void {
  describe.each(formats)('%s', (format) => {
    const rows = MUST_BE_GONE.filter((row) => row.formats.includes(format));
    test.each([...new Set(rows.map(({ group }) => group))])('nothing of %s is left, and the text is', async (group) => {
      const problems: string[] = [];
      for (const row of shareOf(rows.filter((each) => each.group === group))) {
        const samples = await samplesOf(row, format);
        if (samples.length === 0) problems.push(`${row.id}: no sample in ${format}`);
        // The engine itself makes a second pass over every result; here one way of each row is repeated.
        for (const [index, sample] of samples.entries()) problems.push(...(await problemsOf(sample, index === 0)));
      }
      expect(problems).toEqual([]);
    });
  });
}
