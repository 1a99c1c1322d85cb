/** Work that waits and work that runs, both bounded. What does not fit is refused at the door, before its body is read. */
import { ServiceError } from './service-error.ts';

export interface JobQueueLimits {
  readonly concurrentJobs: number;
  readonly queuedJobs: number;
}

/** A place in the queue, held while an upload is read. */
export interface Slot {
  /** Turns the place into a job. A job must not throw: it reports its own failure. */
  start(job: () => Promise<void>): void;
  /** Gives the place back; does nothing once started. */
  release(): void;
}

export interface JobQueue {
  /** Jobs that wait or run, and uploads being read. */
  readonly pending: number;
  /** Throws ServiceError SUBMISSION_LIMIT_EXCEEDED when there is no room. */
  reserve(): Slot;
  /** A job that was accepted before a restart: it has its place whatever the limit. */
  resume(job: () => Promise<void>): void;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Drops what waits, which a lasting store finds again, and refuses what comes; resolves when what runs has ended. */
  close(): Promise<void>;
}

/** Seconds a refused submitter is told to wait. */
const RETRY_AFTER_SECONDS = 5;

/** A first-in, first-out queue. */
export function createJobQueue(limits: JobQueueLimits): JobQueue {
  return new BoundedQueue(limits);
}

class BoundedQueue implements JobQueue {
  readonly #limits: JobQueueLimits;
  readonly #waiting: (() => Promise<void>)[] = [];
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

  reserve(): Slot {
    if (this.#isClosed || this.#reserved >= this.#limits.queuedJobs) {
      throw new ServiceError('SUBMISSION_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return this.#slot();
  }

  resume(job: () => Promise<void>): void {
    this.#slot().start(job);
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve);
      this.#settle();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    await this.idle();
  }

  #slot(): Slot {
    this.#reserved += 1;
    let isOpen = true;
    const free = () => {
      this.#reserved -= 1;
    };
    return {
      start: (job) => {
        if (!isOpen) return;
        isOpen = false;
        // Closed meanwhile: the submission is stored, and its job starts with the service the next time.
        if (this.#isClosed) return free();
        this.#waiting.push(() => job().finally(free));
        this.#pump();
      },
      release: () => {
        if (!isOpen) return;
        isOpen = false;
        free();
      },
    };
  }

  #pump(): void {
    while (this.#running < this.#limits.concurrentJobs) {
      const job = this.#waiting.shift();
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
    if (this.#running > 0 || this.#waiting.length > 0) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }
}
