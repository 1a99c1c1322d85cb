/**
 * Decides how many threads a pool uses. Each thread loads the engines for itself, which takes a second and more than a hundred megabytes.
 * So one thread is better for a folder of small mails. Another thread is worth its start when tasks waited for long tasks for as long as it
 * takes.
 */

/** A task of this many milliseconds of processor time is long. Small files take ten. */
const LONG_MS = 100;
/** The cost to start a thread, in the same unit. */
const START_MS = 1_000;
/** The first tasks load the engines, so their time says nothing about later tasks. */
const FIRST_TASKS = 4;
/** A hundred short tasks of a second pay for one spike among them. */
const SHORT_PAYS = 0.1;

export interface ThreadGrowth {
  /** Returns how many threads may have tasks now. */
  room(): number;
  /**
   * Records time of a task while others wait: its total, and the part of it that is new. Returns true when there is room for another thread
   * since.
   */
  keptWaiting(usedMs: number, newMs: number): boolean;
  /** Records the end of a task. */
  ended(): void;
  /** Makes room for all threads. */
  all(): void;
}

/**
 * Returns the growth of a pool from one thread to `most`. A pool that does not begin with few threads has all of them from the beginning.
 */
export function openGrowth(most: number, beginsWithFew: boolean): ThreadGrowth {
  let room = beginsWithFew ? 1 : most;
  let [waitedMs, tasks] = [0, 0];
  return {
    room: () => room,
    keptWaiting(usedMs, newMs) {
      if (room === most || tasks < FIRST_TASKS) return false;
      waitedMs = usedMs >= LONG_MS ? waitedMs + newMs : Math.max(0, waitedMs - newMs * SHORT_PAYS);
      if (waitedMs < START_MS) return false;
      waitedMs = 0;
      room += 1;
      return true;
    },
    ended: () => {
      tasks += 1;
    },
    all: () => {
      room = most;
    },
  };
}
