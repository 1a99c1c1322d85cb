/** Work that waits and work that runs, both bounded. What does not fit is refused at the door, before its body is read. */
import { ServiceError } from './service-error.ts';

export interface JobQueueLimits {
  readonly concurrentJobs: number;
  readonly queuedJobs: number;
  readonly queuedBytes: number;
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
  /** Throws ServiceError SUBMISSION_LIMIT_EXCEEDED when there is no room for this many bytes. */
  reserve(bytes: number): Slot;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Drops what waits and refuses what comes; resolves when what runs has ended. */
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
  #reservedBytes = 0;
  #running = 0;
  #isClosed = false;

  constructor(limits: JobQueueLimits) {
    this.#limits = limits;
  }

  get pending(): number {
    return this.#reserved;
  }

  reserve(bytes: number): Slot {
    if (this.#isClosed || !this.#hasRoomFor(bytes)) {
      throw new ServiceError('SUBMISSION_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#reserved += 1;
    this.#reservedBytes += bytes;
    let isOpen = true;
    const free = () => {
      this.#reserved -= 1;
      this.#reservedBytes -= bytes;
    };
    return {
      start: (job) => {
        if (!isOpen || this.#isClosed) return;
        isOpen = false;
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

  #hasRoomFor(bytes: number): boolean {
    if (this.#reserved === 0) return true;
    const { queuedJobs, queuedBytes } = this.#limits;
    return this.#reserved < queuedJobs && this.#reservedBytes + bytes <= queuedBytes;
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
