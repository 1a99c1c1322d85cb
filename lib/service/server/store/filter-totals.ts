/**
 * How many submissions pass the filters that are in use. Counting tens of thousands of rows for every page of a list is slow. So a total is
 * counted once, and every change of a submission is then checked against the kept filters.
 */
import { isMatch } from './submission-match.ts';
import type { SubmissionFilter } from './submission-store.ts';
import type { StoredSubmission } from './submissions.ts';

/** The most filters that are kept, because each costs a check for every change. The least recently used one is dropped first. */
const MAX_FILTERS = 64;

export interface FilterTotals {
  /** Returns the total of a filter, which is counted when it is not known. */
  of(filter: SubmissionFilter, count: () => number): number;
  /** Must be called for every change of a submission. Null means a submission that does not exist. */
  changed(before: StoredSubmission | null, after: StoredSubmission | null): void;
}

/** Returns the totals of one store, to which nothing else may write. */
export function createFilterTotals(): FilterTotals {
  // A Map keeps the order of insertion, so its first entry is the least recently used.
  const kept = new Map<string, { readonly filter: SubmissionFilter; readonly total: number }>();
  return {
    of(filter, count) {
      const key = JSON.stringify(Object.entries(filter).sort());
      const total = kept.get(key)?.total ?? count();
      kept.delete(key);
      kept.set(key, { filter, total });
      const oldest = kept.keys().next();
      if (kept.size > MAX_FILTERS && !oldest.done) kept.delete(oldest.value);
      return total;
    },
    changed(before, after) {
      for (const [key, { filter, total }] of kept) {
        const difference =
          Number(after !== null && isMatch(after, filter)) - Number(before !== null && isMatch(before, filter));
        if (difference !== 0) kept.set(key, { filter, total: total + difference });
      }
    },
  };
}
