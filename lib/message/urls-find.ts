/** Every URL of a text or HTML body, where it stands, in the one form it is known by. */
import type { UrlInText } from './model.ts';
import type { Region } from './urls-attributes.ts';
import { decodeCss, findInCss } from './urls-css.ts';
import { htmlRegions } from './urls-html.ts';
import { type MappedText, type Span, verbatim } from './urls-mapped.ts';
import { normaliseBase, normaliseUrl } from './urls-normalise.ts';
import { findInText, findSpelledOut, type TextMatch } from './urls-text.ts';

/** `urlLength`: characters kept of one URL, raw and normalised. Megabytes of one URL would fill ledger and service. */
export interface UrlLimits {
  readonly urlLength: number;
}

/** A URL together with what has to be replaced to take it out. */
export interface LocatedUrl extends UrlInText {
  /** The attribute value that goes as a whole; null when only [start, end) goes. */
  readonly whole: Span | null;
}

type Format = 'html' | 'text';

/**
 * A megabyte of short relative links behind a `<base>` of 8,000 characters is gigabytes of URLs: characters of normalised
 * URLs found in one text before the search gives up.
 */
const FOUND_CHARACTERS = 8 * 1024 * 1024;

/** Puts found matches into the form that is reported. Normalising is remembered: one URL may stand there a million times. */
class Collector {
  readonly found: LocatedUrl[] = [];
  private readonly known = new Map<string, string | null>();
  private characters = 0;

  constructor(
    private readonly text: string,
    private readonly base: string | null,
    private readonly limits: UrlLimits,
  ) {}

  add(value: MappedText, match: TextMatch, where: UrlInText['where'], whole: Span | null): void {
    const normalised = this.normalise(match.url);
    if (normalised === null || this.characters > FOUND_CHARACTERS) return;
    this.characters += normalised.length;
    const span = value.spanOf(match.start, match.end);
    const untrustedRaw = this.text.slice(span.start, Math.min(span.end, span.start + this.limits.urlLength));
    this.found.push({ untrustedRaw, normalised, where, start: span.start, end: span.end, whole });
  }

  private normalise(url: string): string | null {
    if (this.characters > FOUND_CHARACTERS) return null;
    const known = this.known.get(url);
    if (known !== undefined) return known;
    const normalised = normaliseUrl(url, this.base, this.limits.urlLength);
    this.known.set(url, normalised);
    return normalised;
  }
}

function collectLink(region: Region, collector: Collector): void {
  const { value, whole } = region;
  const url = value.text;
  collector.add(value, { url, start: 0, end: url.length }, 'attribute', whole);
  const leading = url.search(/[^\s\0-\x20`'"]/);
  for (const match of findSpelledOut(url)) {
    if (match.start > leading) collector.add(value, withoutOuterParameters(match), 'attribute', whole);
  }
}

/** A URL carried unencoded in the query of another ends where the next parameter of the outer one begins. */
function withoutOuterParameters(match: TextMatch): TextMatch {
  const url = /^[^?&]*(?=&)/.exec(match.url)?.[0] ?? match.url;
  return { url, start: match.start, end: match.start + url.length };
}

function collectRegion(region: Region, collector: Collector): void {
  if (region.kind === 'link') {
    collectLink(region, collector);
    return;
  }
  const value = region.kind === 'css' ? decodeCss(region.value) : region.value;
  const find = { css: findInCss, text: findInText, code: findSpelledOut }[region.kind];
  for (const match of find(value.text)) {
    collector.add(value, match, region.kind === 'css' ? 'css' : 'text', region.whole);
  }
}

/** Every URL with what has to be replaced to take it out, in document order. Never throws. */
export function locateUrls(text: string, format: Format, limits: UrlLimits): LocatedUrl[] {
  if (format === 'text') {
    const collector = new Collector(text, null, limits);
    collectRegion({ kind: 'text', value: verbatim(text, 0), whole: null }, collector);
    return inOrder(collector.found);
  }
  const { regions, bases } = htmlRegions(text);
  const base = bases.map(normaliseBase).find((candidate) => candidate !== null) ?? null;
  const collector = new Collector(text, base, limits);
  for (const region of regions) collectRegion(region, collector);
  return inOrder(collector.found);
}

/**
 * Document order, without what two ways of looking found at the same place. Once the search gave up everything stays: the
 * budget counted repeats too, and without them the rest would pass for all there is.
 */
function inOrder(found: readonly LocatedUrl[]): LocatedUrl[] {
  const sorted = [...found].sort((left, right) => left.start - right.start || right.end - left.end);
  if (!isComplete(found)) return sorted;
  const seen = new Set<string>();
  return sorted.filter((url) => {
    const key = `${url.start} ${url.end} ${url.normalised}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** False when the search gave up, so that there may be more. What was found is then more than any message needs. */
export function isComplete(found: readonly UrlInText[]): boolean {
  let characters = 0;
  for (const url of found) characters += url.normalised.length;
  return characters <= FOUND_CHARACTERS;
}

/**
 * Every URL of a body, in document order; the same URL at two places is two entries. `start` and `end` are UTF-16 indexes into
 * `text` of the URL as it stands there: of the attribute's raw value in HTML, or of the URL itself. Reported are absolute
 * and scheme-relative URLs of any scheme that leads somewhere, UNC paths, and relative ones when there is a `<base>`; not
 * addresses (`mailto:`, `tel:`), parts of the message (`cid:`), fragments, or pictures inside `data:`. `normalised` is the
 * WHATWG form, cut at `urlLength`. Ask `isComplete` whether the search came to the end of the text. Linear in the length of the text. Never throws.
 */
export function findUrls(text: string, format: Format, limits: UrlLimits): UrlInText[] {
  return locateUrls(text, format, limits).map(({ whole: _, ...url }) => url);
}
