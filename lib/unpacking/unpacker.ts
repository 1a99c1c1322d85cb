/**
 * The pipeline's Unpacker over a worker thread: archives are opened away from the thread that holds the keys, under a deadline
 * and a heap limit. A thread that does not answer in time is ended, and the next archive gets a new one.
 */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Opened, opened, type UnpackRequest } from '../message/containers/container.ts';
import type { Unpacker } from '../pipeline/ports.ts';
import { openPlainZip } from './plain-zip.ts';
import type { WorkerAnswer } from './worker.ts';

/** A decoder that builds tables of objects until the process dies. Bytes that are unpacked are not on this heap. */
const HEAP_MB = 256;
/** Added to the budget's time for the thread to start, once. */
const START_MS = 5_000;

export interface UnpackerOptions {
  /** First file of the thread. @default the bundled worker beside this file, else the one of the checkout */
  readonly workerFile?: URL;
  /** Milliseconds beyond an archive's own time before its thread is ended. @default time for a thread to start */
  readonly startMs?: number;
}

/** An unpacker of this process, to be closed when there is nothing more to open. */
export interface LocalUnpacker extends Unpacker {
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (answer: Opened) => void;
  readonly timer: NodeJS.Timeout;
}

interface Thread {
  readonly worker: Worker;
  /** No more archives for it. */
  readonly retire: () => void;
  readonly waiting: Map<number, Waiting>;
}

/** One thread, started at the first archive and kept for the next; archives wait for each other. */
export function createUnpacker(options: UnpackerOptions = {}): LocalUnpacker {
  let thread: Thread | null = null;
  let ids = 0;
  let last: Promise<unknown> = Promise.resolve();
  const one = (request: UnpackRequest): Promise<Opened> => {
    if (request.allowance.timeMs <= 0) return Promise.resolve(OUT_OF_TIME);
    thread ??= startThread(options.workerFile ?? defaultWorkerFile(), (dead) => {
      if (thread === dead) thread = null;
    });
    return ask(thread, ids++, request, request.allowance.timeMs + (options.startMs ?? START_MS));
  };
  return {
    unpack(request) {
      const plain = request.format === 'zip' && request.allowance.timeMs > 0 ? openPlainZip(request) : null;
      if (plain !== null) return Promise.resolve(plain);
      const answer = last.then(() => one(request));
      last = answer;
      return answer;
    },
    async close() {
      await thread?.worker.terminate();
      thread = null;
    },
  };
}

const OUT_OF_TIME = opened({ outcome: 'over_budget', detail: 'it took longer to open than is allowed' });

function defaultWorkerFile(): URL {
  const bundled = new URL('./unpack-worker.cjs', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('./worker-entry.mjs', import.meta.url);
}

function startThread(file: URL, onEnd: (thread: Thread) => void): Thread {
  const worker = new Worker(file, {
    // Hostile bytes run beside no secrets: the thread sees neither the environment nor the loaders of its parent.
    env: {},
    execArgv: [],
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    stdout: true,
    stderr: true,
  });
  const thread: Thread = { worker, retire: () => onEnd(thread), waiting: new Map() };
  const end = (detail: string) => {
    thread.retire();
    const answer = opened({ outcome: detail === NOT_STARTED ? 'unsupported' : 'damaged', detail });
    for (const id of [...thread.waiting.keys()]) settle(thread, id, answer);
  };
  let hasAnswered = false;
  worker.on('message', ({ id, opened: answer }: WorkerAnswer) => {
    hasAnswered = true;
    settle(thread, id, answer);
  });
  worker.on('error', (error: Error & { code?: string }) =>
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' || hasAnswered ? BROKE : NOT_STARTED),
  );
  worker.on('exit', () => end(BROKE));
  // A thread that waits for work must not keep a command line tool alive.
  worker.unref();
  return thread;
}

const BROKE = 'an archive that its reader broke on';
const NOT_STARTED = 'archives cannot be opened here';

function ask(thread: Thread, id: number, request: UnpackRequest, timeMs: number): Promise<Opened> {
  return new Promise((resolve) => {
    thread.worker.ref();
    const timer = setTimeout(() => {
      thread.retire();
      settle(thread, id, OUT_OF_TIME);
      void thread.worker.terminate();
    }, timeMs);
    thread.waiting.set(id, { resolve, timer });
    // A view is sent with all the memory it is a view of, which may be the whole email: only its own bytes go.
    const bytes = new Uint8Array(request.bytes);
    thread.worker.postMessage({ id, request: { ...request, bytes } }, [bytes.buffer]);
  });
}

function settle(thread: Thread, id: number, answer: Opened): void {
  const waiting = thread.waiting.get(id);
  if (waiting === undefined) return;
  thread.waiting.delete(id);
  clearTimeout(waiting.timer);
  if (thread.waiting.size === 0) thread.worker.unref();
  waiting.resolve(answer);
}
