/** The service in a process of its own, as `airlock serve` starts it: what it uses is seen from outside. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { LoadOrder, LoadResult } from './service-load.ts';

export const BENCH_KEY = 'bench-key';
export const BENCH_HEADERS = { authorization: `Bearer ${BENCH_KEY}` };

export interface ServedProcess {
  readonly url: string;
  /** Resident memory in bytes, or null where the system does not tell. */
  residentBytes(): number | null;
  stop(): Promise<void>;
}

/** Whether this system lets the service have one core and the load another; elsewhere they share what there is. */
export const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', process.execPath, '--version']).status === 0;

const SERVICE_CORE = '0';
const LOAD_CORE = '1';
/** A minute of answers, each time with all its digits. */
const MAX_RESULT_BYTES = 256 * 1024 * 1024;

/** A command as it is started on one core, where that can be. */
const onCore = (core: string, args: readonly string[]): readonly [string, readonly string[]] =>
  canPin ? ['taskset', ['-c', core, process.execPath, ...args]] : [process.execPath, args];

/** Starts the service over a data directory, on a free port; with `pinned` on one core. Throws when it does not come up. */
export async function serveProcess(dataDirectory: string, { pinned = false } = {}): Promise<ServedProcess> {
  const args = ['--import', 'tsx', 'bin/airlock.ts', 'serve', '--port', '0', '--data', dataDirectory];
  const [command, all] = pinned ? onCore(SERVICE_CORE, args) : [process.execPath, args];
  const child = spawn(command, all, {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, AIRLOCK_API_KEY: BENCH_KEY },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await urlOf(child);
  return {
    url,
    residentBytes: () => residentBytes(child.pid ?? 0),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Sends a load from a process of its own, on a core of its own where that can be. Throws when an answer is not a 200. */
export async function loaded(order: LoadOrder): Promise<LoadResult> {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'service-load.ts'), JSON.stringify(order)];
  const [command, all] = onCore(LOAD_CORE, args);
  const { stdout } = await promisify(execFile)(command, all, { maxBuffer: MAX_RESULT_BYTES });
  return JSON.parse(stdout) as LoadResult;
}

/** The least that a web server can do: the same text for every request, in a process and on a core as the service has them. */
export async function bareProcess(text: string): Promise<Omit<ServedProcess, 'residentBytes'>> {
  const program = `
    const text = ${JSON.stringify(text)};
    const server = require('node:http').createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(text);
    });
    server.listen(0, '127.0.0.1', () => console.log('analysis service http://127.0.0.1:' + server.address().port));
  `;
  const child = spawn(...onCore(SERVICE_CORE, ['-e', program]), { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await urlOf(child);
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function urlOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the service has no output');
  for await (const line of createInterface(child.stdout)) {
    const url = /^analysis service +(\S+)$/.exec(line)?.[1];
    if (url) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error('the service did not start');
}

function residentBytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
  } catch {
    return null;
  }
}
