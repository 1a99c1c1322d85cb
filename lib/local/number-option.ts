import { UsageError } from './console.ts';

/** The whole number of an option, from 1 to `most`. Throws UsageError. */
export function numberIn(name: string, text: string, most: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw new UsageError(`${name} takes a number from 1 to ${most}, not ${JSON.stringify(text)}.`);
  return number;
}
