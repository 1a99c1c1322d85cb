#!/usr/bin/env -S npx tsx
/** The door a person opens: hands argv, environment, streams and Ctrl-C to the command line. */
import { environmentApart } from '../lib/local/secret-free.ts';
import { safeLines } from '../lib/pipeline/safe-text.ts';

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

const env = await environmentApart(process);
if (env !== null) {
  const stop = new AbortController();
  process.on('SIGINT', () => {
    // A second Ctrl-C is a person who will not wait.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
  process.on('SIGTERM', () => stop.abort());
  const { runCli } = await import('../lib/local/cli.ts');
  const { stdout, stderr } = process;
  process.exitCode = await runCli(process.argv.slice(2), { stdout, stderr, env, signal: stop.signal });
}
