/** What was measured of each file, kept in results.json with the hash of its code as it was then. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import * as z from 'zod/mini';
import { excuseOf } from './equivalent.ts';
import type { Fault } from './plant.ts';
import { filesOf, type Room } from './rooms.ts';
import type { Sample } from './sample.ts';

const FileResult = z.object({
  /** Of the code in which the faults were planted. */
  sha256: z.string(),
  /** Of a hundred lines, in how many faults were planted: 100 for a whole file. */
  percent: z.number(),
  /** Only of a sample: which lines it took. */
  seed: z.optional(z.number()),
  noticed: z.number(),
  missed: z.number(),
  equivalent: z.number(),
});
const Results = z.record(z.string(), FileResult);
export type FileResult = z.infer<typeof FileResult>;
export type Results = z.infer<typeof Results>;

const PATH = new URL('results.json', import.meta.url);

export const hashOf = (file: string): string => hashOfCode(readFileSync(file, 'utf8'));

/** The same for code that differs only in comments, types, and how it is laid out. */
export function hashOfCode(source: string): string {
  const { code } = transformSync(source, { loader: 'ts', minifyWhitespace: true, legalComments: 'none' });
  return createHash('sha256').update(code).digest('hex');
}

export function readResults(): Results {
  return existsSync(PATH) ? Results.parse(JSON.parse(readFileSync(PATH, 'utf8'))) : {};
}

/** Notes what was measured. */
export function keepResults(measured: Results): void {
  const all = Object.entries({ ...readResults(), ...measured }).filter(([file]) => existsSync(file));
  all.sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(PATH, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** `sha256` is that of the file in which the faults were planted. Without a sample the whole file was measured. */
export function resultOf(sha256: string, faults: readonly Fault[], sample: Sample | null): FileResult {
  const missed = faults.filter(({ outcome }) => outcome === 'not noticed' || outcome === 'not reached');
  const equivalent = missed.filter((fault) => excuseOf(fault) !== undefined).length;
  return {
    sha256,
    ...(sample ?? { percent: 100 }),
    noticed: faults.filter(({ outcome }) => outcome === 'noticed').length,
    missed: missed.length - equivalent,
    equivalent,
  };
}

/** True when the whole file was measured and its code is as it was then. */
export function isWhole(file: string, results: Results): boolean {
  const result = results[file];
  return result !== undefined && result.percent === 100 && result.sha256 === hashOf(file);
}

export interface RoomResult {
  /** Of files whose code is as it was when it was measured. */
  readonly fresh: readonly FileResult[];
  /** Files whose code has changed since they were measured: their figures do not count. */
  readonly stale: number;
  readonly files: number;
}

/** What is known of a room. */
export function roomResult(room: Room, results: Results): RoomResult {
  const files = filesOf(room);
  const known = files.flatMap((file) => (results[file] ? [{ file, result: results[file] }] : []));
  const fresh = known.filter(({ file, result }) => result.sha256 === hashOf(file)).map(({ result }) => result);
  return { fresh, stale: known.length - fresh.length, files: files.length };
}

/** The faults of several files together, as they were counted. */
export function totalOf(results: readonly FileResult[]): Pick<FileResult, 'noticed' | 'missed' | 'equivalent'> {
  const sum = (pick: (result: FileResult) => number) => results.reduce((total, result) => total + pick(result), 0);
  return {
    noticed: sum(({ noticed }) => noticed),
    missed: sum(({ missed }) => missed),
    equivalent: sum(({ equivalent }) => equivalent),
  };
}

/**
 * Of a hundred faults, how many were noticed; null when none was planted. Equivalent ones are not counted. A fault of a sample
 * stands for those that were left out: in a sample of 20 % it counts five times as much as a fault of a whole file.
 */
export function sharePercent(results: readonly FileResult[]): number | null {
  const weigh = (pick: (result: FileResult) => number) =>
    results.reduce((total, result) => total + (pick(result) * 100) / result.percent, 0);
  const noticed = weigh((result) => result.noticed);
  const all = noticed + weigh((result) => result.missed);
  return all === 0 ? null : (100 * noticed) / all;
}

const filesText = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`;

/** How much of the room the figures are from, for people. */
export function howMeasured({ fresh, stale, files }: RoomResult): string {
  const kindOf = ({ percent, seed }: FileResult) =>
    percent === 100 ? 'all lines' : `a ${percent} % sample of the lines (seed ${seed})`;
  const parts = [...new Set(fresh.map(kindOf))].sort().map((kind) => {
    const own = fresh.filter((result) => kindOf(result) === kind);
    const { noticed, missed } = totalOf(own);
    return `${noticed + missed} faults in ${kind} of ${filesText(own.length)}`;
  });
  const left = files - fresh.length - stale;
  if (stale > 0) parts.push(`${filesText(stale)} out of date`);
  if (left > 0) parts.push(`${filesText(left)} never measured`);
  return parts.join(', ');
}
