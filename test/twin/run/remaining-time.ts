/** How long a run of several faults still takes, by what the faults before it took on this machine at this moment. */

/** What a fault costs before its first mail, counted in mails: its processes start cold. */
const START_MAILS = 50;
/** Below this share of the work an estimate is a guess. */
const MIN_SHARE = 0.01;

export interface Work {
  /** Faults that are to run, and mails of each. */
  readonly faults: number;
  readonly mails: number;
}

/**
 * Seconds that are left, or null when too little was done to say.
 *
 * @param done faults that have ended
 * @param share the part of the current fault that is done, from 0 to 1
 * @param seconds how long it took until now
 * @example secondsLeft({ faults: 40, mails: 1000 }, 9, 0.5, 600)
 */
export function secondsLeft({ faults, mails }: Work, done: number, share: number, seconds: number): number | null {
  const each = START_MAILS + mails;
  const part = (done * each + share * mails) / (faults * each);
  return part < MIN_SHARE ? null : (seconds * (1 - part)) / part;
}

const MINUTE = 60;

/** A time for people: `40 s`, `12 min`. */
export const timeText = (seconds: number): string =>
  seconds < 2 * MINUTE ? `${Math.round(seconds)} s` : `${Math.round(seconds / MINUTE)} min`;
