/**
 * Repeats runs that the clock ended because the machine was busy. Only the clock ends a loop inside of a built-in, and it cannot be changed
 * during a run. So a run that got less than its share of the processor has another try, with as much time as it would have needed.
 */
import { BUSY_SHARE, STEP_SHARE } from './limits.ts';

/** How a run ended. */
export interface Ended {
  /** False when the clock ended it. */
  readonly isWhole: boolean;
  /** The processor time that it got, in milliseconds. */
  readonly usedMs: number;
}

/** Returns the clock time in milliseconds for a run that may use `runMs` of processor time. */
export const clockOf = (runMs: number): number => Math.ceil(runMs * STEP_SHARE);

/** Returns the clock time in milliseconds for another try, or null when the run needs none. */
export function clockOfNextTry({ isWhole, usedMs }: Ended, runMs: number): number | null {
  if (isWhole || usedMs >= runMs) return null;
  const clockMs = clockOf(runMs);
  return Math.ceil(clockMs * Math.min(BUSY_SHARE, clockMs / usedMs));
}
