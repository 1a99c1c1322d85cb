/** The page of one mail as a file: the report that is kept or passed on. It has no scripts and no forms, and leads nowhere. */
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { type DeskLanguage, deskWords } from '../desk-words.ts';
import { mailPage } from './mail-page.tsx';
import type { OtherMails } from './other-mail.ts';

/** Makes the page in this language. `others` is null where there is no index to look into. The same values give the same page. */
export function mailFile(
  ledger: Ledger,
  untrustedHeader: string | null,
  language: DeskLanguage,
  others: OtherMails | null = null,
): string {
  const context = { language, words: deskWords(language), desk: null };
  const offered = { role: 'reader', refusals: {}, told: null } as const;
  return mailPage(context, { ledger, others, untrustedHeader, asks: [], offered });
}
