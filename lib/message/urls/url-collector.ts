/** Collects the URLs of one text in the form that is reported. */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { URL_PLACES, type UrlInText, type UrlPlace, type UrlRank } from '../model.ts';
import { inDocumentOrder } from './html/document-order.ts';
import type { MappedText, Span, Stretch, TextMatch } from './html/mapped.ts';
import { showsAnother } from './html/shown.ts';
import { isNormal, isUnresolved, normaliseUrl } from './normalise.ts';
import { unwrap } from './wrappers.ts';

/** `urlLength`: characters kept of one URL, raw and normalised. Megabytes of one URL would fill ledger and service. */
export interface UrlLimits {
  readonly urlLength: number;
}

/** A URL, and the range to replace to remove it. */
export interface LocatedUrl extends UrlInText {
  /** The attribute value that is replaced as a whole. Null when only [start, end) is replaced. */
  readonly whole: Span | null;
  /** The pieces of a URL that tags cut. Null for a URL in one piece, and in a list, from which nothing is removed. */
  readonly stretches: readonly Stretch[] | null;
}

/** The URLs of a text, and the attributes that lead nowhere by themselves, because a mail has no address of its own to start from. */
export interface Located<Url = LocatedUrl> {
  readonly urls: Url[];
  readonly unresolved: readonly Span[];
  /** False when the search gave up, so that the text may hold more URLs. */
  readonly isComplete: boolean;
}

/** The place of a match. `shown` is the text of its link, if it has one. */
export interface FoundAt {
  readonly where: UrlPlace;
  readonly rank: UrlRank;
  readonly whole: Span | null;
  readonly stretches?: readonly Stretch[] | null;
  readonly shown?: string;
}

/** The URL behind one spelling. */
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
 * Characters of normalised URLs found in one text before the search gives up. A megabyte of short relative links behind a `<base>`
 * of 8,000 characters would be gigabytes of URLs.
 */
const FOUND_CHARACTERS = 8 * 1024 * 1024;

/**
 * Matches of one text before the search gives up, with repetitions. A text of 16 MiB, the longest that is searched, holds as many only when
 * every 50 characters make a link. A flood of short hosts costs most of its time after this many.
 */
export const MAX_MATCHES = 300_000;

/** Puts matches into the form that is reported. It remembers what it normalised, because a text may have one URL a million times. */
export class UrlCollector {
  readonly unresolved: Span[] = [];
  private readonly found: LocatedUrl[] = [];
  private readonly known = new Map<string, Known | null>();
  private readonly dead = new Map<string, boolean>();
  private characters = 0;
  private matches = 0;
  readonly isEach: boolean;
  /** True when bare host names do not count. */
  readonly isData: boolean;

  /** Makes a collector. With `isEach`, every place of a URL is kept. Otherwise a URL is kept once per kind of place and rank. */
  constructor(
    private readonly text: string,
    readonly base: string | null,
    private readonly limits: UrlLimits,
    { isEach, isData }: { readonly isEach: boolean; readonly isData: boolean },
  ) {
    this.isEach = isEach;
    this.isData = isData;
  }

  /**
   * Adds a match. The innermost URL of a rewritten link becomes an entry of its own at the same place, because it is judged by itself.
   * Returns that URL, or null when the link was not rewritten.
   */
  add(
    value: MappedText,
    match: TextMatch,
    { where, rank, whole, stretches = null, shown = '' }: FoundAt,
  ): string | null {
    this.matches += 1;
    if (this.isFull()) return null;
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
    return parseUrl(innermost) === null ? null : innermost;
  }

  /** Returns true when the search gave up: it takes no more matches. */
  isFull(): boolean {
    return this.matches > MAX_MATCHES || this.characters > FOUND_CHARACTERS;
  }

  /** Gives up the search, because the rest would be a flood. */
  giveUp(): void {
    this.matches = MAX_MATCHES + 1;
  }

  /**
   * Returns true for a link that leads nowhere in a mail: see `isUnresolved`. The result is remembered, because a page may repeat one link.
   */
  leadsNowhere(url: string): boolean {
    if (url.length > this.limits.urlLength) return isUnresolved(url, this.base);
    // Most links are whole addresses. A page repeats few of them.
    if (isNormal(url)) return false;
    const known = this.dead.get(url) ?? isUnresolved(url, this.base);
    this.dead.set(url, known);
    return known;
  }

  /** Returns the URLs in document order, each once per place. */
  inOrder(): Located {
    return { urls: inDocumentOrder(this.found), unresolved: this.unresolved, isComplete: !this.isFull() };
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

  /** A page can name one URL a million times. In a list, once per place and rank is enough. */
  private wasFound(known: Known, where: UrlPlace, rank: UrlRank): boolean {
    if (this.isEach) return false;
    const bit = 1 << (URL_PLACES.indexOf(where) * RANKS + rank);
    const isSeen = (known.found & bit) !== 0;
    known.found |= bit;
    return isSeen;
  }
}
