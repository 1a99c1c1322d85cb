/** A clock that a test moves, and alarms that ring by it. */
import type { Alarms } from '../../lib/gateway/timers.ts';

export interface ToldTime {
  now(): number;
  readonly alarms: Alarms;
  /** Moves the clock; alarms whose time has come ring one after the other. */
  advance(ms: number): void;
  /** Milliseconds until the next alarm; null when none is set. */
  next(): number | null;
}

export function toldTime(start = Date.parse('2026-11-23T09:00:00Z')): ToldTime {
  let time = start;
  let set: { readonly at: number; readonly ring: () => void }[] = [];
  const ringDue = () => {
    const due = set.filter(({ at }) => at <= time).sort((one, other) => one.at - other.at);
    set = set.filter(({ at }) => at > time);
    for (const { ring } of due) ring();
  };
  return {
    now: () => time,
    alarms: {
      at(at, ring) {
        if (at <= time) {
          const soon = setImmediate(ring);
          return () => clearImmediate(soon);
        }
        const alarm = { at, ring };
        set.push(alarm);
        return () => {
          set = set.filter((other) => other !== alarm);
        };
      },
      close() {
        set = [];
      },
    },
    advance(ms) {
      time += ms;
      ringDue();
    },
    next: () => (set.length === 0 ? null : Math.min(...set.map(({ at }) => at)) - time),
  };
}
