/** What was measured of each file, kept in results.json with the hash of the file as it was then. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { excuseOf } from './equivalent.ts';
import type { Fault } from './plant.ts';
import { filesOf, type Room } from './rooms.ts';

const FileResult = z.object({
  sha256: z.string(),
  noticed: z.number(),
  missed: z.number(),
  equivalent: z.number(),
});
const Results = z.record(z.string(), FileResult);
export type FileResult = z.infer<typeof FileResult>;
export type Results = z.infer<typeof Results>;

const PATH = new URL('results.json', import.meta.url);

export const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

export function readResults(): Results {
  return existsSync(PATH) ? Results.parse(JSON.parse(readFileSync(PATH, 'utf8'))) : {};
}

/** Notes what was measured of whole files. */
export function keepResults(measured: Results): void {
  const all = Object.entries({ ...readResults(), ...measured }).filter(([file]) => existsSync(file));
  all.sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(PATH, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** `sha256` is that of the file in which the faults were planted. */
export function resultOf(sha256: string, faults: readonly Fault[]): FileResult {
  const missed = faults.filter(({ outcome }) => outcome === 'not noticed' || outcome === 'not reached');
  const equivalent = missed.filter((fault) => excuseOf(fault) !== undefined).length;
  return {
    sha256,
    noticed: faults.filter(({ outcome }) => outcome === 'noticed').length,
    missed: missed.length - equivalent,
    equivalent,
  };
}

export interface RoomResult {
  readonly noticed: number;
  readonly missed: number;
  readonly equivalent: number;
  /** Files measured as they are now. */
  readonly fresh: number;
  /** Files that have changed since they were measured: their figures do not count. */
  readonly stale: number;
  readonly files: number;
}

/** What is known of a room, from files that are as they were when they were measured. */
export function roomResult(room: Room, results: Results): RoomResult {
  const files = filesOf(room);
  const known = files.flatMap((file) => (results[file] ? [{ file, result: results[file] }] : []));
  const fresh = known.filter(({ file, result }) => result.sha256 === hashOf(file)).map(({ result }) => result);
  const sum = (pick: (result: FileResult) => number) => fresh.reduce((total, result) => total + pick(result), 0);
  return {
    noticed: sum(({ noticed }) => noticed),
    missed: sum(({ missed }) => missed),
    equivalent: sum(({ equivalent }) => equivalent),
    fresh: fresh.length,
    stale: known.length - fresh.length,
    files: files.length,
  };
}

/** Of a hundred faults, how many were noticed; null when none was planted. Equivalent ones are not counted. */
export function sharePercent({ noticed, missed }: Pick<FileResult, 'noticed' | 'missed'>): number | null {
  return noticed + missed === 0 ? null : (100 * noticed) / (noticed + missed);
}
