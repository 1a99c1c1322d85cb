/** Defangs judged URLs in their places, so that no click opens them, and changes nothing else. */

import { type Format, locateUrls, type Reading } from '../find.ts';
import { withOverlapping } from '../overlaps.ts';
import type { LocatedUrl, UrlLimits } from '../url-collector.ts';
import { brokenRun, brokenText, runEnd, runStart } from '../without-links.ts';
import { anchorsOf } from './anchors.ts';
import { type BlockedWords, looksOf } from './blocked-looks.ts';
import { applied, type Edit } from './edits.ts';
import type { Span } from './mapped.ts';

/** The value of a blocked attribute that is no link to click. It names a place in the message that does not exist. */
export const BLOCKED_LINK = '#blocked-by-mail-airlock';
/** The value of an attribute that led nowhere by itself. Without it, a program may complete the link in its own way. */
const NOWHERE = '#';

/** A host name without a scheme, and the text after it. */
const BARE = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?:[:/?#]|$)/u;

/** The most shown characters of a defanged URL, in running text and beside the text of a link. */
const SHOWN_LENGTH = 200;
const BESIDE_LENGTH = 70;

/**
 * The most rounds of searching and replacing. A body that needs more is withheld, because only an attack on this function needs more.
 * Replacing URLs can make new ones: after a removed `<base>` the next one counts, and the texts on both sides of a URL are joined. Ordinary
 * bodies need one round, and a second one that finds nothing.
 */
const ROUNDS = 8;

/**
 * Replaces every URL for which `isBlocked` returns true. It is given the normalised form. A link of a page loses its `href`. Its text
 * stays, struck through, and a note behind it gives its address in `words`. Other attributes in HTML and URLs in style get a harmless
 * value. In text, comments and scripts the URL is defanged (`hxxps://evil[.]example/`), so that no program makes a link of it. A rewritten
 * link is replaced when its final target is blocked.
 *
 * Programs differ in where a URL begins and ends. So URLs that overlap a blocked one are replaced with it, and nothing in the word
 * around it stays clickable. Links without scheme and base are set to `#`, because a mail has no address to start from. All other
 * characters stay.
 *
 * `findUrls` on the result reports blocked URLs only as defanged ones, and a second call changes nothing. `count` is the number of
 * places replaced. Never throws.
 */
export function defang(
  text: string,
  reading: Format | Reading,
  isBlocked: (normalised: string) => boolean,
  limits: UrlLimits,
  words: BlockedWords,
): { text: string; count: number } {
  const asked = typeof reading === 'string' ? { format: reading } : reading;
  const { format } = asked;
  let current = text;
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { urls, unresolved, isComplete } = locateUrls(current, asked, limits);
    // A blocked URL may follow after the end of the search.
    if (!isComplete) return { text: words.withheld, count: count + 1 };
    const clickable = urls.filter((url) => url.where !== 'respelled');
    const blocked = withOverlapping(clickable, (url) => isBlocked(url.normalised));
    if (blocked.length === 0 && unresolved.length === 0) return { text: current, count };
    const edits = editsFor(current, blocked, unresolved, format);
    count += separate(current, edits, format).length;
    const looks = format === 'html' ? lookEdits(current, blocked, words) : [];
    const all = separate(current, [...looks, ...edits], format);
    current = applied(current, withRuns(current, all, format, words));
  }
  return { text: words.withheld, count };
}

interface LinkEdit extends Edit {
  /** True in running text, where the word around it is broken, too. */
  readonly isInText: boolean;
  /** True if a note behind it says that a link was blocked. */
  readonly isNoted: boolean;
}

/** Makes one edit per place. */
function editsFor(
  source: string,
  blocked: readonly LocatedUrl[],
  unresolved: readonly Span[],
  format: Format,
): LinkEdit[] {
  const edits = blocked.flatMap((url): LinkEdit[] =>
    url.stretches !== null && url.whole === null
      ? url.stretches.map(({ start, end, text }) => ({
          start,
          end,
          replacement: inQuotes(brokenText(text, format)),
          isInText: true,
          isNoted: end === url.end,
        }))
      : [
          {
            ...(url.whole ?? { start: url.start, end: url.end }),
            replacement: shown(url, source, format),
            isInText: url.whole === null && url.where === 'text',
            isNoted: url.whole === null && url.where === 'text',
          },
        ],
  );
  for (const { start, end } of unresolved)
    edits.push({ start, end, replacement: NOWHERE, isInText: false, isNoted: false });
  return edits;
}

