/**
 * Keeps the running tasks of a pool, their use of time, and the queue. Limits are in processor time, so a busy machine ends no task. Each
 * task has a deadline. The tasks of a group, which came in one mail, share a budget. A group that used more than a few seconds of it must
 * leave one thread to lighter groups. It gives one up when it has all threads.
 */

import { FairQueue } from '../../formats/threads/fair-queue.ts';
import type { EngineLimits } from '../engine.ts';
import type { AloneAccount } from './alone-account.ts';
import type { GroupAccounts } from './group-accounts.ts';
import { openGrowth, type ThreadGrowth } from './growth.ts';

/** A group that used less, in milliseconds, is ordinary: most mails take less than a second. */
const LIGHT_MS = 5_000;
/** Milliseconds between two checks of the time that the running tasks have used. */
const LOOK_MS = 200;
/** A task may take this many times its deadline in clock time. This ends work that uses no processor and never finishes. */
const CLOCK_FACTOR = 10;

/**
 * A file that uses up the memory of its thread costs its group this many milliseconds. Such a file ends a thread in a second or two,
 * and a mail of fifty such files would make the pool start and fill fifty threads.
 */
const MEMORY_FAULT_MS = 60_000;

/** Why a task was ended. */
export type End = 'timeout' | 'yield' | 'group timeout' | 'closed' | 'not started';

export interface Job {
  /** Null when the task shares no budget. */
  readonly group: string | null;
  readonly controller: AbortController;
  /** Returns milliseconds of processor time so far, or null when it can no longer be measured. */
  readonly usedMs: () => number | null;
  /** In clock time. */
  readonly startedMs: number;
  charged: number;
}

export interface PoolJobs {
  readonly running: ReadonlySet<Job>;
  /** Runs and measures the work when its group has its turn, or at once when the caller has made the pool `quiet` for it. */
  run<T>(
    group: string | null,
    usedMs: Job['usedMs'],
    work: (signal: AbortSignal) => Promise<T>,
    isAlone?: boolean,
  ): Promise<T>;
  /** Waits until nothing runs. Until `work` has ended, only the work that it runs itself as alone begins. */
  quiet<T>(work: () => Promise<T>): Promise<T>;
  /** Records that a task of the group ended because it used up the memory of its thread. */
  chargeMemory(group: string | null): void;
  /** Returns whether the group has used up its budget. */
  isUsedUp(group: string | null): boolean;
}

/** All work without a group takes turns as one group. */
const NO_GROUP = '';

/** Makes the jobs of `threads` threads. They charge their processor time to `accounts` and `alone`. */
export function openPoolJobs(
  threads: number,
  limits: TimeLimits,
  accounts: GroupAccounts,
  alone: AloneAccount,
  growth: ThreadGrowth = openGrowth(threads, false),
): PoolJobs {
  return new TimedJobs(threads, limits, accounts, alone, growth);
}

type TimeLimits = Pick<EngineLimits, 'timeoutMs' | 'groupTimeMs'>;

