/**
 * Gives the views of a text in which programs may find a file: without quotation marks in front of its lines, without the blanks and
 * soft line ends of format=flowed (RFC 3676 §4.4), without an indent, without a few control bytes, and without the elements and entities
 * of a page.
 */
import { asBuffer, CR, holdsMatch, LF, SPACE } from '../../formats/byte-scan.ts';
import { deliveredText } from '../../formats/charsets/stained-text.ts';
import { mayHoldBareFile } from './bare-files.ts';
import { unflowed } from './flowed.ts';
import { BASE64_STARTS, HEX_STARTS } from './program-starts.ts';

/** The text in front of the first line of a file: quotation marks, the `- ` of signed text, `Ana> `. */
const PREFIX = String.raw`^(?<prefix>(?:[ \t>|:#*]|- ){1,20}|[^\r\n]{0,2000}>[ \t]{0,4})`;
/** The first line of a file with its prefix. */
const MARKED = new RegExp(
  String.raw`${PREFIX}(?:begin(?:-base64\S*)?(?![\w:])|=ybegin\d*[ \t]|-{4,5} ?begin |${[...BASE64_STARTS, ...HEX_STARTS].join('|')})`,
  'gim',
);
/** The word that begins a file, or an entity for a letter of it. */
const MARK = /begin|&#/i;
const SOFT_END = / \r?\n/;
const MARK_WORD = /begin/i;
const ENTITY = Buffer.from('&#');
/** Bytes that are read in a loop first. A native search costs as much as reading this many, and a flood of short lines would need many. */
const NEARBY_BYTES = 16;
const PAGE = /<(?:pre|br|p|div|html|body|tt|code|span|td)\b|&(?:lt|gt|amp|quot|#\w{1,6});/i;
const ELEMENT = /<\/?[a-z][^<>]{0,2000}>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  grave: '`',
};
/** The digits of xxencode by value. A full line of xxencode begins with `h`, and one of uuencode with `M`. */
const XX = '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const XX_FILE = /^begin[ \t][^\r\n]*\r?\n(?:h[A-Za-z0-9+-]{60}|[A-Za-z0-9+-]{5,60}\r?\n\+?\r?\n?end)\r?$/im;
const XX_LINE = /^(?!begin|end)[A-Za-z0-9+-]{1,61}(?=\r?$)/gm;
/** Prefixes of lines that are tried in one text. */
const PREFIXES = 8;
/** Longer texts are searched only as they are. */
const VIEWED_BYTES = 8 * 1024 * 1024;

/** Returns the other views of a text, and of the text that is delivered for it. Most texts have none. */
export function textViews(bytes: Uint8Array): Buffer[] {
  const delivered = bytes.length > VIEWED_BYTES ? null : deliveredText(bytes);
  return delivered === null ? viewsOf(bytes) : [delivered, ...viewsOf(delivered), ...viewsOf(bytes)];
}

function viewsOf(bytes: Uint8Array): Buffer[] {
  if (bytes.length > VIEWED_BYTES) return [];
  const isMarked = holdsMatch(bytes, MARK_WORD, 5) || mayHoldBareFile(bytes);
  if (!isMarked && !holdsEntity(bytes) && !holdsSoftEnd(bytes)) return [];
  const text = asBuffer(bytes).toString('latin1');
  const joined = SOFT_END.test(text) ? unflowed(text) : null;
  const mayHoldFile = isMarked || MARK.test(text) || (joined !== null && (MARK.test(joined) || mayHoldBare(joined)));
  return mayHoldFile ? writtenViews(text, joined) : [];
}

const mayHoldBare = (text: string) => mayHoldBareFile(Buffer.from(text, 'latin1'));

function writtenViews(text: string, joined: string | null): Buffer[] {
  const page = PAGE.test(text) ? pageText(text) : null;
  const views = [page, joined].filter((view) => view !== null);
  for (const source of page === null ? [text] : [text, page]) {
    const prefixes = new Set<string>();
    for (const { groups } of source.matchAll(MARKED)) if (prefixes.size < PREFIXES) prefixes.add(groups?.prefix ?? '');
    for (const prefix of prefixes) views.push(withoutPrefix(source, prefix));
  }
  for (const source of [text, ...views]) if (XX_FILE.test(source)) views.push(asUuencoded(source));
  return views.map((view) => Buffer.from(view, 'latin1'));
}

/** Returns true when the bytes may hold a character that is written as an entity by its number. */
export function holdsEntity(bytes: Uint8Array): boolean {
  return asBuffer(bytes).includes(ENTITY);
}

/**
 * Returns true when a line ends with a blank, as the soft ends of format=flowed do. One expression for this and for words takes three times
 * as long.
 */
export function holdsSoftEnd(bytes: Uint8Array): boolean {
  const all = asBuffer(bytes);
  for (let from = 0; ; ) {
    let at = from;
    const near = Math.min(from + NEARBY_BYTES, all.length);
    while (at < near && all[at] !== LF) at++;
    if (at === near) at = all.indexOf(LF, near);
    if (at < 0) return false;
    if (all[all[at - 1] === CR ? at - 2 : at - 1] === SPACE) return true;
    from = at + 1;
  }
}

/** Writes lines of xxencode as lines of uuencode. */
function asUuencoded(text: string): string {
  return text.replace(XX_LINE, (line) =>
    line.replace(/./g, (char) => String.fromCharCode(0x20 + XX.indexOf(char)).replace(' ', '`')),
  );
}

function withoutPrefix(text: string, prefix: string): string {
  const lines = text.split(String.fromCharCode(LF));
  return lines.map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line)).join('\n');
}

function pageText(page: string): string {
  return page
    .replace(ELEMENT, '\n')
    .replace(/(?:\r?\n){2,}/g, '\n')
    .replace(/&(?:#(x?)([0-9a-f]{1,6})|([a-z]{2,6}));?/gi, (whole, hex, digits, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = Number.parseInt(String(digits), hex === '' ? 10 : 16);
      return code < 256 ? String.fromCharCode(code) : whole;
    });
}
