/** Collects warnings: each code once per part, and few per code, so that a hostile message cannot grow the ledger with them. */
import type { ReadingWarning, WarningCode } from '../model.ts';

/** A message of a thousand odd parts would otherwise carry thousands of warnings. Policy acts on the code, not the count. */
const WARNINGS_PER_CODE = 20;

/** Something odd in a part that has no path yet. */
export interface Problem {
  readonly code: WarningCode;
  /** Plain words; no text of the sender. */
  readonly detail: string;
}

export interface WarningList {
  add(code: WarningCode, path: string | null, detail: string): void;
  list(): readonly ReadingWarning[];
}

/** An empty list of warnings. The first warning of a code for a part stays; later ones for the same part are dropped. */
export function createWarnings(): WarningList {
  const warnings = new Map<string, ReadingWarning>();
  const counts = new Map<WarningCode, number>();
  return {
    add(code, path, detail) {
      const key = `${code} ${path ?? ''}`;
      const count = counts.get(code) ?? 0;
      if (warnings.has(key) || count >= WARNINGS_PER_CODE) return;
      counts.set(code, count + 1);
      warnings.set(key, { code, path, detail });
    },
    list: () => [...warnings.values()],
  };
}
