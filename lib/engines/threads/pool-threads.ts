/** The threads of a pool. Each starts for the first task that finds no other thread idle. */
import { Piscina } from 'piscina';
import type { EngineReport, WorkerMessage } from './task.ts';

type StartOptions = Pick<NonNullable<ConstructorParameters<typeof Piscina>[0]>, 'filename' | 'resourceLimits'>;
type RunOptions = NonNullable<Parameters<Piscina['run']>[1]>;

/** A thread, started or not. */
export interface PoolThread {
  /**
   * Runs a task. Rejects with NotStartedError when no thread starts, with the reason of the signal, or with the error that ended the
   * thread.
   */
  run(message: WorkerMessage, options: Pick<RunOptions, 'signal' | 'transferList'>): Promise<EngineReport>;
  /** Returns whether no thread runs now, so that no task can run. */
  isDead(): boolean;
  /** Throws the thread away. The next task starts another. */
  drop(): Promise<void>;
}

/** A thread died before its first task had ended, so no thread will start. */
export class NotStartedError extends Error {}

export interface PoolThreads {
  /** Returns a thread that has no task. The pool never runs more tasks than there are threads. */
  idle(): PoolThread;
  close(): Promise<void>;
}

/** Makes `count` threads. Nothing starts yet. */
export function openPoolThreads(count: number, options: StartOptions): PoolThreads {
  const busy = new Set<PoolThread>();
  const threads = Array.from({ length: count }, () => openThread(options, busy));
  return {
    idle: () => threads.find((thread) => !busy.has(thread)) ?? (threads[0] as PoolThread),
    close: async () => void (await Promise.all(threads.map((thread) => thread.drop()))),
  };
}

function openThread(options: StartOptions, busy: Set<PoolThread>): PoolThread {
  let piscina: Piscina | null = null;
  /** Ends a wait for a task of the present thread; null once one has ended there. */
  let giveUp: ((error: Error) => void) | null = null;
  let isProven = false;
  const start = (): Piscina => {
    const started = new Piscina({ ...COMMON, ...options });
    isProven = false;
    started.on('error', () => giveUp?.(new NotStartedError('the thread did not start')));
    return started;
  };
  const thread: PoolThread = {
    async run(message, how) {
      busy.add(thread);
      try {
        piscina ??= start();
        const task = piscina.run(message, how) as Promise<EngineReport>;
        if (isProven) return await task;
        const never = new Promise<never>((_, reject) => {
          giveUp = reject;
        });
        const report = await Promise.race([task, never]);
        isProven = true;
        return report;
      } finally {
        giveUp = null;
        busy.delete(thread);
      }
    },
    isDead: () => piscina !== null && piscina.threads.length === 0,
    async drop() {
      const dropped = piscina;
      piscina = null;
      await dropped?.destroy();
    },
  };
  return thread;
}

const COMMON = {
  ...{ name: 'runTask', minThreads: 1, maxThreads: 1, recordTiming: false },
  // Hostile bytes must not run beside secrets, so the threads do not see the environment and the loaders of the parent.
  env: {},
  execArgv: [],
};
