/** Makes judged URLs unclickable where they stand, and changes nothing else. */
import { brokenRun, brokenText, runEnd, runStart } from './broken.ts';
import { type Format, locateUrls, type Reading } from './find.ts';
import type { Span } from './mapped.ts';
import { withOverlapping } from './overlaps.ts';
import { isComplete, type LocatedUrl, type UrlLimits } from './url-collector.ts';

/** The value of a blocked attribute: a place in the message itself that does not exist. */
export const BLOCKED_LINK = '#blocked-by-mail-airlock';
/** The value of an attribute that led nowhere by itself. Without it, a program may complete the link in its own way. */
const NOWHERE = '#';

/** Stands behind a blocked link in running text, for the person who reads it. */
export const BLOCKED_NOTE = ' [blocked link]';
/** A host name without a scheme, and what is behind it. */
const BARE = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?:[:/?#]|$)/u;

/** Characters shown of a URL that was made unclickable. */
const SHOWN_LENGTH = 200;

/**
 * Rounds of searching and replacing. Replacing URLs can make new ones: behind a removed `<base>` the next one counts, and what stood
 * on both sides of a URL comes together. Ordinary bodies need one round, and a second one that finds nothing.
 */
const ROUNDS = 8;

/** Replaces a body that cannot be made safe in that many rounds. Only a body built to defeat this function needs more. */
const WITHHELD = 'Mail Airlock withheld this text: its blocked links could not be taken out.';

/**
 * Replaces every URL for which `isBlocked` returns true. It is given the normalised form. Attributes in HTML and URLs in style get a
 * harmless value. In text, comments and scripts the URL is respelled (`hxxps://evil[.]example/`), so that no program makes a link of
 * it. A rewritten link is replaced when its final target is blocked.
 *
 * Programs differ in where a URL begins and ends. So URLs that overlap a blocked one are replaced with it, and nothing in the word
 * around it stays clickable. Links without scheme and base are set to `#`, because a mail has no address to start from. All other
 * characters stay.
 *
 * `findUrls` on the result reports blocked URLs only as respelled ones, and a second call changes nothing. `count` is the number of
 * places replaced. Never throws.
 */
export function neutralise(
  text: string,
  reading: Format | Reading,
  isBlocked: (normalised: string) => boolean,
  limits: UrlLimits,
): { text: string; count: number } {
  const asked = typeof reading === 'string' ? { format: reading } : reading;
  const { format } = asked;
  let current = text;
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { urls, unresolved } = locateUrls(current, asked, limits);
    // A blocked URL may stand behind the end of the search.
    if (!isComplete(urls)) return { text: WITHHELD, count: count + 1 };
    const clickable = urls.filter((url) => url.where !== 'respelled');
    const blocked = withOverlapping(clickable, (url) => isBlocked(url.normalised));
    if (blocked.length === 0 && unresolved.length === 0) return { text: current, count };
    const edits = editsFor(current, blocked, unresolved, format);
    count += edits.length;
    current = applied(current, withRuns(current, edits, format));
  }
  return { text: WITHHELD, count };
}

interface Edit extends Span {
  readonly replacement: string;
  /** True in running text, where the word around it is broken, too. */
  readonly isInText: boolean;
  /** True where a note behind it says that a link was blocked. */
  readonly isNoted: boolean;
}

/** One edit per place, in order and without overlaps. An attribute that is replaced as a whole includes the URLs inside it. */
function editsFor(source: string, blocked: readonly LocatedUrl[], unresolved: readonly Span[], format: Format): Edit[] {
  const edits = blocked.flatMap((url): Edit[] =>
    url.stretches !== null && url.whole === null
      ? url.stretches.map(({ start, end, text }, index, { length }) => ({
          start,
          end,
          replacement: brokenText(text, format),
          isInText: true,
          isNoted: index === length - 1,
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
  edits.sort((left, right) => left.start - right.start || right.end - left.end);
  const separate: Edit[] = [];
  for (const edit of edits) {
    const last = separate.at(-1);
    if (last === undefined || edit.start >= last.end) separate.push(edit);
    else if (edit.end > last.end) {
      const tail = brokenRun(source.slice(last.end, edit.end), format);
      separate[separate.length - 1] = { ...last, end: edit.end, replacement: `${last.replacement}${tail}` };
    }
  }
  return separate;
}

const PLAIN = { isInText: true, isNoted: false };
/** A note stands in running text, and not in front of the quote that ends an attribute. */
const ENDS_WORD = /^[\s<]?$/;
const ENDS_SENTENCE = /^[.,;:!?)\]]*$/;

/** The edits, and further ones that break the rest of the words around them, so that the rest makes no link either, and the notes. */
function withRuns(source: string, edits: readonly Edit[], format: Format): Edit[] {
  const all: Edit[] = [];
  let done = 0;
  const breakUp = (start: number, end: number) => {
    const replacement = start < end ? brokenRun(source.slice(start, end), format) : '';
    if (start < end) all.push({ ...PLAIN, start, end, replacement });
  };
  const note = (at: number) => all.push({ ...PLAIN, start: at, end: at, replacement: BLOCKED_NOTE });
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

function shown(url: LocatedUrl, source: string, format: Format): string {
  if (url.whole !== null || url.where === 'css') return BLOCKED_LINK;
  const { start, end } = url;
  // What was written without a scheme stays as it was written, but for the brackets.
  return BARE.test(source.slice(start, end)) && end - start <= SHOWN_LENGTH
    ? brokenRun(source.slice(start, end), format)
    : respelled(url.normalised, format);
}

/**
 * The URL in a form that a person can read and no program links: every dot, colon and at sign is broken. Quotes, angle brackets and
 * white space are percent-encoded, so that it cannot end the attribute, comment or script around it.
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
