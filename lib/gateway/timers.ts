/** Wakes the queue at a time. A test has a clock of its own, and moves it. */
export interface Alarms {
  /** Calls back once, at that time or at once when it has passed. Milliseconds since the epoch. */
  at(timeMs: number, callback: () => void): void;
  close(): void;
}

/** A timer of Node cannot wait longer. */
const LONGEST_MS = 2 ** 31 - 1;

/** Alarms by the clock of the system. */
export function systemAlarms(now: () => number): Alarms {
  const timers = new Set<NodeJS.Timeout>();
  const at = (timeMs: number, callback: () => void): void => {
    const waitMs = Math.max(0, timeMs - now());
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        if (timeMs > now()) at(timeMs, callback);
        else callback();
      },
      Math.min(waitMs, LONGEST_MS),
    );
    timers.add(timer);
  };
  return {
    at,
    close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
