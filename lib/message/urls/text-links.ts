import { autolinks } from './autolinks.ts';
import type { TextMatch } from './mapped.ts';
import { isRegistered, opensWithoutSlashes, opensWithSlashes, SCHEME_LENGTH } from './schemes.ts';
import { sharesInText } from './shares.ts';

/**
 * A run of URLs glued together, `http://a/http://b/…`, is taken apart at most this often. Each one reaches to the end of the
 * run, so taking all of a long run would cost quadratic time. The outermost URL is always reported.
 */
const URLS_PER_RUN = 8;

/** The characters a URL can hold unencoded: of one that is spelled out, everything up to the first other one counts. */
const RUN = /[!#-&(-;=?-_a-z~|{}]+/iy;
/** Where programs end a URL differently: what stands in front of it is a URL of its own. */
const DOUBTFUL = /[\\^`{|}[\]]/;
/** A scheme may end here. */
const COLON = /:(?=[^\s:"'<>])/g;
const WITH_SLASHES = /:[\\/]{2}/y;
/** Glued to a word, `Linkhttp://…`, it is the web all the same. */
const GLUED = /[a-z0-9.-](https?|ftps?|webcal|file|smb)$/;
/** One letter is a drive. */
const SCHEME = /[a-z][a-z0-9+.-]+$/;
/** The same, percent-encoded inside the parameter of another URL. */
const ENCODED_START = /(?:https?|ftps?)%3a%2f%2f[^&\s"'<>]+/gi;
const TRAILING_PUNCTUATION = new Set('.,;:!?\'")]}>*_~|');

/** Without the punctuation that ends a sentence. A loop: an expression anchored at the end takes quadratic time here. */
function withoutTrailingPunctuation(url: string): string {
  let end = url.length;
  while (end > 0 && TRAILING_PUNCTUATION.has(url.charAt(end - 1))) end--;
  return url.slice(0, end);
}

/** The scheme in front of a colon, in lower case; empty for no scheme that a program would link. */
function schemeBefore(text: string, colon: number): string {
  const before = text.slice(Math.max(0, colon - SCHEME_LENGTH), colon).toLowerCase();
  const scheme = SCHEME.exec(before)?.[0] ?? '';
  if (scheme === '') return '';
  const glued = isRegistered(scheme) ? undefined : GLUED.exec(scheme)?.[1];
  WITH_SLASHES.lastIndex = colon;
  if (WITH_SLASHES.test(text)) return glued ?? (opensWithSlashes(scheme) ? scheme : '');
  return opensWithoutSlashes(scheme, text.slice(colon + 1, colon + 1 + LOOK_AHEAD)) ? scheme : '';
}

/** Characters behind a scheme that say whether it is one. */
const LOOK_AHEAD = 256;

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%3a/gi, ':').replace(/%2f/gi, '/');
  }
}

/**
 * Everything spelled out with a scheme, also glued to a word, inside another URL, or percent-encoded there. Offsets are
 * indexes into `text`. Linear in the length of the text.
 */
export function findSpelledOut(text: string): TextMatch[] {
  const found: TextMatch[] = [];
  COLON.lastIndex = 0;
  for (let colon = COLON.exec(text), run = NO_RUN; colon !== null; colon = COLON.exec(text)) {
    const scheme = schemeBefore(text, colon.index);
    if (scheme === '') continue;
    const start = colon.index - scheme.length;
    run = start < run.end ? { end: run.end, count: run.count + 1 } : { end: runEnd(text, start), count: 1 };
    if (run.count > URLS_PER_RUN) {
      COLON.lastIndex = run.end;
      continue;
    }
    for (const url of [...readings(text.slice(start, run.end), scheme.length + 1), ...overSign(text, start, run.end)])
      found.push({ url, start, end: start + url.length });
  }
  if (text.includes('%'))
    for (const match of text.matchAll(ENCODED_START)) {
      const url = percentDecoded(match[0]);
      found.push({ url, start: match.index, end: match.index + match[0].length });
    }
  return found.sort((left, right) => left.start - right.start);
}

