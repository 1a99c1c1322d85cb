/** What a process has used of the processors. Only Linux tells it of another process. */
import { readFileSync } from 'node:fs';

/** Linux counts for programs in hundredths of a second, whatever its own clock does. */
const TICKS_PER_SECOND = 100;
/** Places of the times in user and in system mode, counted behind the name of the program. */
const [USER, SYSTEM] = [11, 12];

/** Seconds of processor time of a process and all its threads until now. 0 where nobody tells. Throws when there is no such process. */
export function processorSecondsOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS_PER_SECOND;
}
