/** `airlock watch`: every mail of a folder once, also when the process is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { commandLine } from '../runner/command-line.ts';
import { NET_MS } from '../runner/net.ts';
import { airlock, type Called } from './console.ts';

const PATIENT = { interval: 50, timeout: NET_MS };
const root = join(import.meta.dirname, '../..');
let folder: string;
const path = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-watch-'));
});
afterAll(() => rm(folder, { recursive: true }));

const mail = (subject: string) => emailWith({ subject, text: subject });
const names = (where: string) => readdir(path(where)).catch(() => []);

async function maildir(name: string): Promise<void> {
  for (const part of ['new', 'cur', 'tmp']) await mkdir(path(`${name}/${part}`), { recursive: true });
}

interface Watching {
  /** Waits until so many results were printed. */
  until(results: number): Promise<void>;
  /** Sends SIGTERM, and returns what the verb printed. */
  stop(): Promise<Called & { readonly lines: readonly { input: string; state: string; runId: string }[] }>;
}

function watchIn(name: string): Watching {
  const signal = new AbortController();
  const linesOf = (text: string) => text.split('\n').filter(Boolean);
  let results = 0;
  const onStdout = (text: string) => {
    results = linesOf(text).length;
  };
  const called = airlock(['watch', '--json', path(name)], { signal: signal.signal, onStdout });
  return {
    until: (count) => vi.waitFor(() => expect(results).toBe(count), PATIENT),
    async stop() {
      signal.abort();
      const result = await called;
      return { ...result, lines: linesOf(result.stdout).map((line) => JSON.parse(line)) };
    },
  };
}

test('a folder that is removed ends the watch, which says so and what to do', async () => {
  await mkdir(path('removed'));
  await writeFile(path('removed/one.eml'), mail('one'));
  const past = new Date(Date.now() - 60_000);
  await utimes(path('removed/one.eml'), past, past);
  const onStdout = () => rmSync(path('removed'), { recursive: true, force: true });
  const { code, stderr } = await airlock(['watch', '--json', path('removed')], { onStdout });
  expect(code).toBe(3);
  expect(stderr).toContain(`${path('removed')} can no longer be read (ENOENT). Every mail that was begun has ended.`);
});

test('mail of a Maildir is scanned once, wherever its reader moves it, and what arrives later, too', async () => {
  await maildir('box');
  await writeFile(path('box/new/1.M1.host'), mail('one'));
  await writeFile(path('box/cur/2.M1.host:2,S'), mail('two'));
  const first = watchIn('box');
  await first.until(2);
  await writeFile(path('box/tmp/3.M1.host'), mail('three'));
  await rename(path('box/tmp/3.M1.host'), path('box/new/3.M1.host'));
  await first.until(3);
  const { code, lines, stderr } = await first.stop();
  expect([code, stderr]).toEqual([0, '']);
  expect(lines.map(({ input, state }) => [input.replace(`${folder}/`, ''), state]).sort()).toEqual([
    ['box/1.M1.host', 'delivered'],
    ['box/2.M1.host', 'delivered'],
    ['box/3.M1.host', 'delivered'],
  ]);

  await rename(path('box/new/1.M1.host'), path('box/cur/1.M1.host:2,RS'));
  await writeFile(path('box/new/4.M1.host'), mail('four'));
  const second = watchIn('box');
  await second.until(1);
  expect((await second.stop()).lines.map(({ input }) => input.replace(`${folder}/`, ''))).toEqual(['box/4.M1.host']);
  expect([await names('box/new'), await names('box/cur')]).toEqual([
    ['3.M1.host', '4.M1.host'],
    ['1.M1.host:2,RS', '2.M1.host:2,S'],
  ]);
});

test('a file of a folder is scanned when it is complete, and again when its content changes', async () => {
  await mkdir(path('drop/below'), { recursive: true });
  await writeFile(path('drop/.hidden'), mail('hidden'));
  await writeFile(path('drop/a'), mail('half').slice(0, 40));
  const watching = watchIn('drop');
  await appendFile(path('drop/a'), mail('half').slice(40));
  await watching.until(1);
  const [run = ''] = (await names('drop-airlock/clean')).filter((name) => name.length === 32);
  expect(await readFile(path(`drop-airlock/clean/${run}/message.eml`), 'utf8')).toContain('Subject: half\r\n');
  await writeFile(path('drop/a'), mail('other'));
  await utimes(path('drop/a'), 1e9, 1e9);
  await watching.until(2);
  const { lines } = await watching.stop();
  expect(lines.map(({ input }) => input)).toEqual([path('drop/a'), path('drop/a')]);
});

test('after kill -9 at the first result, the next process scans the rest, and nothing twice', async () => {
  const count = 8;
  await maildir('killed');
  for (let index = 0; index < count; index++)
    await writeFile(path(`killed/new/${index}.M1.host`), mail(`mail ${index}`));
  const child: ChildProcess = spawn(process.execPath, [...commandLine(), 'watch', '--json', path('killed')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  const ended = await messageTimes('killed-airlock');
  expect(ended.size).toBeGreaterThan(0);

  const watching = watchIn('killed');
  await vi.waitFor(async () => expect(await messageTimes('killed-airlock')).toHaveProperty('size', count), PATIENT);
  const { code, lines } = await watching.stop();
  expect([code, new Set(lines.map(({ runId }) => runId)).size]).toEqual([0, lines.length]);
  const after = await messageTimes('killed-airlock');
  expect(after.size).toBe(count);
  for (const [run, time] of ended) expect([run, after.get(run)]).toEqual([run, time]);
});

/** When the ledger of each run that was delivered was made. */
async function messageTimes(out: string): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const run of (await names(`${out}/clean`)).filter((name) => name.length === 32)) {
    const ledger = await stat(path(`${out}/work/runs/${run}/1/deliver.json`)).catch(() => null);
    if (ledger !== null) times.set(run, ledger.mtimeMs);
  }
  return times;
}

test('two processes never watch into one folder', async () => {
  await mkdir(path('shared'));
  const first = watchIn('shared');
  await vi.waitFor(async () => expect(await names('shared-airlock')).toContain('watched.db'), PATIENT);
  const second = await airlock(['watch', path('shared')]);
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('Another process watches into')]);
  expect((await first.stop()).code).toBe(0);
});

test.each([
  [['nowhere'], /nowhere cannot be watched \(ENOENT\)/],
  [['one-file'], /is no folder.*airlock scan/],
  [['.', '--html', '.'], /--html names the folder that is watched/],
])('%j is wrong usage', async (args, sentence) => {
  await writeFile(path('one-file'), 'x');
  const { code, stderr } = await airlock(['watch', ...args.map((arg) => (arg.startsWith('-') ? arg : path(arg)))]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
});

test('a folder that goes away ends the watch, and says why', async () => {
  await mkdir(path('going'));
  const called = airlock(['watch', '--quiet', path('going')]);
  await vi.waitFor(async () => expect(await names('going-airlock')).toContain('watched.db'), PATIENT);
  await rm(path('going'), { recursive: true });
  expect(await called).toEqual({ code: 3, stdout: '', stderr: expect.stringContaining('ENOENT') });
});
