/** The most memory that this process ever had. */
import { existsSync, readFileSync } from 'node:fs';

/**
 * In megabytes, resident. Linux hands the parent's peak on to a child in its resource usage; the high-water mark is that of this
 * program alone.
 */
export function peakMb(): number {
  const status = '/proc/self/status';
  const mark = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'latin1'))?.[1] : undefined;
  return ((mark === undefined ? process.resourceUsage().maxRSS : Number(mark)) * 1_024) / 1e6;
}
