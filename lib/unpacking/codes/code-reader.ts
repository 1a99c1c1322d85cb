/**
 * The pipeline's CodeReader over a worker thread: hostile pictures are decoded away from the thread that holds the keys, under a
 * deadline. A thread that does not answer in time is ended, and the next picture gets a new one.
 */
import { Worker } from 'node:worker_threads';
import type { CodeRequest, CodesRead } from '../../message/urls/source.ts';
import type { CodeReader } from '../../pipeline/ports.ts';
import type { CodesAnswer } from './worker.ts';

/** JavaScript objects of the thread; pixels and wasm memory are not on this heap. */
const HEAP_MB = 256;
/** Added once to the deadline of the first picture, for the thread and its libraries to start. */
const START_MS = 5_000;

const OUT_OF_TIME: CodesRead = { outcome: 'partly', untrustedTexts: [] };
const BROKE: CodesRead = { outcome: 'unreadable', untrustedTexts: [] };

export interface LocalCodeReader extends CodeReader {
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  /** Takes the answer to the only question that is open; null while there is none. */
  settle: ((answer: CodesRead) => void) | null;
  /** No further question goes to it. */
  readonly leave: () => void;
}

/** One thread, started at the first picture and kept for the next; pictures wait for each other. It keeps no process alive. */
export function createCodeReader(): LocalCodeReader {
  let thread: Thread | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const one = (request: CodeRequest): Promise<CodesRead> => {
    if (request.timeMs <= 0) return Promise.resolve(OUT_OF_TIME);
    const startMs = thread === null ? START_MS : 0;
    thread ??= startThread((dead) => {
      if (thread === dead) thread = null;
    });
    return ask(thread, request, request.timeMs + startMs);
  };
  return {
    read(request) {
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

function startThread(onEnd: (thread: Thread) => void): Thread {
  const worker = new Worker(new URL('./worker-entry.mjs', import.meta.url), {
    // Hostile bytes run beside no secrets: the thread sees neither the environment nor the loaders of its parent.
    env: {},
    execArgv: [],
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    stdout: true,
    stderr: true,
  });
  const thread: Thread = { worker, settle: null, leave: () => onEnd(thread) };
  const end = () => {
    thread.leave();
    thread.settle?.(BROKE);
  };
  worker.on('message', ({ codes }: CodesAnswer) => thread.settle?.(codes ?? BROKE));
  worker.on('error', end);
  worker.on('exit', end);
  worker.unref();
  return thread;
}

function ask(thread: Thread, request: CodeRequest, timeMs: number): Promise<CodesRead> {
  return new Promise((resolve) => {
    thread.worker.ref();
    const timer = setTimeout(() => {
      thread.leave();
      thread.settle?.(OUT_OF_TIME);
      void thread.worker.terminate();
    }, timeMs);
    thread.settle = (answer) => {
      thread.settle = null;
      clearTimeout(timer);
      thread.worker.unref();
      resolve(answer);
    };
    // A view is sent with all the memory it is a view of, which may be the whole email: only its own bytes go.
    const bytes = new Uint8Array(request.bytes);
    thread.worker.postMessage({ ...request, bytes }, [bytes.buffer]);
  });
}