class TimedJobs implements PoolJobs {
  readonly running = new Set<Job>();
  private readonly waiting = new FairQueue<() => void>();
  private readonly waitingForQuiet: (() => void)[] = [];
  /** The threads that are taken. */
  private taken = 0;
  private isQuiet = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly threads: number,
    private readonly limits: TimeLimits,
    private readonly accounts: GroupAccounts,
    private readonly alone: AloneAccount,
    private readonly growth: ThreadGrowth,
  ) {}

  async run<T>(
    group: string | null,
    usedMs: Job['usedMs'],
    work: (signal: AbortSignal) => Promise<T>,
    isAlone = false,
  ): Promise<T> {
    const turn = group ?? NO_GROUP;
    if (isAlone || this.isFreeFor(turn)) this.taken++;
    else await new Promise<void>((resolve) => this.waiting.push(turn, resolve));
    const job: Job = { group, controller: new AbortController(), usedMs, startedMs: performance.now(), charged: 0 };
    this.begin(job);
    try {
      return await work(job.controller.signal);
    } finally {
      this.end(job);
    }
  }

  async quiet<T>(work: () => Promise<T>): Promise<T> {
    const turn = new Promise<void>((resolve) => this.waitingForQuiet.push(resolve));
    this.startWaiting();
    await turn;
    try {
      return await work();
    } finally {
      this.isQuiet = false;
      this.startWaiting();
    }
  }

  chargeMemory(group: string | null): void {
    if (group !== null) this.accounts.charge(group, MEMORY_FAULT_MS);
  }

  isUsedUp(group: string | null): boolean {
    return group !== null && this.accounts.used(group) >= this.limits.groupTimeMs;
  }

  private begin(job: Job): void {
    this.running.add(job);
    this.timer ??= setInterval(() => this.look(), LOOK_MS);
  }

  private end(job: Job): void {
    this.charge(job);
    this.growth.ended();
    this.running.delete(job);
    this.taken--;
    this.startWaiting();
    if (this.running.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Charges the time that the running tasks have used, and ends tasks that used too much. */
  private look(): void {
    for (const job of this.running) {
      this.charge(job);
      if (this.isLate(job)) job.controller.abort('timeout' satisfies End);
      else if (this.isUsedUp(job.group)) job.controller.abort('group timeout' satisfies End);
    }
    if (!this.isFullOfHeavy() || !this.waiting.has((group) => !this.isHeavy(group))) return;
    // The task that began last loses the least work. It waits for a turn among the heavy groups.
    [...this.running].at(-1)?.controller.abort('yield' satisfies End);
  }

  private charge(job: Job): void {
    const used = job.usedMs() ?? job.charged;
    const since = used - job.charged;
    if (job.group !== null) this.accounts.charge(job.group, since);
    if (this.isQuiet) this.alone.keptIdle(since);
    else this.alone.worked(since);
    const hasRoom = this.waiting.has(() => true) && this.growth.keptWaiting(used, since);
    job.charged = used;
    if (hasRoom) this.startWaiting();
  }

  /** Begins as much waiting work as there is room for. */
  private startWaiting(): void {
    const mayBeQuiet = !this.isQuiet && this.taken === 0 && (this.isQuietDue() || !this.waiting.has(() => true));
    const startQuiet = mayBeQuiet ? this.waitingForQuiet.shift() : undefined;
    if (startQuiet !== undefined) {
      this.isQuiet = true;
      startQuiet();
    }
    if (this.isQuiet || this.isQuietDue()) return;
    while (this.taken < this.growth.room()) {
      const start = this.waiting.take((group) => this.mayGo(group));
      if (start === undefined) return;
      this.taken++;
      start();
    }
  }

  /** Returns whether work of the group may begin at once. */
  private isFreeFor(group: string): boolean {
    const isRoom = !this.isQuiet && !this.isQuietDue() && this.taken < this.growth.room();
    return isRoom && !this.waiting.has((other) => this.mayGo(other)) && this.mayGo(group);
  }

  /** Returns whether the group leaves one thread to lighter groups. */
  private mayGo(group: string): boolean {
    if (this.threads === 1 || !this.isHeavy(group)) return true;
    return [...this.running].filter((job) => this.isHeavy(job.group)).length < this.threads - 1;
  }

  private isHeavy(group: string | null): boolean {
    return group !== null && this.accounts.used(group) >= LIGHT_MS;
  }

  private isFullOfHeavy(): boolean {
    const isFull = this.threads > 1 && this.running.size === this.threads;
    return isFull && [...this.running].every(({ group }) => this.isHeavy(group));
  }

  private isLate({ charged, startedMs }: Job): boolean {
    const { timeoutMs } = this.limits;
    return charged > timeoutMs || performance.now() - startedMs > timeoutMs * CLOCK_FACTOR;
  }

  private isQuietDue(): boolean {
    return this.waitingForQuiet.length > 0 && this.alone.isPaid();
  }
}
