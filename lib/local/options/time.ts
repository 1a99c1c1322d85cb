/** Times on the command line. */
import { UsageError } from '../console.ts';

/** Reads the time of an option, in milliseconds since the epoch; null when it is not given. Throws UsageError. */
export function timeOption(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new UsageError(`${name} ${text} is no time. Write it like 2026-11-23T08:00Z.`);
  return time;
}
