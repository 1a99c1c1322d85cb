/** URLs in running text: what a mail program would make clickable, and everything that is spelled out with its scheme. */
import { autolinks } from './autolinks.ts';
import type { TextMatch } from './mapped.ts';

/**
 * A run of URLs glued together, `http://a/http://b/…`, is taken apart at most this often. Each one reaches to the end of the
 * run, so taking all of a long run would cost quadratic time. The outermost URL is always reported.
 */
const URLS_PER_RUN = 8;

/** Spelled out with a scheme; the characters are those a URL can hold unencoded, and the slashes browsers accept. */
const RUN = /(?:https?|ftps?|webcal|file|smb):[\\/]{2}[!#-&(-;=?-_a-z~|{}]+/gi;
const RUN_START = /(?:https?|ftps?|webcal|file|smb):[\\/]{2}/gi;
/** The same, percent-encoded inside the parameter of another URL. */
const ENCODED_START = /(?:https?|ftps?)%3a%2f%2f[^&\s"'<>]+/gi;
/** Mail programs for Windows link these; opening one sends the user's credentials to the server. */
const UNC_PATH = /(?<![\\\w])\\\\[a-z0-9][a-z0-9.-]*(?:@[a-z0-9@]+)?\\[^\s"'<>|]*/gi;
const TRAILING_PUNCTUATION = new Set('.,;:!?\'")]}>*_~|');
const NON_ASCII = /[^\0-\x7f]/;

/** Without the punctuation that ends a sentence. A loop: an expression anchored at the end takes quadratic time here. */
function withoutTrailingPunctuation(url: string): string {
  let end = url.length;
  while (end > 0 && TRAILING_PUNCTUATION.has(url.charAt(end - 1))) end--;
  return url.slice(0, end);
}

/** URLs inside one run of characters that a URL can hold, the outermost first. */
function urlsOfRun(run: string, offset: number): TextMatch[] {
  const found: TextMatch[] = [];
  RUN_START.lastIndex = 0;
  for (let start = RUN_START.exec(run); start !== null; start = RUN_START.exec(run)) {
    const url = withoutTrailingPunctuation(run.slice(start.index));
    if (url.length > start[0].length)
      found.push({ url, start: offset + start.index, end: offset + start.index + url.length });
    if (found.length === URLS_PER_RUN) break;
  }
  return found;
}

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
  if (text.includes(':')) for (const run of text.matchAll(RUN)) found.push(...urlsOfRun(run[0], run.index));
  if (!text.includes('%')) return found;
  for (const match of text.matchAll(ENCODED_START))
    found.push({ url: percentDecoded(match[0]), start: match.index, end: match.index + match[0].length });
  return found;
}

function uncPaths(text: string): TextMatch[] {
  if (!text.includes('\\\\')) return [];
  return [...text.matchAll(UNC_PATH)].map((match) => ({
    url: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Shares inside another URL (`search-ms:…&crumb=location:\\\\server\\share`), percent-encoded or not. The span is the whole. */
export function findShares(url: string): TextMatch[] {
  return uncPaths(percentDecoded(url)).map((share) => ({ url: share.url, start: 0, end: url.length }));
}

/**
 * URLs in running text. Where both ways of looking find something at the same place, the autolink is taken, except that
 * a URL with other than ASCII characters is also reported up to the first of them: programs differ in where it ends.
 */
export function findInText(text: string): TextMatch[] {
  return [...findOnLines(text), ...foldedInBrackets(text)];
}

function findOnLines(text: string): TextMatch[] {
  const links = autolinks(text);
  const spelledOut = findSpelledOut(text).filter((match) => {
    const link = linkAt(links, match.start);
    return link === undefined || (NON_ASCII.test(link.url) && match.end < link.end);
  });
  return [...links, ...spelledOut, ...uncPaths(text)];
}

/** What every URL that is found here has. */
const LINK_SIGNAL = /\.(?=[a-z0-9\x80-\uffff])|:|%|\\\\/i;

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
