/** The memory of this process. The system is asked only from time to time, because the answer costs as much as a small write. */

/** Milliseconds. In this time, a process takes far less memory than the reserve below its limit. */
const TOLD_MS = 500;

let told = { at: Number.NEGATIVE_INFINITY, bytes: 0 };

/** Returns the bytes of memory that this process uses, or used half a second ago. */
export function residentBytes(): number {
  const at = performance.now();
  if (at - told.at >= TOLD_MS) told = { at, bytes: process.memoryUsage.rss() };
  return told.bytes;
}