/** A piece can stand in an attribute or in a string of a sheet, which its text must not end. */
const inQuotes = (text: string) => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** Makes the edits that make the links of a page look blocked, in the place of their addresses. */
function lookEdits(source: string, blocked: readonly LocatedUrl[], words: BlockedWords): LinkEdit[] {
  const links = blocked.filter(({ whole }) => whole !== null);
  if (links.length === 0) return [];
  const noted = blocked.filter(({ whole, where }) => whole === null && where === 'text');
  const address = (url: LocatedUrl) => defanged(url.unwrapped.at(-1) ?? url.normalised, 'html', BESIDE_LENGTH);
  return looksOf(anchorsOf(source), { links, noted }, words, address).map((look) => ({
    ...look,
    isInText: false,
    isNoted: false,
  }));
}

/**
 * Returns the edits in order and without overlaps. An attribute that is replaced as a whole includes the URLs inside it. Of two edits for
 * the same place the first counts, and a text that is only inserted comes first.
 */
function separate(source: string, edits: readonly LinkEdit[], format: Format): LinkEdit[] {
  const isPutIn = ({ start, end }: LinkEdit) => (start === end ? 0 : 1);
  const sorted = [...edits].sort(
    (left, right) => left.start - right.start || isPutIn(left) - isPutIn(right) || right.end - left.end,
  );
  const apart: LinkEdit[] = [];
  for (const edit of sorted) {
    const last = apart.at(-1);
    if (last === undefined || edit.start >= last.end) apart.push(edit);
    else if (edit.end > last.end) {
      const tail = brokenRun(source.slice(last.end, edit.end), format);
      apart[apart.length - 1] = { ...last, end: edit.end, replacement: `${last.replacement}${tail}` };
    }
  }
  return apart;
}

const PLAIN = { isInText: true, isNoted: false };
/** A note must be in running text, and not before the quote that ends an attribute. */
const ENDS_WORD = /^[\s<]?$/;
const ENDS_SENTENCE = /^[.,;:!?)\]]*$/;

/** Returns the edits, and the notes. Adds edits that break the rest of the words around them, so that the rest makes no link either. */
function withRuns(source: string, edits: readonly LinkEdit[], format: Format, words: BlockedWords): LinkEdit[] {
  const all: LinkEdit[] = [];
  let done = 0;
  const breakUp = (start: number, end: number) => {
    const replacement = start < end ? brokenRun(source.slice(start, end), format) : '';
    if (start < end) all.push({ ...PLAIN, start, end, replacement });
  };
  const note = (at: number) => all.push({ ...PLAIN, start: at, end: at, replacement: ` [${words.behind}]` });
  for (const [index, edit] of edits.entries()) {
    if (edit.isInText) breakUp(runStart(source, edit.start, done, format), edit.start);
    all.push(edit);
    done = edit.end;
    if (!edit.isInText) continue;
    const end = runEnd(source, edit.end, edits[index + 1]?.start ?? source.length, format);
    const isNoted = edit.isNoted && ENDS_WORD.test(source.charAt(end)) && end !== edits[index + 1]?.start;
    const isAtOnce = ENDS_SENTENCE.test(source.slice(edit.end, end));
    if (isNoted && isAtOnce) note(edit.end);
    breakUp(edit.end, end);
    if (isNoted && !isAtOnce) note(end);
    done = end;
  }
  return all;
}

function shown(url: LocatedUrl, source: string, format: Format): string {
  if (url.whole !== null || url.where === 'css') return BLOCKED_LINK;
  const { start, end } = url;
  // A link without a scheme keeps its spelling, except for the brackets.
  return BARE.test(source.slice(start, end)) && end - start <= SHOWN_LENGTH
    ? brokenRun(source.slice(start, end), format)
    : defanged(url.normalised, format);
}

/**
 * Returns the URL in a form that a person can read and no program links: every dot, colon and at sign is broken. Quotes, angle brackets and
 * white space are percent-encoded, so that it cannot end the attribute, comment or script around it.
 */
function defanged(normalised: string, format: Format, length = SHOWN_LENGTH): string {
  const short = normalised.length > length ? `${normalised.slice(0, length)}…` : normalised;
  const plain = short
    .replace(/[\s"'`<>\\]/g, (character) => encodeURIComponent(character).replace("'", '%27'))
    .replace(/^h(?:tt)(ps?:)/i, 'hxx$1')
    .replace(/^(?!hxx)([a-z][a-z0-9+.-]*):/i, '$1[:]')
    .replace(/(?<=.)http/gi, 'hxxp')
    .replaceAll('.', '[.]')
    .replaceAll('@', '[@]')
    .replace(/%(?:25){0,3}3a(?:%(?:25){0,3}2f|\/)/gi, '[:]/');
  return format === 'html' ? plain.replaceAll('&', '&amp;') : plain;
}
