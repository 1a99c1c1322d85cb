/** The first page of a desk over a large index, and the memory of its process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Figure, ms, plain, quantity } from './figure.ts';
import { median, percentile } from './statistics.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMES = 40;
const PAGE_TARGET_MS = 100;

/** Starts `airlock desk` over the folder in a process of its own, and asks it for its first page again and again. */
export async function firstPageFigures(out: string, pageRows: number): Promise<Figure[]> {
  await mkdir(join(out, 'work', 'runs'), { recursive: true });
  const child = spawn(process.execPath, ['--import', 'tsx', 'bin/airlock.ts', 'desk', '--out', out], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await addressOf(child);
    const letIn = await fetch(url, { redirect: 'manual' });
    const headers = { cookie: (letIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    const times: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const started = performance.now();
      const answer = await fetch(new URL('/mails', url), { headers, redirect: 'manual' });
      const rows = (await answer.text()).split('<a href="/mails/').length - 1;
      times.push(performance.now() - started);
      if (answer.status !== 200 || rows < pageRows)
        throw new Error(`the first page: ${answer.status} with ${rows} mails, not ${pageRows}`);
    }
    const [first = 0, ...others] = times;
    const slow = { name: 'p95', value: percentile(others, 0.95) };
    return [
      { name: 'the first page of the desk', measured: ms(median(others)), atMost: PAGE_TARGET_MS, baselines: [slow] },
      plain('the same, asked for the first time', ms(first)),
      ...memoryOf(child),
    ];
  } finally {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<URL> {
  if (stdout === null) throw new Error('no output');
  for await (const line of createInterface(stdout)) {
    const url = /^desk +(http:\S+)$/.exec(line)?.[1];
    if (url !== undefined) return new URL(url);
  }
  throw new Error('the desk did not start');
}

/** Resident memory now and at its highest. Only Linux tells it of another process. */
function memoryOf({ pid }: ChildProcess): Figure[] {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return [];
  const status = readFileSync(path, 'latin1');
  const figure = (name: string, field: string) => {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return plain(name, quantity((Number(kilobytes) * 1_024) / 1e6, 'MB'));
  };
  return [
    figure('memory of the desk after these pages', 'VmRSS'),
    figure('memory of the desk at its highest', 'VmHWM'),
  ];
}
