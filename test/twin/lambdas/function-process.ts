/** One process of a function: started, asked one thing at a time, measured, and ended when it takes too long or too much memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LESS_OPTIMISED } from '../../runner/v8-options.ts';
import type { FunctionSettings } from './function-settings.ts';
import { processorSecondsOf } from './processor-time.ts';

export interface InvocationError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type InvocationResult = { readonly result: unknown } | { readonly error: InvocationError };

export interface ProcessOptions {
  readonly settings: FunctionSettings;
  /** The environment of the template, and what Lambda adds to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The file that runs first. */
  readonly preload: string;
  readonly onLog: (line: string) => void;
}

const BOOTSTRAP = fileURLToPath(new URL('bootstrap.cjs', import.meta.url));
const MEASURED_EVERY_MS = 200;
/** A busy machine gives a process a twentieth of a core. A function that waits for ever is ended, but only then. */
const BUSIEST = 20;
const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;
/** The part of the memory that Lambda's runtime gives to the heap of V8. */
const HEAP_SHARE = 0.9;

type Message = { readonly ready: true } | InvocationResult;

export class FunctionProcess {
  readonly pid: number;
  peakMb = 0;
  /** Of its processor time, what was seen: the last moments of a process that is killed are not. */
  processorSeconds = 0;
  isAlive = true;
  invocations = 0;
  private readonly child: ChildProcess;
  private readonly settings: FunctionSettings;
  private waiting: ((message: Message) => void) | null = null;
  private cause: string | null = null;
  private ended = '';

  constructor({ settings, environment, preload, onLog }: ProcessOptions) {
    this.settings = settings;
    const heapMb = Math.floor(settings.memoryMb * HEAP_SHARE);
    const options = [
      ...LESS_OPTIMISED,
      '--require',
      preload,
      `--max-old-space-size=${heapMb}`,
      BOOTSTRAP,
      settings.folder,
      settings.handler,
    ];
    this.child = spawn(process.execPath, options, {
      env: environment,
      cwd: settings.folder,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.pid = this.child.pid ?? 0;
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (data) => onLog(String(data)));
    this.child.on('message', (message) => this.tell(message as Message));
    this.child.on('error', (error) => this.end(`cannot be started: ${error.message}`));
    this.child.on('exit', (code, signal) =>
      this.end(signal === null ? `exit status ${code}` : `signal: ${signal === 'SIGKILL' ? 'killed' : signal}`),
    );
  }

  /** Resolves when the bundle is loaded, with an error when it cannot be. */
  async ready(): Promise<InvocationError | null> {
    const message = await this.next();
    this.measure();
    return 'error' in message ? message.error : null;
  }

  /** Runs the handler once. Never rejects. */
  async invoke(event: unknown, requestId: string): Promise<InvocationResult> {
    const { timeoutSeconds } = this.settings;
    const end = () => this.kill('Sandbox.Timedout');
    const timeout = setTimeout(end, BUSIEST * timeoutSeconds * 1000);
    const usedBefore = this.processorSeconds;
    const measuring = setInterval(() => {
      this.measure();
      if (this.processorSeconds - usedBefore > timeoutSeconds) end();
    }, MEASURED_EVERY_MS);
    this.invocations += 1;
    const answer = this.next();
    if (this.isAlive) this.child.send({ event, requestId });
    const message = await answer;
    clearTimeout(timeout);
    clearInterval(measuring);
    this.measure();
    return 'ready' in message ? { error: { errorType: 'Runtime.Unknown', errorMessage: 'answered twice' } } : message;
  }

  /** Ends the process at once, as `kill -9` does. `cause` is the type of the error that Lambda then gives. */
  kill(cause = 'Runtime.ExitError'): void {
    this.cause = cause;
    this.child.kill('SIGKILL');
  }

  private next(): Promise<Message> {
    if (!this.isAlive) return Promise.resolve(this.exitError());
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  private tell(message: Message): void {
    const { waiting } = this;
    this.waiting = null;
    waiting?.(message);
  }

  private end(how: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.ended = how;
    this.tell(this.exitError());
  }

  private exitError(): InvocationResult {
    const errorType = this.cause ?? 'Runtime.ExitError';
    const errorMessage =
      errorType === 'Sandbox.Timedout'
        ? `Error: Task timed out after ${this.settings.timeoutSeconds}.00 seconds`
        : `Error: Runtime exited with error: ${this.ended}`;
    return { error: { errorType, errorMessage } };
  }

  /** Resident memory and processor time. Only Linux tells them. */
  private measure(): void {
    if (process.platform !== 'linux' || !this.isAlive) return;
    const pages = Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1]);
    const mb = Math.round((pages * PAGE_BYTES) / MIB);
    this.peakMb = Math.max(this.peakMb, mb);
    this.processorSeconds = processorSecondsOf(this.pid);
    if (mb > this.settings.memoryMb) this.kill('Runtime.OutOfMemory');
  }
}
