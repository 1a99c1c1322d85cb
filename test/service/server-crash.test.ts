import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { commandLine } from '../runner/command-line.ts';
import { NET_MS } from '../runner/net.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'key-of-the-crash-test';
const SUBMISSIONS = 50;

const data = await mkdtemp(join(tmpdir(), 'airlock-crash-'));
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(data, { recursive: true, force: true });
});

/** The service as people start it, in a separate process. */
async function serve(): Promise<{ child: ChildProcess; url: string }> {
  const args = [...commandLine(), 'serve', '--port', '0', '--data', data];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, AIRLOCK_API_KEY: KEY },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface(child.stdout)) {
    const url = /^analysis service +(\S+)$/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error('the service did not start');
}

const call = (url: string, path: string, init: RequestInit = {}) =>
  fetch(url + path, { ...init, headers: { authorization: `Bearer ${KEY}` } });

async function submit(url: string, n: number): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([`a file of text, number ${n}\n`]), `file-${n}.txt`);
  if (n % 2 === 0) form.append('password', 'secret');
  const response = await call(url, `/submissions/${n % 3 === 0 ? 'cdr' : 'static'}`, { method: 'POST', body: form });
  expect(response.status).toBe(200);
  return ((await response.json()) as { uuid: string }).uuid;
}

test('killed in the middle of 50 submissions and started again, the service ends all of them', async () => {
  const first = await serve();
  const uuids = await Promise.all(Array.from({ length: SUBMISSIONS }, (_, n) => submit(first.url, n)));
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  const second = await serve();
  const client = new AnalysisClient({ baseUrl: second.url, apiKey: KEY });
  const submissions = await Promise.all(uuids.map((uuid) => client.waitForCompletion(uuid, { timeoutMs: NET_MS })));
  const statuses = submissions.map(({ reports }) => reports.map(({ status }) => status).join());
  expect(statuses).toEqual(uuids.map(() => 'completed'));
  const page = (await (await call(second.url, '/submissions?limit=1')).json()) as { total: number };
  expect(page.total).toBe(SUBMISSIONS);

  // This time the service ends in order, and nothing is half written.
  second.child.kill('SIGINT');
  const [code] = await once(second.child, 'exit');
  expect(code).toBe(0);
  expect(await readdir(join(data, 'analysis/blobs/incoming'))).toEqual([]);
});
