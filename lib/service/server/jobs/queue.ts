/**
 * Waiting and running jobs, both with a limit. A job without a place is refused before its body is read. Groups take turns, and no group
 * has more than half of the running jobs.
 */
import { FairQueue } from '../../../formats/threads/fair-queue.ts';
import { ServiceError } from '../service-error.ts';

export interface JobQueueLimits {
  readonly concurrentJobs: number;
  readonly queuedJobs: number;
}

/** The work of a job. It gets the name of its group, whose jobs share a budget and take turns as one. */
export type Job = (group: string) => Promise<void>;

/** A place in the queue, held while an upload is read. */
export interface Slot {
  /** The group that the caller named. */
  readonly group?: string | undefined;
  /** Starts a job in this place. A job must not throw: it reports its own failure. */
  start(job: Job): void;
  /** Gives the place back. Does nothing when the job has started. */
  release(): void;
}

/** The queue of submissions. Adapters: the queue of this process, and postgres/job-places.ts for a queue that processes share. */
export interface JobPlaces {
  /** The number of jobs that wait or run, and of uploads that are being read. */
  readonly pending: number;
  /** Throws ServiceError SUBMISSION_LIMIT_EXCEEDED when there is no room. Without a group, the job is its own group. */
  reserve(group?: string): Slot | Promise<Slot>;
}

export interface JobQueue extends JobPlaces {
  reserve(group?: string): Slot;
  /** Adds a job that was accepted before a restart. It gets a place despite the limit. */
  resume(job: Job): void;
  /** Resolves when no job waits or runs. */
  idle(): Promise<void>;
  /** Drops waiting jobs, which a lasting store finds again, and refuses new ones. Resolves when the running jobs have ended. */
  close(): Promise<void>;
}

/** Seconds that a refused caller is told to wait. */
const RETRY_AFTER_SECONDS = 5;

/** Makes an empty queue. Within a group, the first in is the first out. */
export function createJobQueue(limits: JobQueueLimits): JobQueue {
  return new BoundedQueue(limits);
}

class BoundedQueue implements JobQueue {
  readonly #limits: JobQueueLimits;
  readonly #waiting = new FairQueue<() => Promise<void>>();
  /** Jobs that run, by group. */
  readonly #runningOf = new Map<string, number>();
  #alone = 0;
  readonly #idleWaiters: (() => void)[] = [];
  #reserved = 0;
  #running = 0;
  #isClosed = false;

  constructor(limits: JobQueueLimits) {
    this.#limits = limits;
  }

  get pending(): number {
    return this.#reserved;
  }

  reserve(group?: string): Slot {
    if (this.#isClosed || this.#reserved >= this.#limits.queuedJobs) {
      throw new ServiceError('SUBMISSION_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return this.#slot(group ?? this.#newGroup());
  }

  resume(job: Job): void {
    this.#slot(this.#newGroup()).start(job);
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve);
      this.#settle();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    await this.idle();
  }

  #newGroup(): string {
    this.#alone += 1;
    return `alone ${this.#alone}`;
  }

  #slot(group: string): Slot {
    this.#reserved += 1;
    let isOpen = true;
    const free = () => {
      this.#reserved -= 1;
    };
    return {
      start: (job) => {
        if (!isOpen) return;
        isOpen = false;
        // The queue was closed meanwhile. The submission is stored, and the next service starts its job.
        if (this.#isClosed) return free();
        this.#waiting.push(group, () => this.#runOf(group, job).finally(free));
        this.#pump();
      },
      release: () => {
        if (!isOpen) return;
        isOpen = false;
        free();
      },
    };
  }

  async #runOf(group: string, job: Job): Promise<void> {
    this.#runningOf.set(group, (this.#runningOf.get(group) ?? 0) + 1);
    await job(group).finally(() => {
      const left = (this.#runningOf.get(group) ?? 1) - 1;
      if (left === 0) this.#runningOf.delete(group);
      else this.#runningOf.set(group, left);
    });
  }

  #pump(): void {
    const share = Math.max(1, Math.floor(this.#limits.concurrentJobs / 2));
    const mayGo = (group: string) => (this.#runningOf.get(group) ?? 0) < share;
    while (this.#running < this.#limits.concurrentJobs) {
      const job = this.#waiting.take(mayGo);
      if (!job) break;
      this.#running += 1;
      void job().finally(() => {
        this.#running -= 1;
        this.#pump();
      });
    }
    this.#settle();
  }

  #settle(): void {
    if (this.#running > 0 || this.#waiting.has(() => true)) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}
