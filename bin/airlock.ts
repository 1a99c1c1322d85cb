#!/usr/bin/env -S npx tsx
/** The entry point of the command line: hands argv, environment, streams and Ctrl-C to `runCli`. */
import { environmentApart } from '../lib/local/secret-free.ts';
import { safeLines } from '../lib/pipeline/safe-text.ts';

// A reader that needs no more output (`| head`) closes the pipe. That is not an error, and the work goes on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
// Exit code 1 would mean that something was quarantined.
process.on('uncaughtException', (error) => {
  process.stderr.write(safeLines(`airlock failed: ${error.message}\n`));
  process.exit(3);
});

const env = await environmentApart(process);
if (env !== null) {
  const stop = new AbortController();
  process.on('SIGINT', () => {
    // A second Ctrl-C means that the person will not wait.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
  process.on('SIGTERM', () => stop.abort());
  const { runCli } = await import('../lib/local/cli.ts');
  const { stdout, stderr } = process;
  process.exitCode = await runCli(process.argv.slice(2), { stdout, stderr, env, signal: stop.signal });
}
