/** The streams and variables of the process, passed in by bin/: nothing here reads the environment or global streams. */
import type { Readable, Writable } from 'node:stream';
import { safeLines } from '../pipeline/safe-text.ts';

export interface Console {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder. A configuration is searched from it upwards. @default none is searched */
  readonly folder?: string;
  /** Aborted on Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The reason of a stop: the reader of stdout has gone (`| head`). Nobody needs the rest, and nobody is told. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** A mistake in the call of a verb. The message is printed as it is, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Writes a sentence to stderr. It may quote untrusted text, so no part of it can act on the terminal. */
export function complain({ stderr }: Console, untrusted: string): void {
  stderr.write(`${safeLines(untrusted)}\n`);
}

/** Writes a line and waits until the reader has caught up: `--json | head` must neither fill memory nor fail. */
export async function writeLine(stream: Writable, line: string): Promise<void> {
  if (stream.destroyed || stream.write(`${line}\n`)) return;
  await new Promise<void>((resolve) => {
    const ends = ['drain', 'close', 'error'];
    const done = () => {
      for (const end of ends) stream.off(end, done);
      resolve();
    };
    for (const end of ends) stream.on(end, done);
  });
}

/** Writes bytes and waits until all of them are written. */
export async function wholeWritten(stream: Writable, bytes: Uint8Array): Promise<void> {
  if (stream.destroyed) return;
  await new Promise<void>((resolve) => void stream.write(bytes, () => resolve()));
}
