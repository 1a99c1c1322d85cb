/** One budget of time, entries and bytes for everything that is unpacked from one file. */
import { EngineError, type EngineLimits } from '../engine.ts';

export interface UnpackBudget {
  /** The limits, with what is left of entries and bytes. */
  readonly limits: EngineLimits;
  /** Asks before any work whether declared entries and bytes fit the budget. Throws like `spend`. */
  afford(entries: number, bytes: number): void;
  /** Takes entries and inflated bytes off the budget. Throws BudgetError `oversize` or `timeout` when it is spent. */
  spend(entries: number, bytes: number): void;
}

/** Ends the whole upload: the bytes that one member spends are gone for all members. */
export class BudgetError extends EngineError {}

/** Processor time of this thread, in milliseconds, and its limit. */
export interface Deadline {
  readonly now: () => number;
  readonly endsAt: number;
}

/** Returns an unused budget. */
export function openBudget(limits: EngineLimits, { now, endsAt }: Deadline): UnpackBudget {
  const left = { entries: limits.entries, bytes: limits.inflatedBytes };
  const check = (entries: number, bytes: number) => {
    if (entries < 0) throw new BudgetError('oversize', `more than ${limits.entries} entries in all`);
    if (bytes < 0)
      throw new BudgetError('oversize', `the file expands to more than ${limits.inflatedBytes} bytes in all`);
    // The pool ends the thread at this time. A container that notices the time by itself can still say why.
    if (now() > endsAt) throw new BudgetError('timeout', 'the files within the file took too long');
  };
  return {
    get limits() {
      return { ...limits, entries: left.entries, inflatedBytes: left.bytes };
    },
    afford: (entries, bytes) => check(left.entries - entries, left.bytes - bytes),
    spend(entries, bytes) {
      left.entries -= entries;
      left.bytes -= bytes;
      check(left.entries, left.bytes);
    },
  };
}
