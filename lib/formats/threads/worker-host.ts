/**
 * Runs a reader of hostile bytes in a worker thread without the environment, with a heap limit and under a deadline of processor
 * time. The thread that holds the secrets reads none of these bytes. A thread that does not answer in time is ended, and the next
 * request gets a new one.
 */
import { Worker } from 'node:worker_threads';
import { type Meter, metered, newMeter } from './meter.ts';
import type { Asked } from './worker-thread.ts';

/** Heap limit of the thread, for a decoder that makes objects until memory runs out. Byte arrays are not on this heap. */
const HEAP_MB = 256;

/** Milliseconds between two checks of the work of a request. */
const LOOK_MS = 50;
/**
 * The least share of clock time that counts as work of a request. A picture is decoded in threads that no meter sees, and a thread may wait
 * forever. A thread that gets only a tenth of a busy processor still has all of its time.
 */
const SHARE_OF_CLOCK = 1 / 10;

/** The reason why a thread gave no answer. `not started`: its code cannot be loaded. */
export type Silence = 'out of time' | 'broke' | 'not started';

export interface WorkerHost<Request, Answer> {
  /**
   * Returns the answer to one request, or the result of `onSilence` when there is none. Requests wait for each other. `workMs` is the
   * processor time that it may take, in milliseconds. `onWork` receives the time that it took.
   */
  ask(request: Request, workMs: number, onWork?: OnWork): Promise<Answer>;
  close(): Promise<void>;
}

/** Receives the milliseconds of processor time that a request took in another thread. */
export type OnWork = (workMs: number) => void;

interface Thread<Answer> {
  readonly worker: Worker;
  /** Takes the answer to the open request. Returns null when no request is open. */
  settle: ((answer: Answer) => void) | null;
  /** Ensures that the thread gets no further request. */
  readonly retire: () => void;
}

export interface HostOptions<Answer> {
  /** The worker. It gets each request as a message and sends back one answer. */
  readonly file: URL;
  /** Extra milliseconds of work for a request that must start a thread. */
  readonly startMs: number;
  readonly onSilence: (silence: Silence) => Answer;
  /** Heap limit of the thread in MiB. @default HEAP_MB */
  readonly heapMb?: number;
}

/** Returns a host of one thread, which starts with the first request and is kept for the next. It does not keep the process alive. */
export function hostWorker<Request extends { readonly bytes: Uint8Array }, Answer>(
  options: HostOptions<Answer>,
): WorkerHost<Request, Answer> {
  let thread: Thread<Answer> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const one = async (request: Request, workMs: number, onWork: OnWork): Promise<Answer> => {
    const startMs = thread === null ? options.startMs : 0;
    thread ??= startThread(options, (dead) => {
      if (thread === dead) thread = null;
    });
    const work = workFrom(workMs + startMs);
    const answer = await ask(thread, request, work, options.onSilence);
    onWork(work.usedMs());
    return answer;
  };
  return {
    ask(request, workMs, onWork = () => undefined) {
      const answer = last.then(() => one(request, workMs, onWork));
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
  { file, onSilence, heapMb = HEAP_MB }: HostOptions<Answer>,
  onEnd: (thread: Thread<Answer>) => void,
): Thread<Answer> {
  const isSource = file.pathname.endsWith('.ts');
  const worker = new Worker(isSource ? new URL('./worker-entry.mjs', import.meta.url) : file, {
    workerData: file.href,
    // The thread has neither the environment nor the loaders of its parent, so that hostile bytes are kept away from secrets.
    env: {},
    execArgv: [],
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
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

/** The work that a request may use and has used, in milliseconds. */
interface Work {
  readonly meter: Meter;
  readonly limitMs: number;
  usedMs(): number;
}

function workFrom(limitMs: number): Work {
  const meter = newMeter();
  const started = performance.now();
  // The meter of an ended thread says nothing any more.
  let seenMs = 0;
  const usedMs = () => {
    const clockMs = performance.now() - started;
    seenMs = Math.max(seenMs, metered(meter, clockMs) ?? 0, clockMs * SHARE_OF_CLOCK);
    return seenMs;
  };
  return { meter, limitMs, usedMs };
}

function ask<Request extends { readonly bytes: Uint8Array }, Answer>(
  thread: Thread<Answer>,
  request: Request,
  work: Work,
  onSilence: (silence: Silence) => Answer,
): Promise<Answer> {
  return new Promise((resolve) => {
    thread.worker.ref();
    const timer = setInterval(() => {
      if (work.usedMs() < work.limitMs) return;
      thread.retire();
      thread.settle?.(onSilence('out of time'));
      void thread.worker.terminate();
    }, LOOK_MS);
    thread.settle = (answer) => {
      thread.settle = null;
      clearInterval(timer);
      thread.worker.unref();
      resolve(answer);
    };
    // A copy is sent, because a view would be sent with all the memory behind it, which may be the whole email.
    const bytes = new Uint8Array(request.bytes);
    const asked: Asked<Request> = { request: { ...request, bytes }, meter: work.meter };
    thread.worker.postMessage(asked, [bytes.buffer]);
  });
}
