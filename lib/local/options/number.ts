import { UsageError } from '../console.ts';

/** Reads the whole number of an option, from `least` to `most`. Throws UsageError. */
export function numberIn(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${name} takes a number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}
