/** @jsxRuntime automatic @jsxImportSource #markup */
/** A reason for holding mail, in words. The code, which rules and the command line use, is the title of the words. */
import type { Markup } from '../service/server/markup/jsx-runtime.ts';
import { titleText } from '../service/server/markup/values.ts';
import { type DeskLanguage, oddWords } from './desk-words.ts';
import { REASONS_DE } from './languages/reasons-de.ts';
import { REASONS_EN } from './languages/reasons-en.ts';
import { stacked } from './pages/rows.tsx';

const CODE_CHARS = 100;

/** Returns the words, or the code itself when a later version wrote it. */
export function reasonWord(language: DeskLanguage, code: string): string {
  const held = { en: REASONS_EN, de: REASONS_DE }[language];
  const words: Readonly<Record<string, string>> = { ...oddWords(language), ...held };
  return Object.hasOwn(words, code) ? (words[code]?.replace(/\.$/, '') ?? code) : code;
}

/** Returns the words for a page. */
export const reasonLabel = (language: DeskLanguage, code: string): Markup => (
  <span title={titleText(code, CODE_CHARS)}>{reasonWord(language, code)}</span>
);

/** Returns the labels of several reasons, one below the other. */
export const reasonLabels = (language: DeskLanguage, codes: readonly string[]): Markup =>
  stacked(codes.map((code) => reasonLabel(language, code)));
