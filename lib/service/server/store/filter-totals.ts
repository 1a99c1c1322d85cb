/**
 * How many submissions pass the filters that are in use. Counting tens of thousands of rows for every page of a list is what
 * makes lists slow, so a total is counted once and kept right from then on: every change is checked against the kept filters.
 */
import { isMatch } from './submission-match.ts';
import type { SubmissionFilter } from './submission-store.ts';
import type { StoredSubmission } from './submissions.ts';

/** Filters that are kept: each costs a check for every change. The one that was not used for longest goes first. */
const MAX_FILTERS = 64;

export interface FilterTotals {
  /** The total of a filter, counted when it is not known. */
  of(filter: SubmissionFilter, count: () => number): number;
  /** Tells of a change; null stands for "not there". Must be told of every one. */
  changed(before: StoredSubmission | null, after: StoredSubmission | null): void;
}

/** Totals of one store that nobody else writes to. */
export function createFilterTotals(): FilterTotals {
  // A Map keeps insertion order, so its first entry is the one not used for longest.
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
