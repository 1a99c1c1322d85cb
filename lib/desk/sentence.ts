/** What became of a mail in one sentence, in the language of the page where there are words for it. */
import type { Ledger } from '../pipeline/ledger.ts';
import { sentenceOf } from '../pipeline/run-sentence.ts';
import { whyHeld } from '../pipeline/told.ts';
import type { DeskLanguage } from './desk-words.ts';

/** The sentence. Texts of a sender in it are inert. */
export function sentenceIn(language: DeskLanguage, ledger: Ledger): string {
  const isHeld = ledger.terminal?.state === 'quarantined';
  return language === 'en' || !isHeld ? sentenceOf(ledger) : whyHeld(language, ledger).join(' ');
}