/** A user name and a host, and between them one of the signs at which most programs end a URL: `http://bank.example"x@evil.example/`. */
const USER_OVER_SIGN = /["<>](?!mailto:)[^\s"<>/?#\\]{0,256}@[^\s"<>]+/iy;
/** No path begins before it. */
const ONLY_HOST = /^[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*$/i;

function overSign(text: string, start: number, end: number): string[] {
  USER_OVER_SIGN.lastIndex = end;
  if (end - start > LOOK_AHEAD || !USER_OVER_SIGN.test(text) || !ONLY_HOST.test(text.slice(start, end))) return [];
  return [text.slice(start, USER_OVER_SIGN.lastIndex)];
}

interface Run {
  readonly end: number;
  readonly count: number;
}
const NO_RUN: Run = { end: -1, count: 0 };

function runEnd(text: string, start: number): number {
  RUN.lastIndex = start;
  return RUN.test(text) ? RUN.lastIndex : start;
}

/** A URL to the end of its run, and to where another program ends it. `head`: characters of its scheme with the colon. */
export function readings(run: string, head: number): string[] {
  const slashes = /^[\\/]*/.exec(run.slice(head, head + LOOK_AHEAD))?.[0].length ?? 0;
  const from = head + slashes + (run[head + slashes] === '[' ? run.slice(0, head + LOOK_AHEAD).indexOf(']') + 1 : 0);
  const inside = run.slice(from);
  const doubtful = inside.search(DOUBTFUL);
  const long = withoutTrailingPunctuation(run);
  const short = doubtful === -1 ? long : withoutTrailingPunctuation(run.slice(0, from + doubtful));
  return [...new Set([long, short])].filter((url) => url.length > head + slashes);
}

/**
 * URLs in running text. Where both ways of looking find something at the same place, the autolink is taken, except that
 * a URL is also reported up to the first character at which programs differ in where it ends.
 */
export function findInText(text: string): TextMatch[] {
  return [...findOnLines(text), ...foldedInBrackets(text)];
}

const PUNCTUATION = /^[.,;:!?'")\]}>*_~|(]*$/;

function findOnLines(text: string): TextMatch[] {
  const links = autolinks(text);
  const spelledOut = findSpelledOut(text).filter((match) => {
    const link = linkAt(links, match.start);
    if (link === undefined) return true;
    const difference = text.slice(Math.min(link.end, match.end), Math.max(link.end, match.end));
    return difference.length > LOOK_AHEAD || !PUNCTUATION.test(difference);
  });
  return [...links, ...spelledOut, ...sharesInText(text)];
}

/** What every URL that is found here has. */
const LINK_SIGNAL = /\.(?=[a-z0-9\x80-\uffff])|:|%|[\\/]{2}/i;

/** False when `findInText` finds nothing for sure. */
export function canHoldLinks(text: string): boolean {
  return LINK_SIGNAL.test(text);
}

/** The link that starts there; of links in order. Not a map: a flood of links would cost it as much as finding them. */
function linkAt(links: readonly TextMatch[], start: number): TextMatch | undefined {
  let [low, high] = [0, links.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((links[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const link = links[low - 1];
  return link?.start === start ? link : undefined;
}

/** A text of a million links is taken in pieces of this many characters: what was found in one is gone before the next. */
const SLICE = 256 * 1024;
/** No URL stands on both sides of one of these, but for those in angle brackets over two lines. */
const GAP = /[ \n]/g;

/** The same as `findInText`, one after the other, so that a caller need not hold them all; null where others may run. */
export function* matchesInText(text: string): Generator<TextMatch | null, void> {
  if (text.length <= SLICE) return yield* findInText(text);
  for (let start = 0; start < text.length; ) {
    GAP.lastIndex = start + SLICE;
    const end = GAP.test(text) ? GAP.lastIndex : text.length;
    for (const match of findOnLines(text.slice(start, end)))
      yield { url: match.url, start: start + match.start, end: start + match.end };
    start = end;
    yield null;
  }
  yield* foldedInBrackets(text);
}

/** `<https://…>` over two lines is one URL (RFC 3986 appendix C). Longer than this it is something else. */
const FOLDED_LENGTH = 2_000;
const FOLDED = /<(?:url:)?\s*((?:https?|ftp):\/\/[^\s<>"]*)(?=[\r\n])/gi;

function foldedInBrackets(text: string): TextMatch[] {
  if (!text.includes('<') || !/[\r\n]/.test(text)) return [];
  const found: TextMatch[] = [];
  for (const opening of text.matchAll(FOLDED)) {
    const start = opening.index + opening[0].length - (opening[1]?.length ?? 0);
    const inside = text.slice(start, start + FOLDED_LENGTH);
    const end = inside.search(/[<>"]/);
    if (end !== -1 && inside[end] === '>')
      found.push({ url: inside.slice(0, end).replace(/\s+/g, ''), start, end: start + end });
  }
  return found;
}
