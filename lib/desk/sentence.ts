/** What became of a mail in one sentence, in the language of the page. */
import type { Ledger } from '../pipeline/ledger.ts';
import { endOf, sentenceOf, withMore } from '../pipeline/run-sentence.ts';
import { whyHeld } from '../pipeline/told.ts';
import type { DeskLanguage } from './desk-words.ts';
import { RUN_WORDS_DE } from './languages/run-de.ts';

/** The sentence. Texts of a sender in it are inert. */
export function sentenceIn(language: DeskLanguage, ledger: Ledger): string {
  if (language === 'en') return sentenceOf(ledger);
  const isHeld = ledger.terminal?.state === 'quarantined';
  const sentence = isHeld ? whyHeld(language, ledger).join(' ') : endOf(ledger, RUN_WORDS_DE);
  return withMore(ledger, RUN_WORDS_DE, sentence);
}
