/** How much processor time a task has used: told by its thread at the start, read from the parent while the thread is busy. */
import { systemThread, threadTimeMs, timeOfThread } from './thread-time.ts';

/** Shared between the threads: the thread's number in the system (0: not begun), and its processor time at the start. */
export type Meter = Float64Array;

export const newMeter = (): Meter => new Float64Array(new SharedArrayBuffer(16));

/** Called in the thread that takes the task up. */
export function beginMeter(meter: Meter): void {
  meter[1] = threadTimeMs();
  // Last: whoever sees the number sees the time.
  meter[0] = systemThread();
}

/**
 * Milliseconds of processor time since `beginMeter`, 0 before it. Null once the thread is gone. Where the system does not tell the
 * time of a thread, it is the clock since the moment that `clockMs` counts from.
 */
export function metered(meter: Meter, clockMs: number): number | null {
  const [thread = 0, start = 0] = meter;
  if (thread === 0) return 0;
  if (thread < 0) return clockMs;
  const now = timeOfThread(thread);
  return now === null ? null : Math.max(0, now - start);
}
