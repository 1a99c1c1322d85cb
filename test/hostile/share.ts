/** The share of generated cases that is tried. */

/** One of how many is tried. @default 1: all of them. CI tries fewer where only another Node could make a difference */
export const SHARE = Number(process.env.AIRLOCK_ATTACK_SHARE ?? 1);

/** The first of so many cases, the first of the next, and so on: at least one where there is any. */
export function* shareOf<Case>(cases: Iterable<Case>): Iterable<Case> {
  let index = 0;
  for (const one of cases) if (index++ % SHARE === 0) yield one;
}

/** So many of `all` runs of a property, or rounds of damage to a file: at least one. */
export const roundsOf = (all: number): number => Math.ceil(all / SHARE);
