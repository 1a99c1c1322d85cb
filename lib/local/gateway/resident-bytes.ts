/** The memory of this process, which is asked of the system only once in a while: the answer costs as much as a small write. */

/** In so many milliseconds, a process takes far less than what is left free below its limit. */
const TOLD_MS = 100;

let told = { at: Number.NEGATIVE_INFINITY, bytes: 0 };

/** Bytes of memory that this process holds, or held a tenth of a second ago. */
export function residentBytes(): number {
  const at = performance.now();
  if (at - told.at >= TOLD_MS) told = { at, bytes: process.memoryUsage.rss() };
  return told.bytes;
}
