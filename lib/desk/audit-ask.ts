/** The question of the page of the audit trail: the filters in its address. */
import { mended } from '../formats/names/defanged.ts';
import { givenValue } from './ask.ts';

export interface AuditAsk {
  readonly values: Readonly<Record<'who' | 'what' | 'mail', string>>;
  /** Only records before this number are shown; null: from the newest on. */
  readonly before: number | null;
}

const SEQUENCE = /^\d{1,9}$/;

/** Reads an address. */
export function auditAskOf(query: (name: string) => string | undefined): AuditAsk {
  const given = (name: string) => givenValue(query(name) ?? '');
  const before = given('before');
  return {
    // People paste an address as the page shows it (`pat[@]corp[.]example`).
    values: { who: mended(given('who')), what: given('what'), mail: given('mail') },
    before: SEQUENCE.test(before) ? Number(before) : null,
  };
}

/** Returns the address of the page with these filters. */
export function auditAddress(
  { who = '', what = '', mail = '' }: Partial<AuditAsk['values']>,
  before: number | null,
): string {
  const all = Object.entries({ who, what, mail, before: before === null ? '' : String(before) });
  return `/audit?${new URLSearchParams(all.filter(([, value]) => value !== ''))}`;
}
