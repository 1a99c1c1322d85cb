/** Whom to ask, and what to quote. Pure. */
import { filled, wordsIn } from './in-language.ts';
import { referenceOf } from './reference.ts';
import type { Language } from './words.ts';

/** The contact and the address of the desk that the operator has set. */
export interface Help {
  /** Whom to ask, in the middle of a sentence; empty for the words of the language. */
  readonly contact: string;
  /** Where a release is asked for, with `{reference}` where the reference goes; empty when there is no such page. */
  readonly deskUrl: string;
}

/** The values of `{contact}`, `{reference}` and `{desk}`; `desk` is null when there is none. */
export function helpValues(language: Language, help: Help, runId: string) {
  const reference = referenceOf(runId);
  return {
    contact: help.contact === '' ? wordsIn(language).contact : help.contact,
    reference,
    desk: help.deskUrl === '' ? null : filled(help.deskUrl, { reference }),
  };
}

/** A sentence that says whom to ask, and where there is one a second sentence with the address of the page. */
export function helpSentences(sentence: string, language: Language, help: Help, runId: string): string[] {
  const { desk, ...values } = helpValues(language, help, runId);
  const asked = filled(sentence, values);
  return desk === null ? [asked] : [asked, filled(wordsIn(language).page.desk, { desk })];
}
