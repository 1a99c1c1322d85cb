/** The most memory that a process ever had. */
import { existsSync, readFileSync } from 'node:fs';

const STATUS = '/proc/self/status';

/**
 * In megabytes, resident. Linux hands the parent's peak on to a child in its resource usage; the high-water mark is that of this
 * program alone.
 */
export function peakMb(): number {
  const status = existsSync(STATUS) ? readFileSync(STATUS, 'latin1') : null;
  return peakOf(status, process.resourceUsage().maxRSS);
}

/** Does the same for what a process said of itself: its status, null where the system has none, and its resource usage in kilobytes. */
export function peakOf(status: string | null, maxRss: number): number {
  const mark = /^VmHWM:\s+(\d+) kB$/m.exec(status ?? '')?.[1];
  return ((mark === undefined ? maxRss : Number(mark)) * 1_024) / 1e6;
}
