/** The words of each language, and the variables in them. Pure. */
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { es } from './languages/es.ts';
import { fr } from './languages/fr.ts';
import { tr } from './languages/tr.ts';
import { CHANGES, type Counts, type Language, type Why, type Words } from './words.ts';

const ALL: Readonly<Record<Language, Words>> = { en, de, fr, es, tr };

/** Returns every word of one language. */
export function wordsIn(language: Language): Words {
  return ALL[language];
}

/** Returns the sentence with its variables filled in. A brace that names no variable stays. */
export function filled(template: string, values: Readonly<Record<string, string | number>>): string {
  // One pass: a filled-in value is never searched for variables.
  return template.replace(/\{([a-z]+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Escapes a text for HTML, also for quoted attributes. */
export function escapedHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character).replaceAll("'", '&#39;');
}

/** Returns one sentence about all changes: `1 file was made safe, 2 links were switched off.` Empty when nothing was changed. */
export function summaryOf(language: Language, counts: Counts): string {
  const { changes } = wordsIn(language).banner;
  const items = CHANGES.flatMap((change) => {
    const n = counts[change];
    const [one, several] = changes[change];
    return n === 0 ? [] : [filled(n === 1 ? one : several, { n })];
  });
  const list = items.join(', ');
  return list === '' ? '' : `${list.charAt(0).toLocaleUpperCase(language)}${list.slice(1)}.`;
}

/** Returns the reason why something is missing, as a sentence about a file or about the message. */
export function whyOf(language: Language, why: Why, subject: keyof Words['subject']): string {
  const words = wordsIn(language);
  return filled(words.why[why], { it: words.subject[subject] });
}

/** Returns the words beside blocked links, behind them, and in place of a text from which they could not be removed. */
export function linkWordsIn(language: Language) {
  const { banner, page } = wordsIn(language);
  const withheld = `${page.textTitle} ${whyOf(language, 'blockedLink', 'message')}`;
  return { beside: banner.linkOff, behind: banner.linkOffHere, withheld };
}
