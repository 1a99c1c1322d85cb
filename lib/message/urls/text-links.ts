/** Finds URLs in running text: URLs with a scheme, URLs without one, and shares. */
import { autolinks, linkAt } from './autolinks.ts';
import type { TextMatch } from './html/mapped.ts';
import { isRegistered, opensWithoutSlashes, opensWithSlashes, SCHEME_LENGTH } from './schemes.ts';
import { sharesInText } from './unc-paths.ts';

/**
 * How many URLs are taken from a run of URLs glued together, `http://a/http://b/…`. Each one reaches to the end of the run, so taking
 * all of a long run would cost quadratic time. The outermost URL is always reported.
 */
const URLS_PER_RUN = 8;

/**
 * Any character that a URL cannot hold unencoded. A URL that is spelled out ends at the first one. A pattern of the whole run would need
 * memory for each of its characters where V8 does not optimise patterns, as in a process with many of them, and fails at four megabytes.
 */
const BEHIND_RUN = /[^!#-&(-;=?-_a-z~|{}]/g;
/** Some programs end a URL at these characters, so the text before one is a separate URL. */
const DOUBTFUL = /[\\^`{|}[\]]/;
/** A scheme may end here. */
const COLON = /:(?=[^\s:"'<>])/g;
const WITH_SLASHES = /:[\\/]{2}/y;
/** These schemes count also when they are glued to a word: `Linkhttp://…`. */
const GLUED = /[a-z0-9.-](https?|ftps?|webcal|file|smb)$/;
/** A scheme has two letters or more. One letter is a drive. */
const SCHEME = /[a-z][a-z0-9+.-]+$/;
/**
 * A URL that is percent-encoded inside the parameter of another URL, up to four times by wrappers in each other. Some leave its slashes.
 */
const ENCODED_START = /(?:https?|ftps?)%(?:25){0,3}3a(?:%(?:25){0,3}2f|\/){2}[^&\s"'<>]+/gi;
const STILL_ENCODED = /^[a-z]+%/i;
const TRAILING_PUNCTUATION = new Set('.,;:!?\'")]}>*_~|');

/**
 * URLs in running text. Where autolinks and URLs with a scheme begin at the same place, the autolink is taken. The other one is
 * reported, too, if the two differ in more than punctuation at the end.
 */
export function findInText(text: string): TextMatch[] {
  return [...findOnLines(text), ...foldedInBrackets(text)];
}

/** A long text is searched in pieces of this many characters, so that its links need not be held all at once. */
const SLICE = 256 * 1024;
/** No URL reaches over one of these, except URLs in angle brackets over two lines. */
const GAP = /[ \n]/g;

/**
 * Does the same as `findInText`, but yields the URLs one after the other, so that a caller need not hold them all. Yields null where other
 * work may run.
 */
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

/** The number of schemes in one word from which it counts as a flood. A list of as many addresses without a blank has megabytes. */
const SCHEMES_PER_WORD = 100_000;
/** No word reaches over one of these. */
const WORD_END = /[\s"<>]/g;

/** Returns true for a text that is not searched, because a word of it has this many schemes and each is a link in some program. Linear. */
export function isFlood(text: string): boolean {
  let [count, wordEnd] = [0, 0];
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    count = at < wordEnd ? count + 1 : 1;
    if (count > SCHEMES_PER_WORD) return true;
    if (at < wordEnd) continue;
    WORD_END.lastIndex = at;
    wordEnd = WORD_END.test(text) ? WORD_END.lastIndex : text.length;
  }
  return false;
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

/** `<https://…>` over two lines is one URL (RFC 3986 appendix C), if it is no longer than this. */
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

/** Every URL that is found here has one of these. */
const LINK_SIGNAL = /\.(?=[a-z0-9\x80-\uffff])|:|%|[\\/]{2}/i;

/** Returns false when `findInText` certainly finds nothing. */
export function canHoldLinks(text: string): boolean {
  return LINK_SIGNAL.test(text);
}

/**
 * Returns every URL that is spelled out with a scheme, also glued to a word, inside another URL, or percent-encoded there. Offsets are
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
      let url = percentDecoded(match[0]);
      while (STILL_ENCODED.test(url)) url = percentDecoded(url);
      found.push({ url, start: match.index, end: match.index + match[0].length });
    }
  return found.sort((left, right) => left.start - right.start);
}

/** Returns the scheme in front of a colon, in lower case. Empty when no program would link it. */
function schemeBefore(text: string, colon: number): string {
  const before = text.slice(Math.max(0, colon - SCHEME_LENGTH), colon).toLowerCase();
  const scheme = SCHEME.exec(before)?.[0] ?? '';
  if (scheme === '') return '';
  const glued = isRegistered(scheme) ? undefined : GLUED.exec(scheme)?.[1];
  WITH_SLASHES.lastIndex = colon;
  if (WITH_SLASHES.test(text)) return glued ?? (opensWithSlashes(scheme) ? scheme : '');
  return opensWithoutSlashes(scheme, text.slice(colon + 1, colon + 1 + LOOK_AHEAD)) ? scheme : '';
}

interface Run {
  readonly end: number;
  readonly count: number;
}
const NO_RUN: Run = { end: -1, count: 0 };

function runEnd(text: string, start: number): number {
  BEHIND_RUN.lastIndex = start;
  return BEHIND_RUN.test(text) ? BEHIND_RUN.lastIndex - 1 : text.length;
}

/**
 * Returns the URL up to the end of its run, and up to the places where other programs end it. `head`: characters of its scheme with the
 * colon.
 */
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
 * Returns the URL without the punctuation that ends a sentence. This is a loop because an expression anchored at the end takes quadratic
 * time.
 */
function withoutTrailingPunctuation(url: string): string {
  let end = url.length;
  while (end > 0 && TRAILING_PUNCTUATION.has(url.charAt(end - 1))) end--;
  return url.slice(0, end);
}

/** A host behind a user name that holds a sign at which most programs end a URL: `http://bank.example"x@evil.example/`. */
const USER_OVER_SIGN = /["<>](?!mailto:)[^\s"<>/?#\\]{0,256}@[^\s"<>]+/iy;
/** A URL without a path. */
const ONLY_HOST = /^[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*$/i;

function overSign(text: string, start: number, end: number): string[] {
  USER_OVER_SIGN.lastIndex = end;
  if (end - start > LOOK_AHEAD || !USER_OVER_SIGN.test(text) || !ONLY_HOST.test(text.slice(start, end))) return [];
  return [text.slice(start, USER_OVER_SIGN.lastIndex)];
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%(25|3a|2f)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

/** Characters behind a scheme that say whether it is one. */
const LOOK_AHEAD = 256;
