/** Every invariant that docs/invariants.md states has a test, and ARCHITECTURE.md names none that is not there. */
import { describe, expect, test } from 'vitest';
import { read } from './imports.ts';
import { INVARIANTS_FILE, invariantsOf, problemWith } from './invariant-list.ts';

const invariants = invariantsOf(read(INVARIANTS_FILE));

describe('the invariants of docs/invariants.md', () => {
  test('are found', () => {
    expect(invariants.length).toBeGreaterThan(25);
  });

  test.each(invariants.map((each) => [each.sentence.slice(0, 60), each] as const))(
    '%s… names tests that exist',
    (_, each) => {
      expect(each.tests.length).toBeGreaterThan(0);
      expect(each.tests.map(problemWith).filter((problem) => problem !== null)).toEqual([]);
    },
  );

  test('an invariant without a test, with one that is gone, or with another form is found', () => {
    const section = (line: string) => `# Invariants\n\n- no invariant\n\n## A\n\n- **It holds.** Always.\n${line}\n`;
    const problems = (line: string) =>
      invariantsOf(section(line)).flatMap(({ tests }) => (tests.length === 0 ? ['none'] : tests.map(problemWith)));
    expect(problems('')).toEqual(['none']);
    expect(problems('  - Test: `test/gone.test.ts`')).toEqual(['test/gone.test.ts does not exist']);
    expect(
      problems('  - Test: `test/architecture/invariants.ts` "nobody says this"'.replace('says', 'has ever said')),
    ).toHaveLength(1);
    expect(problems('  - Test: `test/architecture/invariants.ts`')).toEqual([expect.stringContaining('say which one')]);
    expect(problems('  - Test: `test/architecture/invariants.ts` "are found"')).toEqual([null]);
    expect(() => problems('  - by test/architecture/invariants.ts')).toThrow('no test is named in');
  });
});
