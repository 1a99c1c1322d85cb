/** Where a page of runs ended: the time of its last run and the id. */

export interface RunPlace {
  /** Milliseconds since the epoch. */
  readonly born: number;
  readonly run: string;
}

export const placeText = ({ born, run }: RunPlace): string => `${born}-${run}`;

/** The place that a page has named. Throws TypeError for every other text. */
export function placeIn(after: string): RunPlace {
  const [, born, run] = /^(\d{1,15})-([0-9a-f]{32})$/.exec(after) ?? [];
  if (born === undefined || run === undefined) throw new TypeError('this is not where a page of runs ended');
  return { born: Number(born), run };
}
