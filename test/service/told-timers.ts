/** Timers of one length ring when a test says so, however busy the machine is. All others keep the real clock. */
import { vi } from 'vitest';

export interface ToldTimers {
  /** Rings those that are set now. Returns how many they were. */
  ring(): number;
}

/** Longer than any test. */
const NEVER_MS = 2_147_483_647;

/** Takes the timers of exactly `ms` milliseconds from now on, until `vi.unstubAllGlobals()`. */
export function toldTimers(ms: number): ToldTimers {
  const [set, clear] = [globalThis.setTimeout, globalThis.clearTimeout];
  const waiting = new Map<NodeJS.Timeout, () => void>();
  vi.stubGlobal('setTimeout', (ring: () => void, afterMs?: number) => {
    if (afterMs !== ms) return set(ring, afterMs);
    const timer = set(() => undefined, NEVER_MS);
    waiting.set(timer, ring);
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer?: NodeJS.Timeout) => {
    if (timer !== undefined) waiting.delete(timer);
    clear(timer);
  });
  return {
    ring() {
      const due = [...waiting];
      waiting.clear();
      for (const [timer, ring] of due) {
        clear(timer);
        ring();
      }
      return due.length;
    },
  };
}
