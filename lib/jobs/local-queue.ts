/** A queue of jobs in this process. Each job is done as soon as an engine is free. Like any queue, it gives out a failed job again. */

import { failJob } from './fail-job.ts';
import type { Job, JobQueue } from './job.ts';
import { type JobContext, runJob } from './run-job.ts';

export interface LocalQueue extends JobQueue {
  /**
   * Throws the error of a question whose report could not be written. Nobody should wait for that report until the question is asked again.
   */
  check(question: string): void;
  /** Resolves when no job waits or runs. */
  idle(): Promise<void>;
}

/** How often a job is given out. After that, its report says that the engine failed. */
export const MAX_RECEIVES = 3;

/** Makes a queue whose jobs run in `ctx`. */
export function createLocalQueue(ctx: JobContext): LocalQueue {
  const running = new Set<Promise<void>>();
  const lost = new Map<string, unknown>();
  return {
    send: async (job) => {
      lost.delete(job.question);
      const done = handedOut(ctx, job)
        .catch((error: unknown) => void lost.set(job.question, error))
        .finally(() => running.delete(done));
      running.add(done);
    },
    check(question) {
      if (lost.has(question)) throw lost.get(question);
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

async function handedOut(ctx: JobContext, job: Job): Promise<void> {
  for (let receive = 1; receive <= MAX_RECEIVES; receive += 1) {
    const isDone = await runJob(ctx, job).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  await failJob(ctx.blobs, job);
}
