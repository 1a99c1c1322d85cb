import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../../lib/engines/engine.ts';
import { ENGINE_VERSIONS } from '../../lib/engines/engine-versions.ts';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import type { EngineTask } from '../../lib/engines/threads/task.ts';
import { withVisits } from '../../lib/engines/url/visit/visiting-runner.ts';

const hostileWorker = new URL('./workers/hostile-worker.mjs', import.meta.url);
/** What a checkout starts. Other tests start a bundle of it (test/runner/thread-bundles.ts). */
const fromSources = new URL('../../lib/engines/threads/worker-entry.mjs', import.meta.url);
const pools: EnginePool[] = [];

function open(limits: Partial<EngineLimits>, threads = 1, workerFile: URL | null = hostileWorker): EnginePool {
  const pool = createEnginePool({
    threads,
    limits: { ...DEFAULT_ENGINE_LIMITS, ...limits },
    ...(workerFile === null ? {} : { workerFile }),
  });
  pools.push(pool);
  return pool;
}

function task(untrustedName: string, bytes: Uint8Array = Buffer.from('content')): EngineTask {
  return { engine: 'static', input: { bytes, untrustedName, password: null } };
}

async function failureOf(pool: EnginePool, name: string): Promise<string> {
  const report = await pool.run(task(name));
  return report.outcome === 'failed' ? `${report.failure.code}: ${report.failure.message}` : report.outcome;
}

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
});

describe('a pool with a file that breaks its worker', () => {
  test('ends an endless task at its deadline, and continues', async () => {
    const pool = open({ timeoutMs: 600 });
    expect(await failureOf(pool, 'loop')).toBe('timeout: the engine did not end within 600 ms of processor time');
    expect(await failureOf(pool, 'echo')).toBe('echo');
  });

  test('counts the deadline from the start of a task, not from its place in the queue', async () => {
    const pool = open({ timeoutMs: 600 });
    const reports = await Promise.all(['loop', 'loop', 'echo'].map((name) => failureOf(pool, name)));
    expect(reports.map((report) => report.split(':')[0])).toEqual(['timeout', 'timeout', 'echo']);
  });

  test('survives a worker that exits or throws out of its task', async () => {
    const pool = open({});
    expect(await failureOf(pool, 'crash')).toBe('engine_failed: the engine crashed');
    expect(await failureOf(pool, 'fault')).toBe('engine_failed: the engine crashed');
    expect(await failureOf(pool, 'echo')).toBe('echo');
  });

  test('gives a file another thread when what earlier files left in its own one crashes it', async () => {
    const pool = open({});
    expect(await failureOf(pool, 'echo')).toBe('echo');
    expect(await failureOf(pool, 'worn')).toBe('worn');
  });

  test('does not use a thread again in which an engine had a fault', async () => {
    const pool = open({}, 1, null);
    // No engine expects a name that is a number.
    const input = { bytes: Buffer.from('<a>'), untrustedName: 3, password: null };
    const faulty = { engine: 'static', input };
    const report = await pool.run(faulty as unknown as EngineTask);
    expect(report).toMatchObject({ outcome: 'failed', failure: { message: 'the engine crashed' } });
    expect(await pool.run(task('notes.txt'))).toMatchObject({ outcome: 'completed' });
  });

  test('does not pass on what an error quotes from the file', async () => {
    expect(await failureOf(open({}), 'reject')).toBe('engine_failed: the engine crashed');
  });

  test('ends a worker at its memory limit, and continues', async () => {
    const pool = open({ workerHeapMb: 64 });
    expect(await failureOf(pool, 'memory')).toBe('engine_failed: the engine ran out of memory');
    expect(await failureOf(pool, 'echo')).toBe('echo');
  });

  test('reports a worker file that does not load, without waiting for the deadline', async () => {
    // A deadline longer than the test may take: waiting for it would fail the test.
    const pool = open({ timeoutMs: 600_000 }, 1, new URL('./workers/missing.mjs', import.meta.url));
    expect(await failureOf(pool, 'echo')).toMatch(/^engine_failed: /);
    expect(await failureOf(pool, 'echo')).toMatch(/^engine_failed: /);
  });
});

