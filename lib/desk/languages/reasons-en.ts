/** Why mail is held, in English: a few words for each reason that is no oddity of the message. Those are in odd-en.ts. */
import type { Warning } from '../../pipeline/ledger/ledger.ts';
import type { ReasonCode } from '../../pipeline/reason-codes.ts';

export type HeldCode = Exclude<ReasonCode, Warning['code']>;

export const REASONS_EN: Readonly<Record<HeldCode, string>> = {
  blocked_link_in_header: 'Blocked link in an address field',
  encrypted_mail: 'Encrypted to its recipient',
  nothing_left: 'Nothing of the file would be left',
  inconsistent: 'Its record contradicts itself',
  ledger_lost: 'Its record cannot be read',
  run_failed: 'A stage failed',
  release_refused: 'Its release was refused',
  blocked: 'Blocked by a person',
  suspicious: 'Suspicious content',
  malicious: 'Malicious content',
  unknown: 'Content without a verdict',
  timeout: 'An analysis took too long',
  service_error: 'An analysis failed',
  encrypted: 'Encrypted file',
  unsupported: 'File that cannot be analysed',
  oversize: 'File too large to be analysed',
  unreadable: 'Damaged file',
  unsafe_output: 'File that could not be made safe',
  not_asked: 'No budget left for an analysis',
};
