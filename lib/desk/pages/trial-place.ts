/**
 * The progress of the trial of a policy. A browser does not wait for all mail of a year, so a page tries some of it, and its form names the
 * beginning of the next one. A person who changes it changes only their own page.
 */
import { sha256Hex } from '../../pipeline/keys.ts';
import { RUN_PLACE } from '../../pipeline/runs/place.ts';
import { TRIAL_OUTCOMES, type TrialCounts } from '../../pipeline/trial/policy-trial.ts';
import type { TrialForm } from './policy.tsx';

export interface TrialPlace {
  /** The time when the first mail was tried, in milliseconds since the epoch. The days are counted from then. */
  readonly begunAt: number;
  /** The place of the last run that was tried. */
  readonly after: string;
  /** The counts of all mail that was tried until then. */
  readonly counts: TrialCounts;
}

const FIELD = /^(\d{1,15})\.(\d{1,15}-[0-9a-f]{32})\.(\d{1,9}(?:-\d{1,9})*)\.([0-9a-f]{64})$/;
/** No clock goes further (ECMA-262, time values). */
const LAST_TIME = 8_640_000_000_000_000;

/** Returns the place as the form of this policy and these days holds it. */
export const placeField = ({ begunAt, after, counts }: TrialPlace, form: TrialForm): string =>
  [begunAt, after, TRIAL_OUTCOMES.map((name) => counts[name]).join('-'), hashOf(form)].join('.');

/**
 * Returns the place in a field. Returns null when there is none, or when another text was typed since: that is tried from the newest mail
 * on.
 */
export function placeOf(field: string, form: TrialForm): TrialPlace | null {
  const [, begun = '', after = '', numbers = '', hash] = FIELD.exec(field) ?? [];
  const counts = numbers.split('-').map(Number);
  const begunAt = Number(begun);
  if (hash !== hashOf(form) || counts.length !== TRIAL_OUTCOMES.length || begunAt > LAST_TIME) return null;
  if (!RUN_PLACE.test(after)) return null;
  const named = TRIAL_OUTCOMES.map((name, index) => [name, counts[index] ?? 0]);
  return { begunAt, after, counts: Object.fromEntries(named) as TrialCounts };
}

const hashOf = ({ json, days }: TrialForm) => sha256Hex(JSON.stringify([json, days]));