describe('a group of files', () => {
  const codes = async (pool: EnginePool, name: string, group: string, count: number) =>
    (await Promise.all(Array.from({ length: count }, () => pool.run(task(name), group)))).map((report) =>
      report.outcome === 'failed' ? report.failure.message : report.outcome,
    );

  test('has a budget of processor time, beyond which its files fail, and other groups continue', async () => {
    const pool = open({ timeoutMs: 400, groupTimeMs: 1_000 });
    const [hostile, innocent] = await Promise.all([codes(pool, 'loop', 'mail 1', 8), codes(pool, 'echo', 'mail 2', 3)]);
    const used = 'the files that came together used up their 1000 ms of processor time';
    expect(hostile.filter((message) => message === used).length).toBeGreaterThanOrEqual(4);
    expect(hostile.every((message) => message === used || /did not end within 400 ms/.test(message))).toBe(true);
    expect(innocent).toEqual(['echo', 'echo', 'echo']);
    expect(await codes(pool, 'echo', 'mail 1', 1)).toEqual([used]);
  });

  test('pays for each thread whose memory it used up', async () => {
    const pool = open({ workerHeapMb: 32, groupTimeMs: 100_000 });
    const used = 'the files that came together used up their 100000 ms of processor time';
    const full = 'the engine ran out of memory';
    const ends: string[] = [];
    for (let file = 0; file < 3; file++) ends.push(...(await codes(pool, 'memory', 'mail 1', 1)));
    expect(ends).toEqual([full, full, used]);
    expect(await codes(pool, 'echo', 'mail 2', 1)).toEqual(['echo']);
  });

  test('takes turns with the others, however many files it has', async () => {
    const pool = open({});
    const order: string[] = [];
    const send = (group: string, count: number) =>
      Array.from({ length: count }, async () => {
        await pool.run(task('echo'), group);
        order.push(group);
      });
    await Promise.all([...send('many', 30), ...send('few', 2)]);
    expect(order.lastIndexOf('few')).toBeLessThan(6);
  });

  test('that holds every thread gives one up to the files of others', async () => {
    // Longer than a test may take: waiting for a deadline would fail it.
    const pool = open({ timeoutMs: 600_000, groupTimeMs: 600_000 }, 2);
    const hostile = Array.from({ length: 6 }, () => pool.run(task('loop'), 'heavy'));
    let ended = 0;
    for (const report of hostile) void report.then(() => ended++);
    for (let mail = 0; mail < 20; mail++) expect((await pool.run(task('echo'), `light ${mail}`)).outcome).toBe('echo');
    expect(ended).toBe(0);
    await pool.close();
    await Promise.all(hostile);
  });

  test('counts processor time, not the clock', async () => {
    // Holding uses none: the clock passes the deadline many times.
    const pool = open({ timeoutMs: 50 });
    await pool.run(task('echo'));
    expect((await pool.run(task('hold'), 'quiet')).outcome).toBe('hold');
  });
});

describe('a pool', () => {
  test('keeps the bytes of the caller, and sends only the view it was given', async () => {
    const buffer = Buffer.alloc(1024 * 1024, 'a');
    const view = buffer.subarray(10, 14);
    const report = await open({}).run(task('echo', view));
    expect(buffer.length).toBe(1024 * 1024);
    expect(report).toMatchObject({ bytes: new Uint8Array([97, 97, 97, 97]) });
    expect('bytes' in report && report.bytes.buffer.byteLength).toBe(4);
  });

  test('does not give its workers the environment variables', async () => {
    expect(await open({}).run(task('echo'))).toMatchObject({ environment: 0 });
  });

  test('refuses an input over the limit before any thread sees it', async () => {
    expect(await failureOf(open({ inputBytes: 3 }), 'loop')).toMatch(/^oversize: /);
  });

  test('ends what runs and what waits when it is closed, and everything later', async () => {
    const pool = open({});
    const reports = [failureOf(pool, 'loop'), failureOf(pool, 'loop')];
    await pool.close();
    expect(await Promise.all(reports)).toEqual([
      'engine_failed: the engine pool was closed',
      'engine_failed: the engine pool is closed',
    ]);
    expect(await failureOf(pool, 'echo')).toBe('engine_failed: the engine pool is closed');
  });

  test('runs as many tasks at the same time as it has threads, and never more', async () => {
    const pool = open({}, 2);
    const folder = mkdtempSync(join(tmpdir(), 'airlock-pool-'));
    // The first two wait for each other, however long a thread takes to start.
    const meeting = Buffer.from(`${join(folder, 'begun')}|2`);
    const reports = await Promise.all(Array.from({ length: 8 }, () => pool.run(task('meet', meeting))));
    rmSync(folder, { recursive: true });
    const spans = reports.map((report) => report as unknown as { from: number; to: number });
    const atStart = spans.map(({ from }) => spans.filter((other) => other.from <= from && from < other.to).length);
    expect(Math.max(...atStart)).toBe(2);
  });

  test('runs the real engine from TypeScript, after a warm-up', async () => {
    const pool = open({}, 1, fromSources);
    await pool.warmUp();
    const own = readFileSync(new URL(import.meta.url));
    const report = await pool.run(task('notes.txt', own));
    expect(report).toMatchObject({ outcome: 'completed', type: { type: 'text/plain' } });
  });
});

test('tells the versions of its engines before one has started, and the URL engine has another when URLs are opened', async () => {
  const pool = open({}, 1, null);
  const versions = await pool.versions();
  expect(versions.static).toBe(ENGINE_VERSIONS.static);
  expect(versions.sandbox).toContain(versions.static);
  expect(Object.values(versions).filter((version) => !version)).toEqual([]);
  const visiting = await withVisits(pool, { chromium: null }).versions();
  const visited = `${versions.url_analysis} visited ${ENGINE_VERSIONS.visit} ${versions.static}`;
  expect(visiting).toEqual({ ...versions, url_analysis: visited });
});

test('an engine that cannot answer has no version', async () => {
  const pool = open({});
  expect(Object.values(await pool.versions())).toEqual([null, null, null, null]);
});
