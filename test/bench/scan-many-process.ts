/** Runs the command line in this process, and prints on stderr what that cost, as JSON: `scan-many-process.ts ARGUMENTS…`. */
import { Writable } from 'node:stream';
import { runCli } from '../../lib/local/cli.ts';
import { peakMb } from './peak-memory.ts';

/** What a command cost, all threads of the process included. */
export interface CommandCost {
  readonly code: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

async function main(): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { stdin, env } = process;
  const signal = new AbortController().signal;
  const io = { stdin, stdout: nowhere, stderr: nowhere, env, folder: process.cwd(), signal };
  const code = await runCli(process.argv.slice(2), io);
  const { user, system } = process.cpuUsage();
  process.stderr.write(
    JSON.stringify({ code, cpuMs: (user + system) / 1_000, peakMb: peakMb() } satisfies CommandCost),
  );
}

await main();
