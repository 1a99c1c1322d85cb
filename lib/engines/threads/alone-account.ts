/** The thread time that tasks which ran alone have kept from other work. */

/**
 * Other work may use this multiple of it before the next such task, unless no work waits. Files that are made to be slow cost a pool a
 * tenth of its work.
 */
const WORK_PER_ALONE = 9;

export interface AloneAccount {
  /** Records milliseconds of processor time of a task that ran alone. */
  keptIdle(ms: number): void;
  /** Records milliseconds of processor time of other work. */
  worked(ms: number): void;
  /** Returns whether other work has had its share. */
  isPaid(): boolean;
}

/** Returns an account of a pool with this number of threads. */
export function openAloneAccount(threads: number): AloneAccount {
  let owedMs = 0;
  return {
    keptIdle: (ms) => {
      owedMs += ms * threads * WORK_PER_ALONE;
    },
    worked: (ms) => {
      owedMs = Math.max(0, owedMs - ms);
    },
    isPaid: () => owedMs === 0,
  };
}
