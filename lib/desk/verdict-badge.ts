/** A verdict as a word, in the language of the page. */
import type { Verdict } from '../pipeline/model.ts';
import type { Markup } from '../service/server/markup/jsx-runtime.ts';
import { levelBadge } from '../service/server/report-page/elements.tsx';
import type { DeskWords } from './desk-words.ts';

const LEVELS = {
  malicious: 'levelMalicious',
  suspicious: 'levelSuspicious',
  benign: 'levelBenign',
  unknown: 'levelUnknown',
} as const satisfies Readonly<Record<Verdict, keyof DeskWords>>;

export const verdictWord = (words: DeskWords, verdict: Verdict): string => words[LEVELS[verdict]];

/** Returns the word for a verdict on the colour of its level. */
export const verdictBadge = (words: DeskWords, verdict: Verdict): Markup =>
  levelBadge(verdict, verdictWord(words, verdict));
