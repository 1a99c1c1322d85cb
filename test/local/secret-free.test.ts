/** No thread that reads a hostile file finds a secret in its process. Tested on Linux, where processes show their environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { commandLine } from '../runner/command-line.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECRETS = { AIRLOCK_API_KEY: 'key-of-this-test', SOME_CLOUD_SECRET: 'cloud-secret-of-this-test' };

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
});

async function serve(env: Readonly<Record<string, string>>): Promise<{ child: ChildProcess; url: string }> {
  const args = [...commandLine(), 'serve', '--port', '0', '--in-memory'];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface(child.stdout)) {
    const url = /^analysis service +(\S+)$/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error('the service did not start');
}

/** Of each process of ours that one has started, what stands in its environment. A compiler of the sources reads no mail. */
function environmentsBelow(pid: number): string[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  const ours = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'latin1').match(/airlock\.[jt]s/));
  return ours.flatMap((child) => [readFileSync(`/proc/${child}/environ`, 'latin1'), ...environmentsBelow(child)]);
}

const me = (url: string) => fetch(`${url}/me`, { headers: { authorization: `Bearer ${SECRETS.AIRLOCK_API_KEY}` } });

test('no process that reads files was started with a secret, and the key works', async () => {
  const { child, url } = await serve(SECRETS);
  expect((await me(url)).status).toBe(200);
  if (process.platform === 'linux') {
    const environments = environmentsBelow(child.pid ?? 0);
    expect(environments.length).toBeGreaterThan(0);
    for (const text of environments) for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect(me(url)).rejects.toThrow();
});

test('one Ctrl-C ends the work in order', async () => {
  const { child } = await serve(SECRETS);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the process that works ends with the one that was started, however that ends', async () => {
  const { child } = await serve(SECRETS);
  // The other process has inherited the pipe of its output, which closes when both have ended.
  const closed = once(child, 'close');
  child.stdout?.resume();
  child.kill('SIGKILL');
  await closed;
});
