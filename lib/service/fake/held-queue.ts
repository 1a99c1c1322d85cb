/** A job queue that starts nothing by itself: the fake says when the reports of a submission end. */
import type { Job, JobQueue } from '../server/jobs/queue.ts';

export interface HeldQueue extends JobQueue {
  /** Runs the job of a group to its end. Does nothing when it ran already. */
  finish(group: string): Promise<void>;
}

/** Makes an empty queue. The groups are those of the requests, so each request needs one of its own. */
export function createHeldQueue(): HeldQueue {
  const held = new Map<string, Job>();
  const running = new Map<string, Promise<void>>();
  return {
    get pending() {
      return held.size;
    },
    // The service puts the id of the key before the name of a group.
    reserve: (group = '') => ({
      start: (job) => void held.set(group.slice(group.lastIndexOf(' ') + 1), job),
      release: () => undefined,
    }),
    // A fake begins with an empty store, so no job was left behind.
    resume: () => undefined,
    idle: async () => undefined,
    close: async () => held.clear(),
    finish: (group) => {
      const job = held.get(group);
      held.delete(group);
      if (job) running.set(group, job(group));
      return running.get(group) ?? Promise.resolve();
    },
  };
}
