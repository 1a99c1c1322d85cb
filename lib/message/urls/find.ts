/** Every URL of a text or HTML body, where it stands, in the one form it is known by. */

import { runSync, type Steps } from '../../formats/steps.ts';
import { URL_PLACES, type UrlInText, type UrlPlace, type UrlRank } from '../model.ts';
import type { Region } from './attributes.ts';
import { asBrowsersRead, differently } from './browser-form.ts';
import { completions } from './completed.ts';
import { decodeCss, findInCss } from './css.ts';
import { inDocumentOrder } from './document-order.ts';
import { htmlRegionSteps } from './html.ts';
import { type MappedText, type Span, type Stretch, type TextMatch, verbatim, without } from './mapped.ts';
import { isUnresolved, normaliseBase, normaliseUrl } from './normalise.ts';
import { canBeRespelled, findRespelled } from './respelled.ts';
import { sharesInUrl } from './shares.ts';
import { showsAnother } from './shown.ts';
import { canHoldLinks, findInText, findSpelledOut, matchesInText } from './text-links.ts';
import { unwrap } from './wrappers.ts';

/** `urlLength`: characters kept of one URL, raw and normalised. Megabytes of one URL would fill ledger and service. */
export interface UrlLimits {
  readonly urlLength: number;
}

/** A URL together with what has to be replaced to take it out. */
export interface LocatedUrl extends UrlInText {
  /** The attribute value that goes as a whole; null when only [start, end) goes. */
  readonly whole: Span | null;
  /** The pieces of a URL that tags cut; null for one that stands in one piece, and in a list, which takes nothing out. */
  readonly stretches: readonly Stretch[] | null;
}

/** What a search found, and the attributes that lead nowhere by themselves: a mail has no place of its own to start from. */
export interface Located<Url = LocatedUrl> {
  readonly urls: Url[];
  readonly unresolved: readonly Span[];
}

export type Format = 'html' | 'text';

interface Found {
  readonly where: UrlPlace;
  readonly rank: UrlRank;
  readonly whole: Span | null;
  readonly stretches?: readonly Stretch[] | null;
  readonly shown?: string;
}

/** What one spelling of a URL stands for. */
interface Known {
  readonly normalised: string;
  readonly unwrapped: readonly string[];
  /** A bit for each kind of place and rank at which it was found. */
  found: number;
}

const NOTHING: readonly string[] = [];
/** How many ranks there are. */
const RANKS = 4;

/**
 * A megabyte of short relative links behind a `<base>` of 8,000 characters is gigabytes of URLs: characters of normalised
 * URLs found in one text before the search gives up.
 */
const FOUND_CHARACTERS = 8 * 1024 * 1024;

/** Puts found matches into the form that is reported. Normalising is remembered: one URL may stand there a million times. */
class Collector {
  readonly found: LocatedUrl[] = [];
  readonly unresolved: Span[] = [];
  private readonly known = new Map<string, Known | null>();
  private characters = 0;
  constructor(
    private readonly text: string,
    readonly base: string | null,
    private readonly limits: UrlLimits,
    readonly isEach: boolean,
  ) {}

  /**
   * The innermost URL of a rewritten link is an entry of its own at the same place: it is judged by itself. Gives it back, or null
   * when the link was not rewritten.
   */
  add(value: MappedText, match: TextMatch, { where, rank, whole, stretches = null, shown = '' }: Found): string | null {
    if (this.characters > FOUND_CHARACTERS) return null;
    const known = this.lookUp(match.url);
    if (known === null || (shown === '' && this.wasFound(known, where, rank))) return null;
    const { start, end } = value.spanOf(match.start, match.end);
    const untrustedRaw = this.text.slice(start, Math.min(end, start + this.limits.urlLength));
    const { normalised, unwrapped } = known;
    this.characters += normalised.length;
    const untrustedShown = shown === '' ? null : showsAnother(shown, [normalised, ...unwrapped]);
    this.found.push({ untrustedRaw, normalised, where, rank, unwrapped, untrustedShown, start, end, whole, stretches });
    const innermost = unwrapped.at(-1);
    if (innermost === undefined) return null;
    this.characters += innermost.length;
    const inner = { normalised: innermost, unwrapped: NOTHING, untrustedShown: null };
    this.found.push({ untrustedRaw, ...inner, where, rank, start, end, whole, stretches });
    return URL.canParse(innermost) ? innermost : null;
  }

