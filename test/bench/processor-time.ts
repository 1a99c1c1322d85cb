/** The processor time of a program and of the processes that it started, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one unit of /proc/PID/stat: USER_HZ is 100 on every platform that Node runs on. */
const TICK_MS = 10;

interface Counted {
  readonly parent: number;
  readonly ms: number;
}

/** Milliseconds that the process and all below it have used, in the program and in the system; null where there is no /proc. */
export function processorMsOf(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const all = new Map<number, Counted>();
  for (const name of readdirSync('/proc')) {
    const counted = /^\d+$/.test(name) ? read(name) : null;
    if (counted !== null) all.set(Number(name), counted);
  }
  const isBelow = (each: number): boolean => each === pid || (all.has(each) && isBelow(all.get(each)?.parent ?? 0));
  return [...all].reduce((sum, [each, { ms }]) => sum + (isBelow(each) ? ms : 0), 0);
}

/** With the time of its children that have ended. Null when it has ended itself meanwhile. */
function read(pid: string): Counted | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may have anything in it, and is the last that has a parenthesis (proc(5)).
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0, ...rest] = fields;
    return { parent, ms: rest.slice(9, 13).reduce((sum, ticks) => sum + ticks * TICK_MS, 0) };
  } catch {
    return null;
  }
}
