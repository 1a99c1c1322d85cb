/** Only one works on a run at a time, also of several processes, and what a dead one left keeps nobody waiting. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRunLocks, type RunLocks } from '../../lib/local/session/run-lock.ts';
import { holdLock } from '../../lib/storage/sqlite/lock.ts';

const RUN = '0123456789abcdef0123456789abcdef';
const OTHER = 'fedcba9876543210fedcba9876543210';
const never = new AbortController().signal;

let out: string;
let locks: RunLocks;
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'airlock-run-lock-'));
  locks = openRunLocks(out);
});
afterEach(async () => {
  vi.useRealTimers();
  await locks.close();
  await rm(out, { recursive: true });
});

/** A process that holds the lock of a run until it is killed. */
async function holder(): Promise<{ kill(): Promise<void> }> {
  const module = JSON.stringify(new URL('../../lib/local/session/run-lock.ts', import.meta.url).href);
  const script = `
    const { openRunLocks } = await import(${module});
    await openRunLocks(${JSON.stringify(out)}).inLock('${RUN}', new AbortController().signal, async () => {
      process.stdout.write('held');
      await new Promise(() => setInterval(() => {}, 1000));
    });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  return {
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** True when the lock is taken within a few tries. */
async function isFree(of: RunLocks, runId = RUN): Promise<boolean> {
  const stop = new AbortController();
  const tries = setTimeout(() => stop.abort(), 200);
  try {
    return await of.inLock(runId, stop.signal, async () => true);
  } catch {
    return false;
  } finally {
    clearTimeout(tries);
  }
}

test('of two sessions of one process, one waits for the other; another run waits for nobody', async () => {
  const other = openRunLocks(out);
  await locks.inLock(RUN, never, async () => {
    expect([await isFree(other), await isFree(locks), await isFree(other, OTHER)]).toEqual([false, false, true]);
  });
  expect(await isFree(other)).toBe(true);
  await other.close();
});

test('many who want one run get it one by one, and nothing is left of the locks', async () => {
  let inside = 0;
  const work = async () => {
    inside += 1;
    await new Promise((resolve) => setImmediate(resolve));
    expect(inside).toBe(1);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => locks.inLock(RUN, never, work)));
  await locks.close();
  expect(await readdir(join(out, 'locks'))).toEqual([]);
});

test('a run is locked while another process has it, and free once that was killed', async () => {
  const { kill } = await holder();
  expect(await isFree(locks)).toBe(false);
  expect(await isFree(locks, OTHER)).toBe(true);
  await kill();
  expect(existsSync(join(out, 'locks', RUN))).toBe(true);
  await locks.inLock(RUN, never, async () => undefined);
  expect(existsSync(join(out, 'locks', RUN))).toBe(false);
});

test('whoever looks for a lock in vain does not end it for other processes', async () => {
  await locks.inLock(RUN, never, async () => {
    expect(await isFree(locks)).toBe(false);
    const other = openRunLocks(out);
    expect(await isFree(other)).toBe(false);
    await other.close();
    expect(holdLock(join(out, 'locks', RUN))).toBeNull();
    const script = `
      const { holdLock } = await import(${JSON.stringify(new URL('../../lib/storage/sqlite/lock.ts', import.meta.url).href)});
      process.stdout.write(String(holdLock(${JSON.stringify(join(out, 'locks', RUN))}) === null));`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    expect(String((await once(child.stdout, 'data'))[0])).toBe('true');
  });
});

test('a lock of a file of its own, as earlier versions made them, counts while it is held', async () => {
  await locks.inLock(OTHER, never, async () => undefined);
  const old = holdLock(join(out, 'locks', RUN));
  expect(await isFree(locks)).toBe(false);
  await old?.close();
  expect(await isFree(locks)).toBe(true);
});

test('a session whose file somebody removed makes another', async () => {
  await locks.inLock(RUN, never, async () => undefined);
  const files = async () => (await readdir(join(out, 'locks'))).filter((name) => !name.endsWith('-journal'));
  const [first = ''] = await files();
  await rm(join(out, 'locks', first));
  await locks.inLock(RUN, never, async () => undefined);
  const left = await files();
  expect([left.length, left.includes(first)]).toEqual([1, false]);
});

test('the file of a session that works for long does not grow old', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const old = Date.now();
  await locks.inLock(RUN, never, async () => undefined);
  vi.setSystemTime(old + 2 * 3_600_000);
  await locks.inLock(RUN, never, async () => {
    expect((await stat(join(out, 'locks', RUN))).mtimeMs).toBeGreaterThan(old + 3_600_000);
  });
});

test('to stop the waiting is an error, and the work is not done', async () => {
  const stop = new AbortController();
  await locks.inLock(RUN, never, async () => {
    const waiting = locks.inLock(RUN, stop.signal, async () => 'done');
    stop.abort();
    await expect(waiting).rejects.toThrow();
  });
});
