/**
 * A source of URLs (a part or a file with its bytes), and the interface of the extractors that search it. An extractor names everything
 * that it could not search, and the caller makes a warning of it.
 */
import type { Unpack } from '../../../formats/archives/unpacking.ts';
import type { ReadCodes } from '../../../formats/codes/request.ts';
import type { DiscoveredUrl, UrlPlace, UrlRank } from '../../model.ts';
import { completions } from '../completed.ts';
import { normaliseUrl } from '../normalise.ts';
import { findInText, findSpelledOut } from '../text-links.ts';
import { unwrap } from '../wrappers.ts';

export interface UrlSource {
  /** The type of the bytes, and the declared one, as lower-case `type/subtype`. */
  readonly detectedType: string;
  readonly declaredType: string;
  /** The extensions of every claimed name, in lower case and without the dot. */
  readonly extensions: readonly string[];
  readonly charset: string | null;
  /** The address from which relative links of a page start, if a header gives one; else null. */
  readonly base: string | null;
  /** True when a line that ends in a space continues in the next one (RFC 3676, delsp=yes). */
  readonly isDelSp: boolean;
  /** True when bare host names in it are no links. See data-files.ts. */
  readonly isData: boolean;
  readonly bytes: Uint8Array;
}

export interface SearchLimits {
  readonly urlLength: number;
  /** Texts longer than this are not searched. */
  readonly textBytes: number;
}

/**
 * The helpers that an extractor may use. `unpack` and `readCodes` run elsewhere. Without them an extractor names what it did not search.
 */
export interface SearchTools {
  readonly limits: SearchLimits;
  readonly unpack: Unpack | null;
  readonly readCodes: ReadCodes | null;
  /** Returns milliseconds of processor time that the search of the whole message may still take. */
  workLeftMs(): number;
}

export interface Search {
  readonly urls: readonly DiscoveredUrl[];
  /** Plain words for everything that was not searched. They hold no text of the sender. */
  readonly notSearched: readonly string[];
  /** True when a text or page holds more URLs than are listed. @default false */
  readonly hasMore?: boolean;
  /** How many links of a page lead nowhere by themselves. @default 0 */
  readonly unresolved?: number;
}

export interface UrlExtractor {
  readonly name: string;
  /** Decides cheaply: it reads only types, extensions and the first bytes. */
  accepts(source: UrlSource): boolean;
  /** Searches the source. Never rejects on content. */
  find(source: UrlSource, tools: SearchTools): Promise<Search>;
}

/** The kind of place of a URL, and its rank. */
export interface Place {
  readonly where: UrlPlace;
  readonly rank: UrlRank;
}

/** Returns the URLs of one reference, as programs would open it: each spelling, followed by its unwrapped forms. Empty for no link. */
export function linkOf(untrustedReference: string, place: Place, limits: SearchLimits): DiscoveredUrl[] {
  const spellings = [untrustedReference, ...completions(untrustedReference.slice(0, limits.urlLength))];
  return distinct(spellings.flatMap((spelling) => spelledLink(spelling, place, limits)));
}

function spelledLink(untrustedReference: string, { where, rank }: Place, limits: SearchLimits): DiscoveredUrl[] {
  const normalised = normaliseUrl(untrustedReference, null, limits.urlLength);
  if (normalised === null) return [];
  const unwrapped = unwrap(normalised, limits.urlLength);
  const untrustedRaw = untrustedReference.slice(0, limits.urlLength);
  const common = { untrustedRaw, where, rank, untrustedShown: null };
  const innermost = unwrapped.at(-1);
  const outer = { ...common, normalised, unwrapped };
  return innermost === undefined ? [outer] : [outer, { ...common, normalised: innermost, unwrapped: [] }];
}

/** Returns the URLs of a text. With `isSpelledOut`, only those with a scheme. */
export function linksIn(text: string, place: Place, limits: SearchLimits, isSpelledOut = false): DiscoveredUrl[] {
  const matches = isSpelledOut ? findSpelledOut(text) : findInText(text);
  return matches.flatMap((match) => linkOf(match.url, place, limits));
}

/** Returns the URLs, each once. A file may name one in a thousand places. */
export function distinct(urls: readonly DiscoveredUrl[]): DiscoveredUrl[] {
  const byForm = new Map<string, DiscoveredUrl>();
  for (const url of urls) if (!byForm.has(url.normalised)) byForm.set(url.normalised, url);
  return [...byForm.values()];
}

/** Returns true when one of the types or extensions of a source is listed. */
export function isOneOf(source: UrlSource, types: RegExp, extensions: RegExp): boolean {
  return (
    types.test(source.detectedType) ||
    types.test(source.declaredType) ||
    source.extensions.some((name) => extensions.test(name))
  );
}
