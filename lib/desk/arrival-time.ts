/** When a message came in, for people. The date that its sender wrote may be any. */
import type { Ledger } from '../pipeline/ledger/ledger.ts';
import { minuteText } from '../words/minute-text.ts';

/** Such as `2026-11-23 16:15 UTC`. */
export function cameInAt({ bornAt }: Ledger): string {
  return `${minuteText(bornAt)} UTC`;
}
