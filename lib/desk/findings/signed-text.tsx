/** @jsxRuntime automatic @jsxImportSource #markup */
/**
 * The texts of a signed report, in the language of the page. Findings of other services, and details of a failure, stay as they were
 * signed.
 */
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { titleText } from '../../service/server/markup/values.ts';
import { techniqueText } from '../../service/server/views/technique-names.ts';
import type { DeskLanguage } from '../desk-words.ts';
import { knownFinding } from './known-findings.ts';
import { ownTextDe } from './signed-de.ts';

const TITLE_CHARS = 400;

/** Returns the text in this language, or null when it has no translation. */
export function signedIn(language: DeskLanguage, text: string): string | null {
  if (language === 'en') return text;
  const known = knownFinding(text);
  if (known === null) return ownTextDe(text);
  const [name, description] = known.german;
  return `${name}: ${description}${known.place}`;
}

/**
 * Returns the text for a page. The signed text is the title of its translation, and a text that stays in English is marked for a screen
 * reader.
 */
export function signedText(language: DeskLanguage, text: string): Markup {
  const said = signedIn(language, text);
  if (said === null) return asSigned(language, text);
  if (said === text) return <>{text}</>;
  return <span title={titleText(text, TITLE_CHARS)}>{said}</span>;
}

/** Returns a text that has no translation. On a page in another language it is marked as English for a screen reader. */
export const asSigned = (language: DeskLanguage, text: string): Markup =>
  language === 'en' ? shown(text) : <span lang="en">{text}</span>;

/** Returns the techniques of MITRE ATT&CK that these findings are signs of, by id and name. Returns nothing when there are none. */
export function techniqueLine(texts: readonly string[]): Markup {
  const ids = [...new Set(texts.flatMap((text) => knownFinding(text)?.techniques ?? []))].sort();
  if (ids.length === 0) return NOTHING;
  return (
    <>
      <br />
      <small>ATT&amp;CK: {ids.map(techniqueText).join(', ')}</small>
    </>
  );
}
