/** The events that end the command line: Ctrl-C, SIGTERM, and a reader that has gone. */
import type { Writable } from 'node:stream';
import { ReaderGone } from './console.ts';

/** Verbs that work for others than the reader of their output. */
const LASTING = ['serve', 'gateway', 'desk', 'watch', 'recipients', 'milter'];
/** npx forwards a Ctrl-C that the process has already received from the terminal. */
const SAME_KEY_MS = 1_000;

interface Process {
  readonly stdout: Writable;
  readonly stderr: Writable;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): never;
}

/** Handles a reader that needs no more output (`| head`) and closes the pipe. That is no error. Work that was only for that reader ends. */
export function stopWithReader(process: Process, verb: string | undefined, stop: AbortController): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stream === process.stdout && !LASTING.includes(verb ?? '')) stop.abort(new ReaderGone());
    });
}

/** Handles signals. The first Ctrl-C or SIGTERM ends the work in order. A second Ctrl-C ends it at once. */
export function stopWithSignals(process: Process, stop: AbortController): void {
  let stoppedMs: number | null = null;
  process.on('SIGINT', () => {
    if (stoppedMs !== null && performance.now() - stoppedMs > SAME_KEY_MS) process.exit(130);
    stoppedMs ??= performance.now();
    stop.abort();
  });
  process.on('SIGTERM', () => stop.abort());
}
