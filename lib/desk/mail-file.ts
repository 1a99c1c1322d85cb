/** The page of one mail as a file: the report that is kept or passed on. It has no scripts and no forms, and leads nowhere. */
import type { Ledger } from '../pipeline/ledger.ts';
import { type DeskLanguage, deskWords } from './desk-words.ts';
import { mailPage } from './mail-page.tsx';

/** Makes the page in this language. The same ledger and header give the same page. */
export function mailFile(ledger: Ledger, untrustedHeader: string | null, language: DeskLanguage): string {
  const context = { language, words: deskWords(language), desk: null };
  const offered = { role: 'reader', refusals: {}, told: null } as const;
  return mailPage(context, { ledger, others: null, untrustedHeader, asks: [], offered });
}
