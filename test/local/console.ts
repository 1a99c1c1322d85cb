/** A console for tests: what was printed, and a Ctrl-C that the test presses. */
import { Writable } from 'node:stream';
import { runCli } from '../../lib/local/cli.ts';

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

export interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Runs the command line as bin/airlock.ts does. */
export async function airlock(args: readonly string[], options: CallOptions = {}): Promise<Called> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const signal = options.signal ?? new AbortController().signal;
  const code = await runCli(args, { stdout, stderr, env: options.env ?? {}, signal });
  return { code, stdout: stdout.text, stderr: stderr.text };
}
