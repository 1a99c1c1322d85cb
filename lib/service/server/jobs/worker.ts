/** A worker. It claims as many jobs as it may run from a queue that several processes share, and does them. */
import type { ClaimedJob, Claims } from './claims.ts';

export interface WorkerDeps {
  readonly claims: Claims;
  readonly concurrentJobs: number;
  readonly jobLeaseMs: number;
  /** Runs the reports of a job. Never rejects. */
  readonly run: (job: ClaimedJob) => Promise<void>;
  /** Tells others that the job has ended. Returns true when that is done, and the job must not be given out again. */
  readonly finish: (job: ClaimedJob) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}

/** The number of signs of life in the time of a claim. One of them may be lost. */
const BEATS = 3;

export class Worker {
  readonly #deps: WorkerDeps;
  /** Jobs that run, by group. */
  readonly #runningOf = new Map<string, number>();
  readonly #jobs = new Set<Promise<void>>();
  #running = 0;
  #isClosed = false;
  #isPumping = false;
  #isAsked = false;
  #stopListening: (() => Promise<void>) | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  /** Begins to claim jobs: at each notice of a new one, and at each sign of life, because a notice can be lost. */
  async start(): Promise<void> {
    await this.#listen();
    this.#timer = setInterval(() => void this.#beat(), this.#deps.jobLeaseMs / BEATS);
    void this.#pump();
  }

  /** Claims nothing more. Resolves when the running jobs have ended. */
  async drain(): Promise<void> {
    this.#isClosed = true;
    while (this.#jobs.size > 0) await Promise.all(this.#jobs);
  }

  /** Gives back unfinished jobs, so that another worker gets them at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#stopListening?.();
    await this.#deps.claims.release().catch(this.#deps.onFault);
  }

  async #listen(): Promise<void> {
    const onLost = () => {
      this.#stopListening = null;
    };
    this.#stopListening = await this.#deps.claims.listen(() => void this.#pump(), onLost);
  }

  async #beat(): Promise<void> {
    const { claims, onFault } = this.#deps;
    try {
      await claims.renew();
      if (this.#stopListening === null && !this.#isClosed) await this.#listen();
    } catch (error) {
      onFault(error);
    }
    await this.#pump();
  }

  /** Claims jobs until there is none, or no room. A call during that time makes it look once more. */
  async #pump(): Promise<void> {
    this.#isAsked = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#isAsked && !this.#isClosed) {
        this.#isAsked = false;
        await this.#claimAll();
      }
    } catch (error) {
      // The next sign of life tries again.
      this.#deps.onFault(error);
    } finally {
      this.#isPumping = false;
    }
  }

  async #claimAll(): Promise<void> {
    const { claims, concurrentJobs } = this.#deps;
    // No group has more than half of the running jobs.
    const share = Math.max(1, Math.floor(concurrentJobs / 2));
    while (this.#running < concurrentJobs && !this.#isClosed) {
      const full = [...this.#runningOf].filter(([, count]) => count >= share).map(([group]) => group);
      const job = await claims.claim(full);
      if (!job) return;
      const work: Promise<void> = this.#work(job)
        .catch(this.#deps.onFault)
        .finally(() => this.#jobs.delete(work));
      this.#jobs.add(work);
    }
  }

  async #work(job: ClaimedJob): Promise<void> {
    const { claims, run, finish } = this.#deps;
    this.#count(job.group, 1);
    await run(job).finally(() => this.#count(job.group, -1));
    void this.#pump();
    // Another worker has the job, because this one gave no sign of life for too long.
    if (!(await claims.holds(job))) return;
    if (await finish(job)) await claims.end(job);
    else await claims.abandon(job);
  }

  #count(group: string, change: 1 | -1): void {
    this.#running += change;
    const running = (this.#runningOf.get(group) ?? 0) + change;
    if (running > 0) this.#runningOf.set(group, running);
    else this.#runningOf.delete(group);
  }
}
