/**
 * The tasks of a pool that run now, what they use, and who is next. Limits are processor time: a busy machine ends no task. A task
 * has its deadline; the tasks of a group, which came in one mail, share a budget; a group that used more than a few seconds of
 * it leaves one thread to those that did not, and gives it up when it holds all.
 */
import type { EngineLimits } from './engine.ts';
import { FairQueue } from './fair-queue.ts';
import type { GroupAccounts } from './group-accounts.ts';

/** A group that used less is ordinary: most mails take less than a second. In milliseconds. */
const LIGHT_MS = 5_000;
/** Between two looks at what the running tasks have used, in milliseconds. */
const LOOK_MS = 200;
/** Times its deadline that a task may take by the clock: the last net under work that uses no processor and never ends. */
const CLOCK_FACTOR = 10;

/**
 * What a file that used up the memory of its thread costs its group, in milliseconds: a thread dies in a second or two of work, and a
 * mail of fifty such files would have fifty threads made and filled.
 */
const MEMORY_FAULT_MS = 60_000;

/** Why a task was ended. */
export type End = 'timeout' | 'yield' | 'group timeout' | 'closed' | 'not started';

export interface Job {
  /** Null: nobody it shares a budget with. */
  readonly group: string | null;
  readonly controller: AbortController;
  /** Milliseconds of processor time so far; null when that cannot be told any more. */
  readonly usedMs: () => number | null;
  /** By the clock. */
  readonly startedMs: number;
  charged: number;
}

export interface PoolJobs {
  readonly running: ReadonlySet<Job>;
  /** Runs the work when it is its group's turn, and measures it. */
  run<T>(group: string | null, usedMs: Job['usedMs'], work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** A task of the group ended because the memory of its thread was used up. */
  chargeMemory(group: string | null): void;
  /** True when the group has nothing left. */
  isUsedUp(group: string | null): boolean;
}

/** Work of no group takes turns as one. */
const NO_GROUP = '';

/** The jobs of `threads` threads, which charge what they use to `accounts`. */
export function openPoolJobs(
  threads: number,
  limits: Pick<EngineLimits, 'timeoutMs' | 'groupTimeMs'>,
  accounts: GroupAccounts,
): PoolJobs {
  const waiting = new FairQueue<() => void>();
  const running = new Set<Job>();
  let taken = 0;
  let timer: NodeJS.Timeout | undefined;
  const isHeavy = (group: string | null) => group !== null && accounts.used(group) >= LIGHT_MS;
  const mayGo = (group: string) =>
    threads === 1 || !isHeavy(group) || [...running].filter((job) => isHeavy(job.group)).length < threads - 1;
  const isUsedUp = (group: string | null) => group !== null && accounts.used(group) >= limits.groupTimeMs;
  const charge = (job: Job) => {
    const used = job.usedMs() ?? job.charged;
    if (job.group !== null) accounts.charge(job.group, used - job.charged);
    job.charged = used;
  };
  const look = () => {
    for (const job of running) {
      charge(job);
      const isLate =
        job.charged > limits.timeoutMs || performance.now() - job.startedMs > limits.timeoutMs * CLOCK_FACTOR;
      if (isLate) job.controller.abort('timeout' satisfies End);
      else if (isUsedUp(job.group)) job.controller.abort('group timeout' satisfies End);
    }
    const isAllHeavy = threads > 1 && running.size === threads && [...running].every(({ group }) => isHeavy(group));
    if (!isAllHeavy || !waiting.has((group) => !isHeavy(group))) return;
    // The one that began last loses least; it waits for a turn among the heavy ones.
    [...running].at(-1)?.controller.abort('yield' satisfies End);
  };
  const pump = () => {
    while (taken < threads) {
      const start = waiting.take(mayGo);
      if (start === undefined) return;
      taken++;
      start();
    }
  };
  const begin = (job: Job) => {
    running.add(job);
    timer ??= setInterval(look, LOOK_MS);
  };
  const end = (job: Job) => {
    charge(job);
    running.delete(job);
    taken--;
    pump();
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    running,
    isUsedUp,
    chargeMemory: (group) => {
      if (group !== null) accounts.charge(group, MEMORY_FAULT_MS);
    },
    run: async (group, usedMs, work) => {
      const turn = group ?? NO_GROUP;
      if (taken < threads && !waiting.has(mayGo) && mayGo(turn)) taken++;
      else await new Promise<void>((resolve) => waiting.push(turn, resolve));
      const job: Job = { group, controller: new AbortController(), usedMs, startedMs: performance.now(), charged: 0 };
      begin(job);
      try {
        return await work(job.controller.signal);
      } finally {
        end(job);
      }
    },
  };
}
