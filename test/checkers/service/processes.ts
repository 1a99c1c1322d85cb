/** Processes of `airlock serve` over one database, as an administrator starts them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../../..');
const COMMAND = ['--import', 'tsx', join(ROOT, 'bin/airlock.ts')];

export interface Served {
  /** Of the analysis service; empty for a worker. */
  readonly url: string;
  /** As the system does when its memory is full. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the processes keep what they share. */
export interface Place {
  readonly database: string;
  readonly files: string;
  readonly logFile: string;
}

/** Starts one process, and resolves when it says that it runs. */
export async function serve({ database, files, logFile }: Place, role: 'api' | 'worker' | 'all'): Promise<Served> {
  const shared = ['--database', database, '--files', files, '--role', role];
  const child = spawn(process.execPath, [...COMMAND, 'serve', '--port', '0', '--allow-private-webhooks', ...shared], {
    cwd: ROOT,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(createWriteStream(logFile, { flags: 'a' }));
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  let url = '';
  for await (const line of createInterface(child.stdout)) {
    url = /^analysis service +(\S+)$/.exec(line)?.[1] ?? url;
    if (!line.startsWith('Stop with')) continue;
    child.stdout.resume();
    return { url, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
  }
  throw new Error(`airlock serve --role ${role} ended; its log is ${logFile}`);
}

/** Makes a key with `airlock keys`. */
export async function newKey(database: string, options: readonly string[] = []): Promise<string> {
  const args = [...COMMAND, 'keys', 'create', '--name', 'check', '--json', '--database', database, ...options];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  return (JSON.parse(output) as { key: string }).key;
}
