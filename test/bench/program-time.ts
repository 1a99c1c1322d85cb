/** The processor time of a program of others, from its start to its end. */
import { missingOf, runTool } from '../checkers/tools.ts';
import { median } from './statistics.ts';

const LIMIT_MS = 600_000;
/** What `times` of a POSIX shell prints last: program and system of the processes that it started. */
const TIMES = /(\d+)m([\d.]+)s\s+(\d+)m([\d.]+)s\s*$/;

/** The median of some runs in milliseconds; null when the program is not installed. Throws when it fails. */
export async function programMs(program: string, args: readonly string[], runs: number): Promise<number | null> {
  if (missingOf([program]) !== null) return null;
  const spent: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { code, output } = await runTool('sh', ['-c', '"$0" "$@" && times', program, ...args], LIMIT_MS);
    const [, minutes, seconds, systemMinutes, systemSeconds] = TIMES.exec(output) ?? [];
    if (code !== 0 || seconds === undefined) throw new Error(`${program} failed: ${output.slice(0, 400)}`);
    const parts = [Number(minutes) * 60, Number(seconds), Number(systemMinutes) * 60, Number(systemSeconds)];
    spent.push(parts.reduce((sum, part) => sum + part * 1_000, 0));
  }
  return median(spent);
}
