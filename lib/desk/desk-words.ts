/** The words of the desk, in each of its languages. */
import { PAGE_LANGUAGES } from '../pipeline/model.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { ODD_DE } from './languages/odd-de.ts';
import { ODD_EN } from './languages/odd-en.ts';

export const DESK_LANGUAGES = PAGE_LANGUAGES;
export type DeskLanguage = (typeof DESK_LANGUAGES)[number];

export type DeskWords = Readonly<Record<keyof typeof en, string>>;

const WORDS: Readonly<Record<DeskLanguage, DeskWords>> = { en, de };

/** Returns the words of a language. */
export const deskWords = (language: DeskLanguage): DeskWords => WORDS[language];

/** Returns the oddities of a message, with a sentence for each code. */
export const oddWords = (language: DeskLanguage): typeof ODD_EN => ({ en: ODD_EN, de: ODD_DE })[language];

/** Returns the first language that a browser requests and the desk has. */
export function languageOf(acceptLanguage: string | undefined): DeskLanguage {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 200)
    .toLowerCase()
    .matchAll(/\b([a-z]{2})(?:-[a-z]{2})?\b/g);
  for (const [, name] of wanted) {
    const found = DESK_LANGUAGES.find((language) => language === name);
    if (found !== undefined) return found;
  }
  return 'en';
}
