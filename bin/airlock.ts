#!/usr/bin/env -S npx tsx
/** The entry point of the command line. It passes argv, environment, streams and Ctrl-C to `runCli`. */
import { growHeapSlowly } from '../lib/formats/threads/heap-growth.ts';
import { optimiseWasmLater } from '../lib/formats/threads/wasm-tiering.ts';
import { environmentApart } from '../lib/local/options/secret-free.ts';
import { stopWithReader, stopWithSignals } from '../lib/local/stop-signals.ts';
import { safeLines } from '../lib/pipeline/safe-text.ts';

optimiseWasmLater();
// Its folders may have thousands of mails. A server would rather have the time.
if (process.argv[2] === 'scan') growHeapSlowly();
const stop = new AbortController();
stopWithReader(process, process.argv[2], stop);
// Exit code 1 would mean that something was quarantined.
process.on('uncaughtException', (error) => {
  process.stderr.write(safeLines(`airlock failed: ${error.message}\n`));
  process.exit(3);
});

const env = await environmentApart(process);
if (env !== null) {
  stopWithSignals(process, stop);
  const { runCli } = await import('../lib/local/cli.ts');
  const { stdin, stdout, stderr } = process;
  const folder = process.cwd();
  process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, folder, signal: stop.signal });
}
