/**
 * Recognises the note of Adobe's own form programs that asks for a newer reader. They write it into each form of theirs, and it opens a page of
 * Adobe (`ADBE.Reader_Value_New_Version_URL`) when the reader agrees.
 */
import type { ScriptWord } from './script-words.ts';

const ADOBE_PAGE = /^(["'])https?:\/\/(?:www|cgi|get)\.adobe\.com\/[\w./-]{0,200}\1$/;
/** The start of a query. Text behind it cannot change the host. */
const QUERY = /^(["'])\?[^"'\\]{0,200}\1$/;

/** The members that hold an address of Adobe, or a query behind one, wherever a script of the document sets them. */
export interface UpdateNote {
  readonly pages: ReadonlySet<string>;
  readonly queries: ReadonlySet<string>;
}

/** Reads what all scripts of a document set. A member that is set to anything else once is none of these. */
export function updateNote(scripts: readonly (readonly ScriptWord[])[]): UpdateNote {
  const [pages, queries, others] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const words of scripts) {
    words.forEach(({ kind, value }, at) => {
      const sign = words[at + 1]?.value ?? '';
      if (kind !== 'name' || words[at - 1]?.value !== '.' || !isSetting(sign, words[at - 2])) return;
      const [text, behind] = [words[at + 2], words[at + 3]?.value ?? ';'];
      if (sign === '=' && text?.kind === 'text' && behind === ';' && ADOBE_PAGE.test(text.value)) pages.add(value);
      else if (sign === '=' && text?.kind === 'text' && behind === '+' && QUERY.test(text.value)) queries.add(value);
      else others.add(value);
    });
  }
  const only = (names: ReadonlySet<string>) => new Set([...names].filter((name) => !others.has(name)));
  return { pages: only(pages), queries: only(queries) };
}

const isSetting = (sign: string, before: ScriptWord | undefined): boolean =>
  /^(?:[-+*/%]?=|\+\+|--)$/.test(sign) || /^(?:\+\+|--)$/.test(before?.value ?? '');

/** Returns true for a call that opens a page of Adobe: `getURL(ADBE.a + ADBE.b, false)`. */
export function opensAdobe(words: readonly ScriptWord[], at: number, { pages, queries }: UpdateNote): boolean {
  if (!/^(?:getURL|launchURL)$/.test(words[at]?.value ?? '')) return false;
  const [page, query] = [words[at + 4]?.value ?? '', words[at + 8]?.value ?? ''];
  const signs = words.slice(at + 1, at + 12).map(({ kind, value }) => (kind === 'sign' ? value : 'a'));
  return signs.join('') === '(a.a+a.a,a)' && pages.has(page) && queries.has(query);
}
