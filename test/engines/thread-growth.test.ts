/** When a pool that begins with one thread starts another. */
import { expect, test } from 'vitest';
import { openGrowth, type ThreadGrowth } from '../../lib/engines/threads/growth.ts';

/** A pool of four threads whose engines are loaded. */
function loaded(): ThreadGrowth {
  const growth = openGrowth(4, true);
  for (let task = 0; task < 4; task++) growth.ended();
  return growth;
}

function keptWaiting(growth: ThreadGrowth, times: number, ms: number): void {
  for (let task = 0; task < times; task++) growth.keptWaiting(ms, ms);
}

test('small files never start another thread, however many wait', () => {
  const growth = loaded();
  keptWaiting(growth, 100_000, 15);
  expect(growth.room()).toBe(1);
});

test('a long file among a hundred small ones does not, either', () => {
  const growth = loaded();
  for (let round = 0; round < 100; round++) {
    keptWaiting(growth, 100, 15);
    keptWaiting(growth, 1, 120);
  }
  expect(growth.room()).toBe(1);
});

test('files that wait a second for long ones start another thread each time, up to all of them', () => {
  const growth = loaded();
  keptWaiting(growth, 4, 240);
  expect(growth.room()).toBe(1);
  expect(growth.keptWaiting(240, 240)).toBe(true);
  expect(growth.room()).toBe(2);
  keptWaiting(growth, 100, 300);
  expect(growth.room()).toBe(4);
});

test('one task that goes on for seconds counts by what it used since', () => {
  const growth = loaded();
  for (const used of [200, 400, 600, 800]) growth.keptWaiting(used, 200);
  expect(growth.room()).toBe(1);
  expect(growth.keptWaiting(1_000, 200)).toBe(true);
});

test('the first tasks say nothing, because they load the engines', () => {
  const growth = openGrowth(4, true);
  keptWaiting(growth, 3, 2_000);
  expect(growth.room()).toBe(1);
});

test('a pool that does not begin with few has room for all, and one that is warmed up, too', () => {
  expect(openGrowth(4, false).room()).toBe(4);
  const growth = openGrowth(4, true);
  growth.all();
  expect(growth.room()).toBe(4);
});
