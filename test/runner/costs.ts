/**
 * `AIRLOCK_TEST_COSTS=FILE npm test` writes a line for each file of tests: seconds of processor time of this process with its threads, the
 * seconds of programs that it started and that ended, and the path. On a busy machine they say more than what a person waits.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/** Linux counts in hundredths of a second. */
const TICKS = 100;
/** Where `/proc/self/stat` has the time of programs that ended, counted behind the name of this one. */
const [USER, SYSTEM] = [13, 14];

export function noteCosts(file: string): void {
  const begun = costs();
  afterAll(() => {
    const ended = costs();
    const seconds = [ended.own - begun.own, ended.programs - begun.programs].map((each) => each.toFixed(2)).join('\t');
    appendFileSync(file, `${seconds}\t${relative(process.cwd(), expect.getState().testPath ?? '')}\n`);
  });
}

function costs() {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, programs: programsSeconds() };
}

/** Zero where the system does not tell it. */
function programsSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER]) + Number(fields[SYSTEM])) / TICKS;
}
