/**
 * Keeps the running tasks of a pool, their use of time, and the queue. Limits are in processor time, so a busy machine ends no task. Each
 * task has a deadline. The tasks of a group, which came in one mail, share a budget. A group that used more than a few seconds of it must
 * leave one thread to lighter groups. It gives one up when it has all threads.
 */

import { FairQueue } from '../../formats/threads/fair-queue.ts';
import type { EngineLimits } from '../engine.ts';
import type { AloneAccount } from './alone-account.ts';
import type { GroupAccounts } from './group-accounts.ts';
import { openGrowth, type ThreadGrowth } from './thread-growth.ts';

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
  limits: Pick<EngineLimits, 'timeoutMs' | 'groupTimeMs'>,
  accounts: GroupAccounts,
  alone: AloneAccount,
  growth: ThreadGrowth = openGrowth(threads, false),
): PoolJobs {
  const waiting = new FairQueue<() => void>();
  const waitingForQuiet: (() => void)[] = [];
  const running = new Set<Job>();
  let taken = 0;
  let isQuiet = false;
  let timer: NodeJS.Timeout | undefined;
  const isHeavy = (group: string | null) => group !== null && accounts.used(group) >= LIGHT_MS;
  const mayGo = (group: string) =>
    threads === 1 || !isHeavy(group) || [...running].filter((job) => isHeavy(job.group)).length < threads - 1;
  const isUsedUp = (group: string | null) => group !== null && accounts.used(group) >= limits.groupTimeMs;
  const charge = (job: Job) => {
    const used = job.usedMs() ?? job.charged;
    if (job.group !== null) accounts.charge(job.group, used - job.charged);
    if (isQuiet) alone.keptIdle(used - job.charged);
    else alone.worked(used - job.charged);
    const hasRoom = waiting.has(() => true) && growth.keptWaiting(used, used - job.charged);
    job.charged = used;
    if (hasRoom) pump();
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
    // The task that began last loses the least work. It waits for a turn among the heavy groups.
    [...running].at(-1)?.controller.abort('yield' satisfies End);
  };
  const isQuietDue = () => waitingForQuiet.length > 0 && alone.isPaid();
  const pump = () => {
    const mayBeQuiet = !isQuiet && taken === 0 && (isQuietDue() || !waiting.has(() => true));
    const startQuiet = mayBeQuiet ? waitingForQuiet.shift() : undefined;
    if (startQuiet !== undefined) {
      isQuiet = true;
      startQuiet();
    }
    if (isQuiet || isQuietDue()) return;
    while (taken < growth.room()) {
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
    growth.ended();
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
    quiet: async (work) => {
      const turn = new Promise<void>((resolve) => waitingForQuiet.push(resolve));
      pump();
      await turn;
      try {
        return await work();
      } finally {
        isQuiet = false;
        pump();
      }
    },
    run: async (group, usedMs, work, isAlone = false) => {
      const turn = group ?? NO_GROUP;
      const isFree = !isQuiet && !isQuietDue() && taken < growth.room() && !waiting.has(mayGo) && mayGo(turn);
      if (isAlone || isFree) taken++;
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
