/** Measures the processor time of a task. The thread reports its start; the parent reads the time while the thread is busy. */
import { systemThread, threadTimeMs, timeOfThread } from './thread-time.ts';

/** Memory shared between the threads: the thread's number in the system (0: not begun) and its processor time at the start. */
export type Meter = Float64Array;

export const newMeter = (): Meter => new Float64Array(new SharedArrayBuffer(16));

/** The thread that takes the task calls this. */
export function beginMeter(meter: Meter): void {
  meter[1] = threadTimeMs();
  // The number is stored last, so a thread that sees the number also sees the time.
  meter[0] = systemThread();
}

/**
 * Returns the milliseconds of processor time since `beginMeter`; 0 before it; null when the thread has ended. If the system does not report
 * the time of a thread, the result is clock time since the moment from which `clockMs` counts.
 */
export function metered(meter: Meter, clockMs: number): number | null {
  const [thread = 0, start = 0] = meter;
  if (thread === 0) return 0;
  if (thread < 0) return clockMs;
  const now = timeOfThread(thread);
  return now === null ? null : Math.max(0, now - start);
}
