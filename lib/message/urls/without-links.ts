/** Writes text so that no program makes a link of it: every character that a link needs is put in brackets. */
import type { Format } from './find.ts';

/** The characters that a link needs: every kind of dot and colon, at signs, percent signs and backslashes. */
const NEEDED = /[.:@%\\。．｡：＠]/g;
const ENTITY_OR_NEEDED = /&(?:#x?[0-9a-f]{1,8}|[a-z]{2,10});?|[.:@%\\。．｡：＠]/gi;
const NAMED = new Map([
  ['period', '.'],
  ['colon', ':'],
  ['commat', '@'],
  ['percnt', '%'],
  ['bsol', '\\'],
]);
/** Signs that end a sentence stay as they are, because nothing follows them that could make a link. */
const ENDS_SENTENCE = new Set('.,;:!?\'")]}>*_~|。．｡：');
/** No link reaches over these characters. In a page, quotes and equals signs belong to the markup. */
const GAP = { text: /[\s<>"]/, html: /[\s<>"'`=]/ } as const;
/** U+FEFF does not count, although a regular expression takes it for white space: a reader does not see it. */
const isGap = (character: string, format: Format) => GAP[format].test(character) && character !== '\ufeff';

/** Returns decoded text in brackets, in the form in which a source of this format contains it. */
export function brokenText(text: string, format: Format): string {
  const plain = text.replace(NEEDED, '[$&]');
  return format === 'html' ? plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : plain;
}

/** Does the same for text in the form in which a source of this format contains it. In a page, characters may be written as entities. */
export function brokenRun(source: string, format: Format): string {
  let end = source.length;
  while (end > 0 && ENDS_SENTENCE.has(source.charAt(end - 1))) end--;
  const inner = source.slice(0, end);
  const plain = format === 'html' ? inner.replace(ENTITY_OR_NEEDED, brokenEntity) : inner.replace(NEEDED, '[$&]');
  return `${plain}${source.slice(end)}`;
}

function brokenEntity(found: string): string {
  if (!found.startsWith('&')) return `[${found}]`;
  const code = /^&#(x?)([0-9a-f]+)/i.exec(found);
  const number = code === null ? Number.NaN : Number.parseInt(code[2] ?? '', code[1] === '' ? 10 : 16);
  const character =
    number <= 0x10ffff ? String.fromCodePoint(number) : NAMED.get(found.replace(/[&;]/g, '').toLowerCase());
  return character !== undefined && '.:@%\\。．｡：＠'.includes(character) ? `[${character}]` : found;
}

/** Returns the start of the word around `from`, but not less than `least`. */
export function runStart(source: string, from: number, least: number, format: Format): number {
  let at = from;
  while (at > least && !isGap(source.charAt(at - 1), format)) at--;
  return at;
}

/** Returns the end of the word around `from`, but not more than `most`. */
export function runEnd(source: string, from: number, most: number, format: Format): number {
  let at = from;
  while (at < most && !isGap(source.charAt(at), format)) at++;
  return at;
}
