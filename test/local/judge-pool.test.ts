/** The processes that judge the mail of a gateway: a mail that ends one of them ends no other, and is never lost. */
import { execFileSync, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JudgedOutcome } from '../../lib/local/gateway/judge-messages.ts';
import { type JudgePool, openJudgePool } from '../../lib/local/gateway/judge-pool.ts';
import { USUAL_BUDGET } from '../../lib/local/gateway/judge-process.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';

const STUB = new URL('./judge-stub.mjs', import.meta.url);
const INTAKE = { bucket: 'intake', untrustedKey: 'a', versionId: '1', size: 1 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-judges-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function pooled(processes: number, work: (pool: JudgePool) => Promise<void>, stderr = new PassThrough()) {
  const opening = {
    policy: DEFAULT_POLICY,
    options: {},
    out: folder,
    pages: null,
    concurrentStages: 4,
    env: { AIRLOCK_API_KEY: 'k', PLAIN: 'p' },
  };
  const { signal } = new AbortController();
  const pool = await openJudgePool({ opening, processes, signal, stderr, entry: STUB });
  try {
    await work(pool);
  } finally {
    await pool.close();
  }
}
const scan = (pool: JudgePool, label: string) => pool.scanStored(label, INTAKE, { isOnce: true });
const processOf = (outcome: JudgedOutcome) => ('message' in outcome ? outcome.message : '');

test('mails that come one after the other share a process, and mails that come together do not', async () => {
  await pooled(2, async (pool) => {
    const [one, two] = [await scan(pool, 'a'), await scan(pool, 'b')];
    expect(processOf(two)).toBe(processOf(one));
    const together = await Promise.all([scan(pool, 'c'), scan(pool, 'd'), scan(pool, 'e')]);
    expect(new Set(together.map(processOf)).size).toBe(2);
    expect(pool.residentBytes()).toBe(2_000);
  });
});

test('a mail whose process ended is judged again, and so is a mail that only was beside it', async () => {
  await pooled(1, async (pool) => {
    await scan(pool, 'first');
    const beside = scan(pool, 'waits unless it is the first');
    const ends = scan(pool, `ends the process once, noted in ${join(folder, 'ended')}`);
    expect(await Promise.all([beside, ends])).toMatchObject([{ code: 'judged' }, { code: 'judged' }]);
    expect(processOf(await beside)).not.toBe(processOf(await ends));
    expect(await scan(pool, 'next')).toMatchObject({ code: 'judged' });
  });
});

test('a mail that ends each process is not judged for ever: it is unfinished, and the next mail is judged', async () => {
  await pooled(1, async (pool) => {
    const [ends, beside] = [scan(pool, 'ends every process'), scan(pool, 'beside')];
    expect(await ends).toMatchObject({ state: 'failed', code: 'run_failed', input: 'ends every process' });
    expect(await beside).toMatchObject({ code: 'judged' });
  });
});

test('what keeps the first process from judging is told when the gateway starts', async () => {
  const opening = { policy: DEFAULT_POLICY, options: {}, out: 'refused', pages: null, concurrentStages: 4, env: {} };
  const { signal } = new AbortController();
  const opened = openJudgePool({ opening, processes: 1, signal, stderr: new PassThrough(), entry: STUB });
  await expect(opened).rejects.toMatchObject({ name: 'UsageError', message: 'No such policy.' });
});

test('no secret is in the environment of a process that reads hostile bytes', async () => {
  const stderr = new PassThrough();
  await pooled(1, async () => {}, stderr);
  stderr.end();
  expect(await text(stderr)).toBe('secret undefined, plain p\n');
});

test('a process that judges begins and ends without a word on stderr, where log lines stand', async () => {
  const entry = fileURLToPath(new URL('../../lib/local/gateway/judge-entry.mjs', import.meta.url));
  const child = fork(entry, [], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  // Without the gateway it has nothing to do, and ends.
  child.disconnect();
  expect(await text(child.stderr ?? new PassThrough().end())).toBe('');
});

test('functions are optimised as V8 of Node 20 does it by itself, when a process is no longer new', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const [usual] = /--interrupt-budget=\d+/.exec(options) ?? [];
  if (process.version.startsWith('v20.')) expect(USUAL_BUDGET).toBe(usual);
  expect(USUAL_BUDGET).toMatch(/^--interrupt-budget=\d+$/);
});
