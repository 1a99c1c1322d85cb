/** When a message came in, for people. The date that its sender wrote may be any. */
import type { Ledger } from '../pipeline/ledger.ts';

/** Such as `2026-11-23 16:15 UTC`. */
export function cameInAt({ bornAt }: Ledger): string {
  return `${bornAt.slice(0, 16).replace('T', ' ')} UTC`;
}
