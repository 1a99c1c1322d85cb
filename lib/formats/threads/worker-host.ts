/**
 * Runs a reader of hostile bytes in a worker thread without the environment, with a heap limit and under a deadline. The thread that holds
 * the secrets reads none of these bytes. A thread that does not answer in time is ended, and the next request gets a new one.
 */
import { Worker } from 'node:worker_threads';

/** Heap limit of the thread, for a decoder that makes objects until memory runs out. Byte arrays are not on this heap. */
const HEAP_MB = 256;

/** Why a thread gave no answer. `not started`: its code cannot be loaded. */
export type Silence = 'out of time' | 'broke' | 'not started';

export interface WorkerHost<Request, Answer> {
  /** The answer to one request, or the result of `onSilence` when there is none. Requests wait for each other. */
  ask(request: Request, timeMs: number): Promise<Answer>;
  close(): Promise<void>;
}

interface Thread<Answer> {
  readonly worker: Worker;
  /** Takes the answer to the open request. Null when no request is open. */
  settle: ((answer: Answer) => void) | null;
  /** Makes sure that the thread gets no further request. */
  readonly retire: () => void;
}

export interface HostOptions<Answer> {
  /** The worker. It gets each request as a message and sends back one answer. */
  readonly file: URL;
  /** Extra milliseconds for a request when a thread must start for it. */
  readonly startMs: number;
  readonly onSilence: (silence: Silence) => Answer;
}

/** A host of one thread, which starts with the first request and is kept for the next. It does not keep the process alive. */
export function hostWorker<Request extends { readonly bytes: Uint8Array }, Answer>(
  options: HostOptions<Answer>,
): WorkerHost<Request, Answer> {
  let thread: Thread<Answer> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const one = (request: Request, timeMs: number): Promise<Answer> => {
    const startMs = thread === null ? options.startMs : 0;
    thread ??= startThread(options, (dead) => {
      if (thread === dead) thread = null;
    });
    return ask(thread, request, timeMs + startMs, options.onSilence);
  };
  return {
    ask(request, timeMs) {
      const answer = last.then(() => one(request, timeMs));
      last = answer;
      return answer;
    },
    async close() {
      await thread?.worker.terminate();
      thread = null;
    },
  };
}

function startThread<Answer>(
  { file, onSilence }: HostOptions<Answer>,
  onEnd: (thread: Thread<Answer>) => void,
): Thread<Answer> {
  const isSource = file.pathname.endsWith('.ts');
  const worker = new Worker(isSource ? new URL('./worker-entry.mjs', import.meta.url) : file, {
    workerData: file.href,
    // The thread has neither the environment nor the loaders of its parent, so that hostile bytes are kept away from secrets.
    env: {},
    execArgv: [],
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    stdout: true,
    stderr: true,
  });
  const thread: Thread<Answer> = { worker, settle: null, retire: () => onEnd(thread) };
  const end = (silence: Silence) => {
    thread.retire();
    thread.settle?.(onSilence(silence));
  };
  let hasAnswered = false;
  worker.on('message', (answer: Answer) => {
    hasAnswered = true;
    thread.settle?.(answer);
  });
  worker.on('error', (error: Error & { code?: string }) =>
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' || hasAnswered ? 'broke' : 'not started'),
  );
  worker.on('exit', () => end('broke'));
  // A thread that waits for work must not keep a command line tool alive.
  worker.unref();
  return thread;
}

function ask<Request extends { readonly bytes: Uint8Array }, Answer>(
  thread: Thread<Answer>,
  request: Request,
  timeMs: number,
  onSilence: (silence: Silence) => Answer,
): Promise<Answer> {
  return new Promise((resolve) => {
    thread.worker.ref();
    const timer = setTimeout(() => {
      thread.retire();
      thread.settle?.(onSilence('out of time'));
      void thread.worker.terminate();
    }, timeMs);
    thread.settle = (answer) => {
      thread.settle = null;
      clearTimeout(timer);
      thread.worker.unref();
      resolve(answer);
    };
    // A copy is sent, because a view would be sent with all the memory behind it, which may be the whole email.
    const bytes = new Uint8Array(request.bytes);
    thread.worker.postMessage({ ...request, bytes }, [bytes.buffer]);
  });
}
