import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { openAloneAccount } from '../../lib/engines/threads/alone-account.ts';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';

const workerFile = new URL('./workers/hostile-worker.mjs', import.meta.url);
const pools: EnginePool[] = [];
const folder = mkdtempSync(join(tmpdir(), 'airlock-alone-'));
let nextCount = 0;
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  rmSync(folder, { recursive: true });
});

function open({
  runsAgainAlone,
  groupTimeMs = DEFAULT_ENGINE_LIMITS.groupTimeMs,
}: {
  runsAgainAlone: boolean;
  groupTimeMs?: number;
}): EnginePool {
  const limits = { ...DEFAULT_ENGINE_LIMITS, timeoutMs: 1_000, groupTimeMs };
  const pool = createEnginePool({ threads: 2, limits, workerFile, runsAgainAlone });
  pools.push(pool);
  return pool;
}

/** A file that meets its deadline until it was begun so often, and how often it was. */
function stubborn(times: number) {
  const path = join(folder, `count-${nextCount++}`);
  const input = { bytes: Buffer.from(`${path}|${times}`), untrustedName: 'stubborn', password: null };
  const begun = () => (existsSync(path) ? readFileSync(path).length : 0);
  return { task: { engine: 'static' as const, input }, begun };
}

const hold = {
  engine: 'static' as const,
  input: { bytes: Buffer.from('content'), untrustedName: 'hold', password: null },
};

test('a file that meets its deadline runs once more, with nothing beside it', async () => {
  const pool = open({ runsAgainAlone: true });
  const { task, begun } = stubborn(2);
  const reports = await Promise.all([
    pool.run(task, 'slow'),
    ...Array.from({ length: 40 }, (_, mail) => pool.run(hold, `mail ${mail}`)),
  ]);
  expect(reports.map(({ outcome }) => outcome as string)).toEqual(Array(41).fill('hold'));
  expect(begun()).toBe(2);
  const [second, ...others] = reports.map((report) => report as unknown as { from: number; to: number });
  expect(others.filter(({ from, to }) => from < (second?.to ?? 0) && to > (second?.from ?? 0))).toEqual([]);
});

test('one that meets it twice ends as timeout, and the pool goes on', async () => {
  const pool = open({ runsAgainAlone: true });
  const { task, begun } = stubborn(9);
  const reports = await Promise.all([pool.run(task), pool.run(hold), pool.run(hold)]);
  expect(reports[0]).toMatchObject({ outcome: 'failed', failure: { code: 'timeout' } });
  expect(begun()).toBe(2);
  expect((await pool.run(hold)).outcome).toBe('hold');
});

test('one whose mail has used up its time does not run again', async () => {
  const { task, begun } = stubborn(9);
  const report = await open({ runsAgainAlone: true, groupTimeMs: 300 }).run(task, 'mail');
  expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'timeout' } });
  expect(begun()).toBe(1);
});

test('without the option a deadline is the end', async () => {
  const { task, begun } = stubborn(2);
  expect((await open({ runsAgainAlone: false }).run(task)).outcome).toBe('failed');
  expect(begun()).toBe(1);
});

test('other work has nine times the thread time of a task that ran alone before the next one', () => {
  const account = openAloneAccount(4);
  expect(account.isPaid()).toBe(true);
  account.keptIdle(100);
  account.worked(3_599);
  expect(account.isPaid()).toBe(false);
  account.worked(1);
  expect(account.isPaid()).toBe(true);
});
