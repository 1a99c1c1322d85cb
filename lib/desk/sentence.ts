/** The state of a mail in one sentence, in the language of the page. */
import type { Ledger } from '../pipeline/ledger/ledger.ts';
import { summaryFor, whyHeld } from '../pipeline/rebuilding/recipient-texts.ts';
import { endOf, heldFor, RUN_WORDS, type RunWords, sentenceOf, withMore } from '../pipeline/runs/sentence.ts';
import type { DeskLanguage } from './desk-words.ts';
import { RUN_WORDS_DE } from './languages/run-de.ts';

/** Returns the sentences about a run in this language. */
export const runWords = (language: DeskLanguage): RunWords => ({ en: RUN_WORDS, de: RUN_WORDS_DE })[language];

/** Returns the sentence. Texts of a sender in it are inert. */
export function sentenceIn(language: DeskLanguage, ledger: Ledger): string {
  if (language === 'en') return sentenceOf(ledger);
  const isHeld = ledger.terminal?.state === 'quarantined';
  return withMore(ledger, RUN_WORDS_DE, isHeld ? heldInGerman(ledger) : endOf(ledger, RUN_WORDS_DE));
}

function heldInGerman(ledger: Ledger): string {
  const names = heldFor(ledger);
  const why = whyHeld('de', ledger).join(' ');
  return names.length === 0 ? why : `Zurückgehalten wegen ${names.join(', ')}: ${why}`;
}

/** Returns the changes to a mail that was delivered as rebuilt; empty for any other. */
export function changesIn(language: DeskLanguage, ledger: Ledger): string {
  const isRebuilt = ledger.terminal?.state === 'delivered' && ledger.attempt.release?.form !== 'original';
  return isRebuilt ? summaryFor(language, ledger) : '';
}
