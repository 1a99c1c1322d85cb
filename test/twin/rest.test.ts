import { expect, test } from 'vitest';
import { untilRest } from './run/rest.ts';

const never = new Promise<void>(() => {});
const TOLD_DAY_MS = 24 * 3_600_000;

/** Looks so often at a run, one look straight after the other, and tells the error with which the wait ended. Null: it goes on. */
async function errorAfter(looks: number, progress: (look: number) => string, toldMs: (look: number) => number) {
  let look = 0;
  const beginLooks = (lookOnce: () => void) => {
    for (look = 1; look <= looks; look++) lookOnce();
    return () => {};
  };
  const wait = untilRest(10, never, { progress: () => progress(look), toldMs: () => toldMs(look), beginLooks });
  const ended = wait.then(
    () => 'the wait ended without an error',
    (error: Error) => error.message,
  );
  return Promise.race([ended, new Promise<null>((resolve) => setImmediate(resolve, null))]);
}

const noTime = () => 0;

test('a run that goes on for hours is waited for', async () => {
  expect(await errorAfter(36_000, (look) => String(Math.floor(look / 9)), noTime)).toBe(null);
});

test('a run in which nothing is done any more is given up', async () => {
  expect(await errorAfter(9, () => 'the same', noTime)).toBe(null);
  expect(await errorAfter(10, () => 'the same', noTime)).toContain('nothing was done for 10 s');
});

test('a run that goes round in circles is given up when no queue would keep a message so long', async () => {
  const oneDayALook = (look: number) => look * TOLD_DAY_MS;
  expect(await errorAfter(15, String, oneDayALook)).toBe(null);
  expect(await errorAfter(16, String, oneDayALook)).toContain('15 told days');
});

test('the days that were told before the wait do not count', async () => {
  expect(await errorAfter(60, String, () => 20 * TOLD_DAY_MS)).toBe(null);
});

test('the end of the work is the end of the wait, and of its looks', async () => {
  let begun = 0;
  const beginLooks = () => {
    begun++;
    return () => void begun--;
  };
  await untilRest(1, Promise.resolve(), { progress: () => '', toldMs: noTime, beginLooks });
  expect(begun).toBe(0);
});
