/** The streams and variables of the process, passed in by bin/: nothing here reads the environment or global streams. */
import type { Writable } from 'node:stream';
import { safeLines } from '../pipeline/safe-text.ts';

export interface Console {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted on Ctrl-C. */
  readonly signal: AbortSignal;
}

/** A mistake in how a verb was called: printed as it is, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Writes a sentence to stderr. It may quote untrusted text, so nothing in it can act on the terminal. */
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

/** True when stdout is a terminal and NO_COLOR is not set. */
export function wantsColor(console: Console): boolean {
  return console.stdout.isTTY === true && !console.env.NO_COLOR;
}
