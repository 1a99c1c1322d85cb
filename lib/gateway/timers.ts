/** Wakes the queue at a time. A test has a clock of its own, and moves it. */
export interface Alarms {
  /** Calls back once, at that time or at once when it has passed. Milliseconds since the epoch. Returns the function that cancels it. */
  at(timeMs: number, callback: () => void): () => void;
  close(): void;
}

/** A timer of Node cannot wait longer. */
const MAX_MS = 2 ** 31 - 1;

/** Returns alarms by the clock of the system. */
export function systemAlarms(now: () => number): Alarms {
  const timers = new Set<NodeJS.Timeout>();
  const at = (timeMs: number, callback: () => void): (() => void) => {
    let timer: NodeJS.Timeout | null = null;
    const set = () => {
      timer = setTimeout(ring, Math.min(Math.max(0, timeMs - now()), MAX_MS));
      timers.add(timer);
    };
    const takeBack = () => {
      if (timer === null) return;
      clearTimeout(timer);
      timers.delete(timer);
    };
    const ring = () => {
      takeBack();
      if (timeMs > now()) set();
      else callback();
    };
    set();
    return takeBack;
  };
  return {
    at,
    close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
