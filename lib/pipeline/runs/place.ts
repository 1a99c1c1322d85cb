/** The end of a page of runs: the time of its last run and the id. */
import type { RunRow } from './row.ts';

export interface RunPlace {
  /** Milliseconds since the epoch. */
  readonly born: number;
  readonly run: string;
}

/** A place in the text form from which a caller continues. */
export const RUN_PLACE = /^(\d{1,15})-([0-9a-f]{32})$/;

export const placeOfRow = ({ bornAt, runId }: Pick<RunRow, 'bornAt' | 'runId'>): RunPlace => ({
  born: bornAt,
  run: runId,
});

export const placeText = ({ born, run }: RunPlace): string => `${born}-${run}`;

/** Reads the place that a page has named. Throws TypeError for every other text. */
export function placeIn(after: string): RunPlace {
  const [, born, run] = RUN_PLACE.exec(after) ?? [];
  if (born === undefined || run === undefined) throw new TypeError('this is not where a page of runs ended');
  return { born: Number(born), run };
}
