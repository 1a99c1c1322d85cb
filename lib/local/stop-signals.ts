/** The events that end the command line: Ctrl-C, SIGTERM, and a reader that has gone. Ctrl-C, SIGTERM, and a reader that has gone. */
import type { Writable } from 'node:stream';
import { ReaderGone } from './console.ts';

/** Verbs that work for others than the reader of their output. */
const LASTING = ['serve', 'gateway', 'desk', 'watch', 'recipients', 'milter'];
/** npx hands a Ctrl-C on that the process has had from the terminal already. */
const SAME_KEY_MS = 1_000;

interface Process {
  readonly stdout: Writable;
  readonly stderr: Writable;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): never;
}

/** A reader that needs no more output (`| head`) closes the pipe. That is not an error; what was only done for it ends. */
export function stopWithReader(process: Process, verb: string | undefined, stop: AbortController): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stream === process.stdout && !LASTING.includes(verb ?? '')) stop.abort(new ReaderGone());
    });
}

/** The first Ctrl-C ends the work in order, and so does SIGTERM. A second Ctrl-C means that the person will not wait. */
export function stopWithSignals(process: Process, stop: AbortController): void {
  let stoppedMs: number | null = null;
  process.on('SIGINT', () => {
    if (stoppedMs !== null && performance.now() - stoppedMs > SAME_KEY_MS) process.exit(130);
    stoppedMs ??= performance.now();
    stop.abort();
  });
  process.on('SIGTERM', () => stop.abort());
}
