/** Makes judged URLs unclickable where they stand, and touches nothing else. */

import { type Format, isComplete, type LocatedUrl, locateUrls, type Reading, type UrlLimits } from './find.ts';
import type { Span } from './mapped.ts';

/** What a blocked attribute leads to instead: a place in the message itself that does not exist. */
export const BLOCKED_LINK = '#blocked-by-mail-airlock';

/** Characters shown of a URL that was made unclickable. */
const SHOWN_LENGTH = 200;

/**
 * Taking URLs out can bring others to light: behind a removed `<base>` the next one counts, and what stood on both sides of a
 * URL becomes neighbours. Ordinary bodies need one round and a second that finds nothing.
 */
const ROUNDS = 8;

/** Stands for a body that cannot be made safe in that many rounds: only something built to defeat this gets here. */
const WITHHELD = 'Mail Airlock withheld this text: its blocked links could not be taken out.';

/**
 * Replaces every URL for which `isBlocked` says so (it is asked for the normalised form): attributes in HTML get a harmless
 * value, URLs in style likewise, and in text, comments and scripts the URL is respelled (`hxxps://evil[.]example/`) so that no
 * program makes a link of it. All other characters stay. `findUrls` on the result reports no blocked URL but respelled ones, and
 * a second call changes nothing. A rewritten link goes when what it leads to in the end is blocked. `count` is the number of places replaced. Never throws.
 */
export function neutralise(
  text: string,
  reading: Format | Reading,
  isBlocked: (normalised: string) => boolean,
  limits: UrlLimits,
): { text: string; count: number } {
  const { format, base = null } = typeof reading === 'string' ? { format: reading } : reading;
  let current = text;
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const located = locateUrls(current, { format, base }, limits);
    // Behind the end of the search a blocked URL may stand.
    if (!isComplete(located)) return { text: WITHHELD, count: count + 1 };
    const blocked = located.filter((url) => url.where !== 'respelled' && isBlocked(url.normalised));
    if (blocked.length === 0) return { text: current, count };
    const edits = editsFor(blocked, format);
    count += edits.length;
    current = applied(current, edits);
  }
  return { text: WITHHELD, count };
}

interface Edit extends Span {
  readonly replacement: string;
}

/** One edit per place, in order and without overlaps: an attribute that goes as a whole takes what is inside it along. */
function editsFor(blocked: readonly LocatedUrl[], format: Format): Edit[] {
  const edits = blocked.flatMap((url): Edit[] =>
    url.stretches !== null && url.whole === null
      ? url.stretches.map(({ start, end, text }) => ({ start, end, replacement: broken(text, format) }))
      : [{ ...(url.whole ?? { start: url.start, end: url.end }), replacement: shown(url, format) }],
  );
  edits.sort((left, right) => left.start - right.start || right.end - left.end);
  const separate: Edit[] = [];
  let end = 0;
  for (const edit of edits) {
    if (edit.start < end) continue;
    separate.push(edit);
    end = edit.end;
  }
  return separate;
}

function applied(text: string, edits: readonly Edit[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const edit of edits) {
    kept.push(text.slice(at, edit.start), edit.replacement);
    at = edit.end;
  }
  kept.push(text.slice(at));
  return kept.join('');
}

function shown(url: LocatedUrl, format: Format): string {
  return url.whole !== null || url.where === 'css' ? BLOCKED_LINK : respelled(url.normalised, format);
}

/** A piece of a URL that tags cut. The tags stay; every character that makes a link of the pieces is broken. */
function broken(text: string, format: Format): string {
  const plain = text.replace(/[.:@%\\]/g, '[$&]');
  return format === 'html' ? plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : plain;
}

/**
 * A URL a person can still read and no program links: every dot, colon and at sign is broken. Quotes, brackets and white space are
 * percent-encoded, so that it ends no attribute, comment or script it stands in.
 */
function respelled(normalised: string, format: Format): string {
  const short = normalised.length > SHOWN_LENGTH ? `${normalised.slice(0, SHOWN_LENGTH)}…` : normalised;
  const plain = short
    .replace(/[\s"'`<>\\]/g, (character) => encodeURIComponent(character).replace("'", '%27'))
    .replace(/^h(?:tt)(ps?:)/i, 'hxx$1')
    .replace(/^(?!hxx)([a-z][a-z0-9+.-]*):/i, '$1[:]')
    .replace(/(?<=.)http/gi, 'hxxp')
    .replaceAll('.', '[.]')
    .replaceAll('@', '[@]')
    .replace(/%3a%2f/gi, '[:]/');
  return format === 'html' ? plain.replaceAll('&', '&amp;') : plain;
}
