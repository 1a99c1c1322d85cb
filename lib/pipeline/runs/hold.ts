/** The times at which mail was held, with the reasons. They are kept after a release or a deletion. Pure. */
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
  /** A number for each of the requested times. */
  readonly holds: readonly number[];
}

/** The most reasons of one hold that count here. An index writes them all into one key. */
const MAX_REASONS = 20;

/**
 * Returns each hold of a mail, by the ledgers of its attempts in any order. A mail that is tried again and held again for the same reasons
 * was held once. When it is then held for other reasons, that is another hold, and only the new reasons count.
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
    const added = codes.filter((code) => !before?.includes(code)).slice(0, MAX_REASONS);
    if (before === null || added.length > 0) holds.push({ at: Date.parse(terminal.at), reasons: added });
    before = codes;
  }
  return holds;
}

/** Returns the reasons of a hold as one text. Each set of reasons has exactly one text. */
export const reasonsText = (reasons: readonly string[]): string => reasons.toSorted().join(',');

/** Returns the reasons in such a text. */
export const reasonsIn = (text: string): string[] => (text === '' ? [] : text.split(','));
