/** The page of one mail as a file: the report that is kept or passed on. It has no scripts and no forms, and leads nowhere. */
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { type DeskLanguage, deskWords } from '../desk-words.ts';
import { type MailCost, mailCost } from './cost.ts';
import type { OtherMails } from './other-mail.ts';
import { mailPage } from './page.tsx';
import { NOTHING_SEEN, type SeenParts } from './seen-parts.ts';

/** The content of a page beside its ledger. */
export interface Found {
  /** The data of an index about a mail; nothing where there is none. */
  readonly others: OtherMails | null;
  readonly cost: MailCost;
  readonly seen: SeenParts;
}

/** Makes the page in this language. The same values give the same page. */
export function mailFile(
  ledger: Ledger,
  untrustedHeader: string | null,
  language: DeskLanguage,
  found: Partial<Found> = {},
): string {
  const context = { language, words: deskWords(language), desk: null };
  const offered = { role: 'reader', refusals: {}, told: null } as const;
  const { others = null, cost = mailCost(ledger, null), seen = NOTHING_SEEN } = found;
  return mailPage(context, { ledger, cost, others, untrustedHeader, asks: [], offered, seen });
}
