/** When mail was held, and for which reasons: kept after it was released or deleted. Pure. */
import type { Ledger } from '../ledger/ledger.ts';

/** One time that a mail was held. */
export interface Hold {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly reasons: readonly string[];
}

/** How often mail was held for these reasons together. */
export interface HoldCount {
  readonly reasons: readonly string[];
  /** A number for each of the times that were asked for. */
  readonly holds: readonly number[];
}

/** A mail with more reasons is held for the first of them here. An index writes them all into one key. */
const MOST_REASONS = 20;

/**
 * Each time that a mail was held, by the ledgers of its attempts in any order. A mail that is tried again and held again for the same reasons was held
 * once. When it is then held for other reasons, that is another time, and only those count.
 */
export function holdsOf(attempts: readonly Ledger[]): Hold[] {
  const holds: Hold[] = [];
  let before: readonly string[] | null = null;
  for (const { terminal, reasons } of attempts.toSorted((one, other) => one.attempt.number - other.attempt.number)) {
    if (terminal?.state !== 'quarantined') {
      before = null;
      continue;
    }
    const codes: string[] = [...new Set(reasons.map(({ code }) => code))];
    const added = codes.filter((code) => !before?.includes(code)).slice(0, MOST_REASONS);
    if (before === null || added.length > 0) holds.push({ at: Date.parse(terminal.at), reasons: added });
    before = codes;
  }
  return holds;
}

/** The reasons of a hold as one text in which each set of them has one form. */
export const reasonsText = (reasons: readonly string[]): string => reasons.toSorted().join(',');

/** The reasons in such a text. */
export const reasonsIn = (text: string): string[] => (text === '' ? [] : text.split(','));
