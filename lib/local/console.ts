/** The person or program at the other end, handed in by bin/: nothing here reads the environment or touches global streams. */
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

/** A sentence on stderr. It may quote what was typed or read: nothing in it acts on a terminal. */
export function complain({ stderr }: Console, untrusted: string): void {
  stderr.write(`${safeLines(untrusted)}\n`);
}

/** Writes a line and waits while the reader is behind: `--json | head` must neither grow memory nor fail. */
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

/** Colours only where a person looks, and not where NO_COLOR asks for none. */
export function wantsColor(console: Console): boolean {
  return console.stdout.isTTY === true && !console.env.NO_COLOR;
}