  /** In document order. After giving up nothing is left out: what was counted twice would make `isComplete` say yes. */
  inOrder(): Located {
    const urls = this.characters > FOUND_CHARACTERS ? this.found : inDocumentOrder(this.found);
    return { urls, unresolved: this.unresolved };
  }

  /** A page can name one URL a million times: for a list, once per place and rank is enough. */
  private wasFound(known: Known, where: UrlPlace, rank: UrlRank): boolean {
    if (this.isEach) return false;
    const bit = 1 << (URL_PLACES.indexOf(where) * RANKS + rank);
    const isSeen = (known.found & bit) !== 0;
    known.found |= bit;
    return isSeen;
  }

  private lookUp(url: string): Known | null {
    const remembered = url.length <= this.limits.urlLength ? this.known.get(url) : undefined;
    if (remembered !== undefined) return remembered;
    const normalised = normaliseUrl(url, this.base, this.limits.urlLength);
    const known =
      normalised === null ? null : { normalised, unwrapped: unwrap(normalised, this.limits.urlLength), found: 0 };
    if (url.length <= this.limits.urlLength) this.known.set(url, known);
    return known;
  }
}

/** What may stand before a URL in an attribute that means nothing to a browser. */
const LEADING = /[^\s\0-\x20`'"]/;

function collectLink(region: Region, collector: Collector): void {
  const { value, whole } = region;
  const url = value.text;
  const rank = region.isFetched ? 1 : 0;
  const shown = region.linkText?.text ?? '';
  const innermost = collector.add(
    value,
    { url, start: 0, end: url.length },
    { where: 'attribute', rank, whole, shown },
  );
  const others = completions(url);
  for (const other of others)
    collector.add(value, { url: other, start: 0, end: url.length }, { where: 'attribute', rank, whole });
  // What is loaded by itself and has no place leads to parts of the message, and to nothing else.
  const isDead = isUnresolved(url, collector.base) && (others.length > 0 || !region.isFetched);
  if (isDead && whole !== null) collector.unresolved.push(whole);
  if (url.includes('\\') || url.includes('%'))
    for (const match of sharesInUrl(url)) collector.add(value, match, { where: 'attribute', rank, whole });
  // Most links carry no other: one look for a second scheme is cheaper than taking the value apart.
  if (!url.includes(':', 7) && !url.includes('%3')) return;
  const leading = url.search(LEADING);
  const target = innermost === null ? '' : new URL(innermost).host;
  // What was unwrapped properly need not be reported a second time with the wrapping around it.
  for (const match of findSpelledOut(url))
    if (match.start > leading && (target === '' || !match.url.includes(target)))
      collector.add(value, withoutOuterParameters(match), { where: 'attribute', rank: 2, whole });
}

/** A URL carried unencoded in the query of another ends where the next parameter of the outer one begins. */
function withoutOuterParameters(match: TextMatch): TextMatch {
  const url = /^[^?&]*(?=&)/.exec(match.url)?.[0] ?? match.url;
  return { url, start: match.start, end: match.start + url.length };
}

/**
 * What is not seen, and what a URL is cut with: controls that are no white space, soft hyphens, zero-width and directional characters, variation selectors, and the soft
 * line end of a text that is quoted-printable to some programs.
 */
const INVISIBLE = new RegExp(
  '[\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5' +
    '\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff]+|=\\r?\\n',
  'g',
);

/** False for most texts of a page: nothing in them looks like a part of a URL. */
function canHoldText(text: string): boolean {
  return canHoldLinks(text) || text.search(INVISIBLE) >= 0 || canBeRespelled(text);
}

function* collectText(region: Pick<Region, 'value' | 'whole'>, collector: Collector): Steps<void> {
  const found = { where: 'text', rank: 2, whole: region.whole } as const;
  yield* addAll(collector, region.value, matchesInText(region.value.text), found);
  const visible = without(region.value, INVISIBLE);
  if (visible !== region.value) yield* addAll(collector, visible, matchesInText(visible.text), found);
  const read = asBrowsersRead(visible);
  if (read !== visible) yield* addAll(collector, read, differently(read, matchesInText(read.text)), found);
  if (!canBeRespelled(visible.text)) return;
  const { value, matches } = findRespelled(visible);
  yield* addAll(collector, value, matches, { ...found, where: 'respelled', rank: 3 });
}

function* addAll(
  collector: Collector,
  value: MappedText,
  matches: Iterable<TextMatch | null>,
  found: Found,
): Steps<void> {
  for (const match of matches)
    if (match === null) yield;
    else collector.add(value, match, found);
}

function collectCut(region: Region, collector: Collector): void {
  for (const match of findInText(region.value.text)) {
    if (!region.value.isCut(match.start, match.end)) continue;
    const stretches = collector.isEach ? region.value.stretchesOf(match.start, match.end) : null;
    collector.add(region.value, match, { where: 'text', rank: 2, whole: region.whole, stretches });
  }
}

/** All kinds but running text. */
function collectRegion(region: Region, collector: Collector): void {
  if (region.kind === 'link') collectLink(region, collector);
  else if (region.kind === 'cut') collectCut(region, collector);
  else if (region.kind === 'css') {
    const value = decodeCss(region.value);
    for (const match of findInCss(value.text))
      collector.add(value, match, { where: 'css', rank: 1, whole: region.whole });
  } else
    for (const match of findSpelledOut(region.value.text))
      collector.add(region.value, match, { where: 'text', rank: 2, whole: region.whole });
}

/** How a text is to be read; `base` is what its relative links start from, when a header of its part says so. */
export interface Reading {
  readonly format: Format;
  readonly base?: string | null;
}

/**
 * Every URL with what has to be replaced to take it out, in document order. `isEach`: every place of a URL and not only its
 * first of a kind. Never throws.
 */
export function locateUrls(text: string, reading: Reading, limits: UrlLimits, isEach = true): Located {
  return runSync(locateSteps(text, reading, limits, isEach));
}

/** Characters of regions between two moments at which others may run; each counts as a few more. */
const STEP = 512 * 1024;
const REGION_COST = 100;

function* locateSteps(text: string, reading: Reading, limits: UrlLimits, isEach: boolean): Steps<Located> {
  if (reading.format === 'text') {
    const collector = new Collector(text, null, limits, isEach);
    yield* collectText({ value: verbatim(text, 0), whole: null }, collector);
    return collector.inOrder();
  }
  const { regions, bases } = yield* htmlRegionSteps(text);
  const own = bases.map(normaliseBase).find((candidate) => candidate !== null);
  const collector = new Collector(text, own ?? reading.base ?? null, limits, isEach);
  let done = 0;
  for (const region of regions) {
    if (region.kind !== 'text') collectRegion(region, collector);
    else if (canHoldText(region.value.text)) yield* collectText(region, collector);
    done += region.value.text.length + REGION_COST;
    if (done < STEP) continue;
    done = 0;
    yield;
  }
  return collector.inOrder();
}

/**
 * Every URL of a body, in document order; the same URL at two places is two entries. `start` and `end` are UTF-16 indexes into
 * `text` of the URL as it stands there: of the attribute's raw value in HTML, or of the URL itself. Reported are absolute
 * and scheme-relative URLs of any scheme that leads somewhere, UNC paths, and relative ones when there is a base; not
 * addresses (`mailto:`, `tel:`), parts of the message (`cid:`), fragments, or pictures inside `data:`. `normalised` is the
 * WHATWG form, cut at `urlLength`. What a link that some service rewrote leads to in the end is an entry beside it. Ask
 * `isComplete` whether the search came to the end of the text. Linear in its length. Never throws.
 */
export function findUrls(text: string, reading: Format | Reading, limits: UrlLimits): UrlInText[] {
  const { format, base = null } = typeof reading === 'string' ? { format: reading } : reading;
  return locateUrls(text, { format, base }, limits).urls;
}

/** False when the search gave up, so that there may be more. What was found is then more than any message needs. */
export function isComplete(found: readonly Pick<UrlInText, 'normalised'>[]): boolean {
  let characters = 0;
  for (const url of found) characters += url.normalised.length;
  return characters <= FOUND_CHARACTERS;
}

/** The same as a list: a URL that stands at many places once for each kind of place, and each time a link shows another. */
export function listUrls(text: string, reading: Reading, limits: UrlLimits): UrlInText[] {
  return locateUrls(text, reading, limits, false).urls;
}

/** The same in pieces, with what leads nowhere by itself. */
export function listUrlSteps(text: string, reading: Reading, limits: UrlLimits): Steps<Located<UrlInText>> {
  return locateSteps(text, reading, limits, false);
}
