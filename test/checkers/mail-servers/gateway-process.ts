/** `airlock gateway` or `airlock milter` in a process of its own, as an administrator starts it. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runTool } from '../tools.ts';
import { ended, untilListening } from './servers.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COMMAND = ['--import', 'tsx', 'bin/airlock.ts'];
const STATUS_MS = 120_000;

export interface GatewayProcess {
  readonly pid: number;
  /** As a machine that loses its power, but for what was not on the disk yet. */
  kill(): Promise<void>;
  /** With SIGTERM. */
  stop(): Promise<void>;
}

export interface Status {
  readonly counts: Readonly<Record<'judging' | 'sending' | 'held' | 'undelivered' | 'damaged', number>>;
  readonly messages: readonly { readonly id: string; readonly state: string; readonly untrustedSender: string }[];
}

/** Starts it, and resolves when it listens. Its log is added to a file. */
export function startGateway(
  options: readonly string[],
  port: number,
  logFile: string,
  env: Readonly<Record<string, string>> = {},
  verb = 'gateway',
): Promise<GatewayProcess> {
  return startProgram(process.execPath, [...COMMAND, verb, ...options], port, logFile, env);
}

/** The same for any program that listens. */
export async function startProgram(
  program: string,
  args: readonly string[],
  port: number,
  logFile: string,
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.pipe(createWriteStream(logFile, { flags: 'a' }));
  const failed = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}; its log is ${logFile}`)));
  });
  failed.catch(() => undefined);
  try {
    await Promise.race([untilListening(port), failed]);
  } catch (error) {
    // What does not listen in time must not go on behind the back of whoever started it.
    await ended(child, 'SIGKILL');
    throw error;
  }
  return { pid: child.pid ?? 0, kill: () => ended(child, 'SIGKILL'), stop: () => ended(child, 'SIGTERM') };
}

/** What `airlock gateway status --json` prints. */
export async function statusOf(spool: string): Promise<Status> {
  const { output } = await runTool(
    'env',
    ['-C', ROOT, process.execPath, ...COMMAND, 'gateway', 'status', '--json', '--spool', spool],
    STATUS_MS,
  );
  return JSON.parse(output) as Status;
}
