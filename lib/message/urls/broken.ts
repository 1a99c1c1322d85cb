/** Text of which no program makes a link: every character that a link needs is put in brackets. */
import type { Format } from './find.ts';

/** Every kind of dot and colon, and what stands between a user and a host. */
const NEEDED = /[.:@%\\。．｡：＠]/g;
const ENTITY_OR_NEEDED = /&(?:#x?[0-9a-f]{1,8}|[a-z]{2,10});?|[.:@%\\。．｡：＠]/gi;
const NAMED = new Map([
  ['period', '.'],
  ['colon', ':'],
  ['commat', '@'],
  ['percnt', '%'],
  ['bsol', '\\'],
]);
/** What ends a sentence stays as it is: nothing follows that it could make a link with. */
const ENDS_SENTENCE = new Set('.,;:!?\'")]}>*_~|。．｡：');
/** No link reaches over one of these. In a page, quotes and equals signs belong to the markup. */
const GAP = { text: /[\s<>"]/, html: /[\s<>"'`=]/ } as const;
/** U+FEFF is white space to an expression, and nothing to a reader. */
const isGap = (character: string, format: Format) => GAP[format].test(character) && character !== '\ufeff';

/** Decoded text, as it is written into a source of this format. */
export function brokenText(text: string, format: Format): string {
  const plain = text.replace(NEEDED, '[$&]');
  return format === 'html' ? plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : plain;
}

/** Text as it stands in a source of this format. In a page, characters may be written as entities. */
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

/** Where the word that `from` stands in begins; not before `least`. */
export function runStart(source: string, from: number, least: number, format: Format): number {
  let at = from;
  while (at > least && !isGap(source.charAt(at - 1), format)) at--;
  return at;
}

/** Where it ends; not behind `most`. */
export function runEnd(source: string, from: number, most: number, format: Format): number {
  let at = from;
  while (at < most && !isGap(source.charAt(at), format)) at++;
  return at;
}
