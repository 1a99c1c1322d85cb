/** Makes judged URLs unclickable where they stand, and touches nothing else. */

import { brokenRun, brokenText, runEnd, runStart } from './broken.ts';
import { type Format, isComplete, type LocatedUrl, locateUrls, type Reading, type UrlLimits } from './find.ts';
import type { Span } from './mapped.ts';
import { withOverlapping } from './overlaps.ts';

/** What a blocked attribute leads to instead: a place in the message itself that does not exist. */
export const BLOCKED_LINK = '#blocked-by-mail-airlock';
/** What an attribute leads to that led nowhere by itself, and to wherever a program completes it. */
const NOWHERE = '#';

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
 * program makes a link of it. What overlaps a blocked URL goes with it, and of the word it stands in nothing stays clickable: programs
 * differ in where a URL begins and ends. Links without scheme and base lead nowhere (`#`): a mail has no place to start from. All
 * other characters stay. `findUrls` on the result reports no blocked URL but respelled ones, and a second call changes
 * nothing. A rewritten link goes when what it leads to in the end is blocked. `count` is the number of places replaced. Never throws.
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
    const { urls, unresolved } = locateUrls(current, { format, base }, limits);
    // Behind the end of the search a blocked URL may stand.
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
  /** In running text, where the word around it is looked at, too. */
  readonly isInText: boolean;
}

/** One edit per place, in order and without overlaps: an attribute that goes as a whole takes what is inside it along. */
function editsFor(source: string, blocked: readonly LocatedUrl[], unresolved: readonly Span[], format: Format): Edit[] {
  const edits = blocked.flatMap((url): Edit[] =>
    url.stretches !== null && url.whole === null
      ? url.stretches.map(({ start, end, text }) => ({
          start,
          end,
          replacement: brokenText(text, format),
          isInText: true,
        }))
      : [
          {
            ...(url.whole ?? { start: url.start, end: url.end }),
            replacement: shown(url, format),
            isInText: url.whole === null && url.where === 'text',
          },
        ],
  );
  for (const { start, end } of unresolved) edits.push({ start, end, replacement: NOWHERE, isInText: false });
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

/** The edits, and between them what is left of the words they stand in, with everything broken that could make a link. */
function withRuns(source: string, edits: readonly Edit[], format: Format): Edit[] {
  const all: Edit[] = [];
  let done = 0;
  const breakUp = (start: number, end: number) => {
    const replacement = start < end ? brokenRun(source.slice(start, end), format) : '';
    if (start < end) all.push({ start, end, replacement, isInText: true });
  };
  for (const [index, edit] of edits.entries()) {
    if (edit.isInText) breakUp(runStart(source, edit.start, done, format), edit.start);
    all.push(edit);
    done = edit.end;
    if (!edit.isInText) continue;
    const end = runEnd(source, edit.end, edits[index + 1]?.start ?? source.length, format);
    breakUp(edit.end, end);
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

function shown(url: LocatedUrl, format: Format): string {
  return url.whole !== null || url.where === 'css' ? BLOCKED_LINK : respelled(url.normalised, format);
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
