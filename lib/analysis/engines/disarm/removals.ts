/** The list of what a disarm took out, kept short: an attacker decides how much there is to take out. */
import type { Removal } from '../engine.ts';

/** A file of a million scripts would otherwise fill the report, and the search for repeats would take for ever. */
const MAX_REMOVALS = 1_000;
/** Part names of kilobytes. */
const MAX_WHERE_LENGTH = 200;

export interface RemovalLog {
  /** In the order found, without repeats, at most MAX_REMOVALS. */
  readonly removals: readonly Removal[];
  readonly note: (kind: string, where: string, action?: Removal['action']) => void;
}

export function removalLog(): RemovalLog {
  const removals: Removal[] = [];
  const seen = new Set<string>();
  return {
    removals,
    note(kind, where, action = 'removed') {
      const key = `${kind}\n${where}`;
      if (removals.length >= MAX_REMOVALS || seen.has(key)) return;
      seen.add(key);
      removals.push({ kind, action, where: where.slice(0, MAX_WHERE_LENGTH) });
    },
  };
}
