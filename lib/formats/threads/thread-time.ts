/** Processor time of the calling thread. Unlike a clock limit, a limit in processor time is the same on a busy machine. */
import { openSync, readFileSync, readlinkSync, readSync } from 'node:fs';

/** Linux gives nanoseconds as the first number. An open file always reports the thread that opened it. */
const FILE = '/proc/thread-self/schedstat';
const buffer = Buffer.alloc(64);

function openFile(): number | null {
  try {
    return openSync(FILE, 'r');
  } catch {
    return null;
  }
}

const file = openFile();

/** Returns milliseconds since some fixed moment. Where the system does not report processor time, this is clock time. */
export function threadTimeMs(): number {
  if (file === null) return performance.now();
  const [nanoseconds = ''] = buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)).split(' ');
  return Number(nanoseconds) / 1e6;
}

/** A clock of work: the processor time of the thread that asks. */
export const threadClock = { workMs: threadTimeMs };

/** Number of the calling thread in the system; -1 where the system does not report it. */
export function systemThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return -1;
  }
}

/** Returns milliseconds of processor time of another thread of this process; null when it has ended. */
export function timeOfThread(thread: number): number | null {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return null;
  }
}

/** The fields of /proc/PID/stat count in hundredths of a second on every Linux that Node runs on. */
const TICK_MS = 10;

/**
 * Returns milliseconds of processor time of all threads of another process; null when it has ended, or where the system does not report it.
 */
export function timeOfProcess(process: number): number | null {
  try {
    // The name of the program may hold blanks and brackets. After it, user time and system time are the fields 12 and 13.
    const fields = readFileSync(`/proc/${process}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}
