/** Collects warnings: each code once per part, and few per code, so that a hostile message cannot fill the ledger with them. */
import type { ReadingWarning, WarningCode } from '../model.ts';

/**
 * The most warnings that are kept of one code. Policy acts on the code and not on the count, and a message may have a thousand odd parts.
 */
const WARNINGS_PER_CODE = 20;

/** Something odd in a part that has no path yet. */
export interface Problem {
  readonly code: WarningCode;
  /** Plain words, without text of the sender. */
  readonly detail: string;
}

export interface WarningList {
  add(code: WarningCode, path: string | null, detail: string): void;
  list(): readonly ReadingWarning[];
}

/** Makes an empty list of warnings. Of several warnings with one code for the same part, the first is kept. */
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
