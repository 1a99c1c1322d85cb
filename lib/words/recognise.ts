/**
 * Finds banners of ours in incoming text, such as replies and forwarded mail. Only words that one of our templates could have written count
 * as a banner. So nobody can put our sign in front of other words to have them removed. The sign alone is found in every spelling that
 * looks like it. Pure.
 */
import { HTML_TEMPLATE, SIGN, TEXT_TEMPLATE, type Templates } from './banner.ts';
import { folded } from './folded.ts';
import type { Help } from './help.ts';
import { wordsIn } from './in-language.ts';
import { REFERENCE_SOURCE } from './reference.ts';
import { CHANGES, LANGUAGES, type Language } from './words.ts';

/** Characters that programs put between the words of a text that they quote: breaks, blanks, and the marks of a quotation. */
const GAP = '[\\s>|\\u00a0]{1,40}';
const MAYBE_GAP = '[\\s>|\\u00a0]{0,40}';

export interface Mark {
  readonly start: number;
  readonly end: number;
  /** True for a whole banner of ours; false for our sign in front of other words. */
  readonly isBanner: boolean;
}

/** Finds every mark of ours in a text, in order. The time is linear, except for the length of a banner. */
export type Recogniser = (text: string) => Mark[];

/** Makes a recogniser for the banners that these templates write, and for those of the airlock. */
export function recogniser(help: Help, templates: Readonly<Partial<Record<Language, Templates>>>): Recogniser {
  const banners = LANGUAGES.flatMap((language) => {
    const own = templates[language] ?? {};
    return [TEXT_TEMPLATE, HTML_TEMPLATE, own.text, own.html].flatMap((template) =>
      template === undefined ? [] : [patternOf(template, language, help)],
    );
  });
  const sign = new RegExp(looseLetters(SIGN), 'giu');
  const all = [...new Set(banners)].map((pattern) => new RegExp(pattern, 'iuy'));
  return (text) => {
    const marks: Mark[] = [];
    const look = folded(text);
    let done = 0;
    sign.lastIndex = 0;
    for (let match = sign.exec(look.text); match !== null; match = sign.exec(look.text)) {
      const start = look.sourceOf(match.index);
      if (start < done) continue;
      const last = look.sourceOf(sign.lastIndex - 1);
      const end = endOfBanner(all, text, start);
      done = end ?? last + String.fromCodePoint(text.codePointAt(last) ?? 0).length;
      marks.push({ start, end: done, isBanner: end !== null });
    }
    return marks;
  };
}

function endOfBanner(patterns: readonly RegExp[], text: string, start: number): number | null {
  let longest: number | null = null;
  for (const pattern of patterns) {
    pattern.lastIndex = start;
    if (pattern.test(text)) longest = Math.max(longest ?? 0, pattern.lastIndex);
  }
  return longest;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Returns the words, with any gap between them. A sign or a bracket may stand alone. */
const looseWords = (text: string) =>
  text
    .trim()
    .split(/[\s\u00a0]+/)
    .map(escaped)
    .join(MAYBE_GAP);

/** Letters that look alike in plain text. The others are alike when the text is folded. */
const ALIKE: Readonly<Record<string, string>> = { i: '[il1]', l: '[il1]', o: '[o0]' };

/** Returns the letters, with any gap between them. */
const looseLetters = (text: string) =>
  [...text.toLowerCase().replace(/\s/g, '')].map((letter) => ALIKE[letter] ?? escaped(letter)).join(MAYBE_GAP);

function patternOf(template: string, language: Language, help: Help): string {
  const text = template.replace(/<[^<>]*>/g, ' ').trim();
  const from = text.indexOf('{sign}');
  const pieces = text.slice(Math.max(from, 0)).split(/(\{[a-z]+\})/);
  return pieces.map((piece) => pieceOf(piece, language, help)).join('');
}

function pieceOf(piece: string, language: Language, help: Help): string {
  const words = wordsIn(language);
  const contact = help.contact === '' ? words.contact : help.contact;
  if (piece === '{sign}') return looseWords(SIGN);
  if (piece === '{lead}') return looseWords(words.banner.lead);
  if (piece === '{summary}') return summaryPattern(language);
  if (piece === '{contact}') return looseWords(contact);
  if (piece === '{reference}') return REFERENCE_SOURCE;
  if (piece === '{help}') {
    const ask = withValues(words.banner.ask, { contact: looseWords(contact), reference: REFERENCE_SOURCE });
    if (help.deskUrl === '') return ask;
    const desk = withValues(help.deskUrl, { reference: REFERENCE_SOURCE });
    return `${ask}(?:${GAP}${withValues(words.page.desk, { desk })})?`;
  }
  // A quoting program may lose a line of dashes at the end.
  return piece
    .split(/[\s\u00a0]+/)
    .map((word) => (/^-{4,}$/.test(word) ? '(?:-{4,100})?' : escaped(decoded(word))))
    .join(MAYBE_GAP);
}

/** Returns the text of a template as it is shown, with its entities decoded. */
const decoded = (word: string) =>
  word.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

function withValues(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence
    .split(/(\{[a-z]+\})/)
    .map(
      (piece) =>
        values[piece.slice(1, -1)] ??
        piece
          .split(/[\s\u00a0]+/)
          .map(escaped)
          .join(MAYBE_GAP),
    )
    .join('');
}

function summaryPattern(language: Language): string {
  const { changes } = wordsIn(language).banner;
  const items = CHANGES.flatMap((change) => changes[change].map((item) => withValues(item, { n: '\\d{1,5}' })));
  const item = `(?:${[...new Set(items)].join('|')})`;
  return `${item}(?:,${MAYBE_GAP}${item}){0,${CHANGES.length - 1}}\\.`;
}
