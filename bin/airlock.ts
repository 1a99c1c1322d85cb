#!/usr/bin/env -S npx tsx
/** The door a person opens: hands argv, environment, streams and Ctrl-C to the command line. */
import { runCli } from '../lib/local/cli.ts';
import { safeLines } from '../lib/pipeline/safe-text.ts';

const stop = new AbortController();
process.on('SIGINT', () => {
  // A second Ctrl-C is a person who will not wait.
  if (stop.signal.aborted) process.exit(130);
  stop.abort();
});
process.on('SIGTERM', () => stop.abort());
// A reader that has seen enough (`| head`) closes the pipe: that is no failure of ours, and the work goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
// An exit code of 1 would say that something was quarantined.
process.on('uncaughtException', (error) => {
  process.stderr.write(safeLines(`airlock failed: ${error.message}\n`));
  process.exit(3);
});

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: stop.signal,
});
