/** Threads that read hostile bytes are limited in processor time, and in ten times as much by the clock. */
import { afterEach, expect, test, vi } from 'vitest';
import { hostWorker, type WorkerHost } from '../../../lib/formats/threads/worker-host.ts';

const BUSY = new URL('../archives/deaf-worker.ts', import.meta.url);
const IDLE = new URL('./idle-worker.mjs', import.meta.url);

let host: WorkerHost<{ readonly bytes: Uint8Array }, string>;
const ask = async (file: URL, workMs: number) => {
  host = hostWorker({ file, startMs: 0, onSilence: (silence) => silence });
  let usedMs = 0;
  const answer = await host.ask({ bytes: new Uint8Array(1) }, workMs, (ms) => {
    usedMs = ms;
  });
  return { answer, usedMs };
};

afterEach(async () => {
  vi.useRealTimers();
  await host.close();
});

test('a thread that works for ever is ended when it has used its time, and what it used is told', async () => {
  const { answer, usedMs } = await ask(BUSY, 200);
  expect(answer).toBe('out of time');
  expect(usedMs).toBeGreaterThanOrEqual(200);
});

test.each([
  [9_000, 'still open'],
  [10_050, 'out of time'],
])('after %i ms by the clock, a request of 1,000 ms in a thread that does no work is %s', async (clockMs, expected) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const asked = ask(IDLE, 1_000).then(({ answer }) => answer);
  // The request is sent before the clock moves.
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(clockMs);
  const open = new Promise((resolve) => setImmediate(resolve, 'still open'));
  expect(await Promise.race([asked, open])).toBe(expected);
});
