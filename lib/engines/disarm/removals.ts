/** The list of the removals of a disarm. Its length is limited, because the attacker chooses their number. */
import type { Removal } from '../engine.ts';

/** Without a limit, a file of a million scripts would fill the report. */
const MAX_REMOVALS = 1_000;
/** A part name can be kilobytes long. */
const MAX_WHERE_LENGTH = 200;

export interface RemovalLog {
  /** In the order in which they were found, without repeats, at most MAX_REMOVALS. */
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
