/** Jobs in this process: each is done as soon as an engine is free. Like a queue elsewhere, it hands out a job again that failed. */

import { failJob } from './fail-job.ts';
import type { Job, JobQueue } from './job.ts';
import { type JobContext, runJob } from './run-job.ts';

export interface LocalQueue extends JobQueue {
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
}

/** How often a job is handed out. After that, its report says that the engine failed. */
export const MOST_RECEIVES = 3;

type OnLost = (job: Job, error: unknown) => void;

/** A queue whose jobs `ctx` does. `onLost` is told of a job whose report cannot be written, which nobody should wait for. */
export function createLocalQueue(ctx: JobContext, onLost: OnLost = () => undefined): LocalQueue {
  const running = new Set<Promise<void>>();
  return {
    send: async (job) => {
      const done = handedOut(ctx, job)
        .catch((error: unknown) => onLost(job, error))
        .finally(() => running.delete(done));
      running.add(done);
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

async function handedOut(ctx: JobContext, job: Job): Promise<void> {
  for (let receive = 1; receive <= MOST_RECEIVES; receive += 1) {
    const isDone = await runJob(ctx, job).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  await failJob(ctx.blobs, job);
}
