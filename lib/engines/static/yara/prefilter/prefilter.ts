/**
 * Says of a file whether any rule can match it. A scan with YARA-X costs milliseconds for the smallest file, and hardly any file has a word that a
 * rule needs.
 */
import { anyOf, isMet, NOTHING, wordsOf } from './need.ts';
import { rulesNeed } from './rules-need.ts';
import { wordSearch } from './word-search.ts';

/** In a larger file, the search takes about as long as the scan. */
const MAX_SEARCHED_BYTES = 512 * 1024;

/** Returns false only for bytes that no rule matches. */
export type Prefilter = (bytes: Uint8Array) => boolean;

/** Makes the filter for the texts of rules, all of which compile. The words come from the rules themselves. */
export function prefilterOf(sources: readonly string[]): Prefilter {
  const need = anyOf(sources.map(rulesNeed));
  const search = need === NOTHING ? null : wordSearch([...new Set(wordsOf(need))]);
  if (search === null) return () => true;
  return (bytes) => {
    if (bytes.byteLength > MAX_SEARCHED_BYTES) return true;
    const found = search(bytes);
    return isMet(need, (word) => found.has(word));
  };
}
