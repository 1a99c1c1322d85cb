import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilRest } from './run/rest.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<void>(() => {});

/** The error with which a wait ended, and null while it goes on. */
function watch(looks: number, progress: () => string, toldMs = () => 0) {
  const found: { error: string | null } = { error: null };
  untilRest(looks, never, { progress, toldMs }).catch((error: Error) => {
    found.error = error.message;
  });
  return found;
}

test('a run that goes on for hours is waited for', async () => {
  let done = 0;
  const found = watch(10, () => String(Math.floor(done++ / 9)));
  await vi.advanceTimersByTimeAsync(10 * 3_600_000);
  expect(found.error).toBe(null);
});

test('a run in which nothing is done any more is given up', async () => {
  const found = watch(10, () => 'the same');
  await vi.advanceTimersByTimeAsync(9_500);
  expect(found.error).toBe(null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(found.error).toContain('nothing was done for 10 s');
});

test('a run that goes round in circles is given up when no queue would keep a message so long', async () => {
  let done = 0;
  const found = watch(
    10,
    () => String(done++),
    () => done * 60_000,
  );
  await vi.advanceTimersByTimeAsync(15 * 24 * 60 * 1_000 + 60_000);
  expect(found.error).toContain('15 told days');
});

test('the days that were told before the wait do not count', async () => {
  let done = 0;
  const twenty = 20 * 24 * 3_600_000;
  const found = watch(
    10,
    () => String(done++),
    () => twenty,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(found.error).toBe(null);
});

test('the end of the work is the end of the wait', async () => {
  await untilRest(1, Promise.resolve(), { progress: () => '', toldMs: () => 0 });
  expect(vi.getTimerCount()).toBe(0);
});
