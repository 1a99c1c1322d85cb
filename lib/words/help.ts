/** Whom to ask, and which reference to quote. Pure. */
import { filled, wordsIn } from './in-language.ts';
import { referenceOf } from './reference.ts';
import type { Language } from './words.ts';

/** The contact and the address of the desk, as the operator has set them. */
export interface Help {
  /** The person or office to ask, in the middle of a sentence. An empty text means the words of the language. */
  readonly contact: string;
  /** The page on which a release is asked for, with `{reference}` in the place of the reference; empty when there is no such page. */
  readonly deskUrl: string;
}

/** Returns the values of `{contact}`, `{reference}` and `{desk}`; `desk` is null when there is none. */
export function helpValues(language: Language, help: Help, runId: string) {
  const reference = referenceOf(runId);
  return {
    contact: help.contact === '' ? wordsIn(language).contact : help.contact,
    reference,
    desk: help.deskUrl === '' ? null : filled(help.deskUrl, { reference }),
  };
}

/** Returns a sentence that names the person to ask. If there is a page, a second sentence gives its address. */
export function helpSentences(sentence: string, language: Language, help: Help, runId: string): string[] {
  const { desk, ...values } = helpValues(language, help, runId);
  const asked = filled(sentence, values);
  return desk === null ? [asked] : [asked, filled(wordsIn(language).page.desk, { desk })];
}
