/** A console for tests: what was printed, and a Ctrl-C that the test presses. */
import { Readable, Writable } from 'node:stream';
import { runCli } from '../../lib/local/cli.ts';
import type { Console } from '../../lib/local/console.ts';

export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Sink extends Writable {
  text = '';
  readonly #onText: (text: string) => void;
  constructor(onText: (text: string) => void = () => undefined) {
    super();
    this.#onText = onText;
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    this.#onText(this.text);
    done();
  }
}

export interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The working folder, from which a configuration is looked for. @default none is looked for */
  readonly folder?: string;
  /** Told of what is printed on stdout while the verb runs. @default nobody */
  readonly onStdout?: (text: string) => void;
  /** What comes in on stdin. @default nothing */
  readonly stdin?: Iterable<string | Uint8Array>;
}

/** A console on which nobody looks. */
export function quietConsole(): Console {
  const { signal } = new AbortController();
  return { stdin: Readable.from([]), stdout: new Sink(), stderr: new Sink(), env: {}, signal };
}

/** Runs the command line as bin/airlock.ts does. */
export async function airlock(args: readonly string[], options: CallOptions = {}): Promise<Called> {
  const [stdout, stderr] = [new Sink(options.onStdout), new Sink()];
  const signal = options.signal ?? new AbortController().signal;
  const stdin = Readable.from(options.stdin ?? [], { objectMode: false });
  const { env = {}, folder } = options;
  const code = await runCli(args, { stdin, stdout, stderr, env, signal, ...(folder !== undefined && { folder }) });
  return { code, stdout: stdout.text, stderr: stderr.text };
}
