/** The arrival time of a message, for people. The date of its sender may be any. */
import type { Ledger } from '../pipeline/ledger/ledger.ts';
import { minuteText } from '../words/minute-text.ts';

/** Returns a time such as `2026-11-23 16:15 UTC`. */
export function cameInAt({ bornAt }: Ledger): string {
  return `${minuteText(bornAt)} UTC`;
}
