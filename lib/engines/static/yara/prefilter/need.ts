/**
 * The words that a file must hold before a rule can match it, joined by "all of" and "any of". They are never more than the rule demands. A
 * part of a rule that is not understood demands nothing.
 */

export type Need =
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Need[] };

/** Every file has it: the need of everything that is not understood. */
export const NOTHING: Need = { kind: 'all', of: [] };
/** No file has it: the need of a rule that is never reported. */
const IMPOSSIBLE: Need = { kind: 'any', of: [] };

/** A longer word is shortened to its first bytes, which a file with the word has, too. It keeps the search for the words small. */
const MAX_WORD_BYTES = 16;
/** Nearly every file has some word of two bytes, and to note them all would take a third of the search. */
const MIN_WORD_BYTES = 3;

/** Returns the need of bytes, given as a string of Latin-1 and without regard to the case of ASCII letters. */
export function wordNeed(bytes: string): Need {
  return bytes.length < MIN_WORD_BYTES ? NOTHING : { kind: 'word', word: asciiLower(bytes.slice(0, MAX_WORD_BYTES)) };
}

/** `toLowerCase` would change bytes above 0x7f, too. */
const asciiLower = (bytes: string) => bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Returns the need of a file that needs all of these. */
export function allOf(needs: readonly Need[]): Need {
  const parts = needs.flatMap((need) => (need.kind === 'all' ? need.of : [need]));
  if (parts.some(isImpossible)) return IMPOSSIBLE;
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'all', of: parts };
}

/** Returns the need of a file that needs one of these. Of no needs, it is the need that no file has. */
export function anyOf(needs: readonly Need[]): Need {
  const parts = needs.flatMap((need) => (need.kind === 'any' ? need.of : [need]));
  if (parts.some(isNothing)) return NOTHING;
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'any', of: parts };
}

const isImpossible = (need: Need) => need.kind === 'any' && need.of.length === 0;
const isNothing = (need: Need) => need.kind === 'all' && need.of.length === 0;

/** Returns all words of a need. */
export function wordsOf(need: Need): string[] {
  return need.kind === 'word' ? [need.word] : need.of.flatMap(wordsOf);
}

/** Returns whether a file with these words has what is needed. */
export function isMet(need: Need, has: (word: string) => boolean): boolean {
  if (need.kind === 'word') return has(need.word);
  const isPartMet = (part: Need) => isMet(part, has);
  return need.kind === 'all' ? need.of.every(isPartMet) : need.of.some(isPartMet);
}

/** Thrown for text that a reader of this folder does not know. Its caller assumes then that nothing is needed. */
export class NotUnderstood extends Error {}
