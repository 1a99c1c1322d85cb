/** Processor time of the calling thread. A limit in it is the same on a busy machine as on an idle one; one on the clock is not. */
import { openSync, readSync } from 'node:fs';

/** Linux tells it, in nanoseconds and as the first number; the file that is opened stays that of the thread that opened it. */
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

/** Milliseconds since some moment. Where the system does not tell, it is the clock. */
export function threadTimeMs(): number {
  if (file === null) return performance.now();
  const [nanoseconds = ''] = buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)).split(' ');
  return Number(nanoseconds) / 1e6;
}
