/** Sets how zip.js works, for all of its users. */
import { configure } from '@zip.js/zip.js';

/** More zips than one process ever reads and writes at once. */
const NO_LIMIT = 1_000_000;

/**
 * Makes zip.js work in the thread that calls it. Even then it counts each zip that is being read or written against the size of its pool
 * of threads, so two downloads that nobody reads to the end would stop every other zip. The pool therefore has no limit.
 */
export function setUpZipJs(): void {
  configure({ useWebWorkers: false, maxWorkers: NO_LIMIT });
}
