/** What was run before, and how long the rest takes. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { secondsLeft, timeText } from './run/remaining-time.ts';
import { addResult, heldBefore, type ResultLine, readResults } from './run/results-file.ts';
import type { FaultResult } from './run/run-fault.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-twin-results-'));
afterAll(() => rmSync(folder, { recursive: true }));

function lineOf(name: string, problems: readonly string[] = [], other: Partial<ResultLine> = {}): ResultLine {
  const counts = { lost: 0, doubled: 0, 'wrongly delivered': 0, 'held for nothing': 0, 'not told': 0 };
  const times = { toldSeconds: 1, realSeconds: 1, functionSeconds: 1, serverSeconds: 1, calls: 1 };
  const lists = { denials: [], unused: [], functions: [] };
  const result: FaultResult = {
    name,
    says: '',
    sent: 6,
    delivered: 6,
    quarantined: {},
    counts,
    problems,
    ...times,
    ...lists,
  };
  return { stack: 'a', mails: 6, result, ...other };
}

describe('the file of results', () => {
  test('gives back what was added, and goes on behind a line that was cut', () => {
    const file = join(folder, 'cut.jsonl');
    expect(readResults(file)).toEqual([]);
    addResult(file, lineOf('kill'));
    appendFileSync(file, '{"stack":"a","mai');
    expect(readResults(file)).toEqual([lineOf('kill')]);
    addResult(file, lineOf('none'));
    expect(readResults(file)).toEqual([lineOf('kill'), lineOf('none')]);
  });

  test.each(['[1, 2]\n', 'Dear Bob,\n', '{}\n', 'no end of line'])(
    'is refused and left as it is when it holds %j',
    (text) => {
      const file = join(folder, 'other.txt');
      writeFileSync(file, text);
      expect(() => readResults(file)).toThrow(TypeError);
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );

  test('a fault is run again when it did not hold, or held with other mails or another stack', () => {
    const lines = [
      lineOf('kill'),
      lineOf('none', ['lost']),
      lineOf('late-events', [], { mails: 7 }),
      lineOf('two-versions', [], { stack: 'b' }),
      lineOf('aborted'),
      lineOf('aborted', ['doubled']),
    ];
    const names = ['kill', 'none', 'late-events', 'two-versions', 'aborted', 'odd-keys'];
    expect(names.filter((name) => heldBefore(lines, name, 'a', 6) !== null)).toEqual(['kill']);
  });
});

describe('the time that is left', () => {
  test('goes down with what is done, and is not guessed', () => {
    const work = { faults: 4, mails: 100 };
    expect(secondsLeft(work, 0, 0, 10)).toBeNull();
    expect(secondsLeft(work, 1, 0, 100)).toBe(300);
    expect(secondsLeft(work, 4, 0, 400)).toBe(0);
  });

  test('is told in seconds at first and then in minutes', () => {
    expect([40, 119.6, 721].map(timeText)).toEqual(['40 s', '120 s', '12 min']);
  });
});
