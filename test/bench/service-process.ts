/** The service in a process of its own, as `airlock serve` starts it: what it uses is seen from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const BENCH_KEY = 'bench-key';
export const BENCH_HEADERS = { authorization: `Bearer ${BENCH_KEY}` };

export interface ServedProcess {
  readonly url: string;
  /** Resident memory in bytes, or null where the system does not tell. */
  residentBytes(): number | null;
  stop(): Promise<void>;
}

/** Starts the service over a data directory, on a free port. Throws when it does not come up. */
export async function serveProcess(dataDirectory: string): Promise<ServedProcess> {
  const args = ['--import', 'tsx', 'bin/airlock.ts', 'serve', '--port', '0', '--data', dataDirectory];
  const child = spawn(process.execPath, args, {
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

/** The least that a web server can do: the same text for every request, in a process of its own. */
export async function bareProcess(text: string): Promise<Omit<ServedProcess, 'residentBytes'>> {
  const program = `
    const text = ${JSON.stringify(text)};
    const server = require('node:http').createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(text);
    });
    server.listen(0, '127.0.0.1', () => console.log('analysis service http://127.0.0.1:' + server.address().port));
  `;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
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
