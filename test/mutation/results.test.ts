/** The figures of planted faults: which lines a sample takes, what it stands for, and when it is out of date. */
import { expect, test } from 'vitest';
import { type FileResult, hashOfCode, howMeasured, sharePercent } from './results.ts';
import { sampledRanges } from './sample.ts';

const measured = (noticed: number, missed: number, percent = 100): FileResult => ({
  sha256: '',
  percent,
  ...(percent < 100 ? { seed: 3 } : {}),
  noticed,
  missed,
  equivalent: 0,
});

/** The lines that ranges name, each as often as it is named. */
function linesOf(ranges: readonly string[]): number[] {
  return ranges.flatMap((range) => {
    const [, first, last] = (/:(\d+)-(\d+)$/.exec(range) ?? []).map(Number);
    if (!first || !last) throw new Error(range);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

test('a sample takes about its share of the lines, each once, and the same ones every time', () => {
  const ranges = sampledRanges('lib/a.ts', 4_001, { percent: 25, seed: 1 });
  const lines = linesOf(ranges);
  expect(lines.length).toBeGreaterThan(800);
  expect(lines.length).toBeLessThan(1_200);
  expect(new Set(lines).size).toBe(lines.length);
  expect(Math.min(...lines)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...lines)).toBeLessThanOrEqual(4_001);
  expect(sampledRanges('lib/a.ts', 4_001, { percent: 25, seed: 1 })).toEqual(ranges);
});

test('another seed and another file take other lines', () => {
  const one = sampledRanges('lib/a.ts', 400, { percent: 25, seed: 1 });
  expect(sampledRanges('lib/a.ts', 400, { percent: 25, seed: 2 })).not.toEqual(one);
  expect(linesOf(sampledRanges('lib/b.ts', 400, { percent: 25, seed: 1 }))).not.toEqual(linesOf(one));
});

test('a result outlives changes of comments and layout, and no change of code', () => {
  const code = 'export const a = (b: number) => b > 1;';
  expect(hashOfCode('/** What it is. */\nexport const a = (\n  b: number, // how many\n) => b > 1;\n')).toBe(
    hashOfCode(code),
  );
  expect(hashOfCode(code.replace('> 1', '>= 1'))).not.toBe(hashOfCode(code));
  expect(hashOfCode("export const a = 'b  c';")).not.toBe(hashOfCode("export const a = 'b c';"));
});

test('a fault of a sample counts for those that were left out', () => {
  expect(sharePercent([measured(90, 10), measured(10, 10, 20)])).toBe(70);
  expect(sharePercent([measured(0, 0), measured(0, 0, 20)])).toBe(null);
});

test('the figures say how much was measured', () => {
  const fresh = [measured(4, 1), measured(2, 0, 20), measured(0, 0, 20)];
  expect(howMeasured({ fresh, stale: 1, files: 6 })).toBe(
    '2 faults in a 20 % sample of the lines (seed 3) of 2 files, 5 faults in all lines of 1 file, 1 file out of date, 2 files never measured',
  );
});
