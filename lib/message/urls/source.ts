/**
 * What can hold URLs: a part or a file with its bytes, and the extractors that look into it. One table row per kind of file;
 * what an extractor could not look at it says, and the caller makes a warning of it.
 */
import type { Unpack } from '../../formats/archives/unpacking.ts';
import type { ReadCodes } from '../../formats/codes/code-request.ts';
import type { DiscoveredUrl, UrlPlace, UrlRank } from '../model.ts';
import { completions } from './completed.ts';
import { normaliseUrl } from './normalise.ts';
import { findInText, findSpelledOut } from './text-links.ts';
import { unwrap } from './wrappers.ts';

export interface UrlSource {
  /** Of the bytes, and as declared; lower-case `type/subtype`. */
  readonly detectedType: string;
  readonly declaredType: string;
  /** Extensions of every name claimed, lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly charset: string | null;
  /** What relative links of a page start from, as a header says; else null. */
  readonly base: string | null;
  /** Lines of the text go on in the next one where they end in a space (RFC 3676, delsp=yes). */
  readonly isDelSp: boolean;
  readonly bytes: Uint8Array;
}

export interface SearchLimits {
  readonly urlLength: number;
  /** Texts longer than this are not searched. */
  readonly textBytes: number;
}

/** What an extractor may use. `unpack` and `codes` work elsewhere; without them it says what it did not look at. */
export interface SearchTools {
  readonly limits: SearchLimits;
  readonly unpack: Unpack | null;
  readonly readCodes: ReadCodes | null;
  /** Milliseconds that the search of the whole message may still take. */
  timeLeftMs(): number;
}

export interface Search {
  readonly urls: readonly DiscoveredUrl[];
  /** Plain words for everything that was not searched; no text of the sender. */
  readonly notSearched: readonly string[];
  /** Links of a page that lead nowhere by themselves. @default none */
  readonly unresolved?: number;
}

export interface UrlExtractor {
  readonly name: string;
  /** Cheap: looks at types, extensions and the first bytes. */
  accepts(source: UrlSource): boolean;
  /** Never rejects on content. */
  find(source: UrlSource, tools: SearchTools): Promise<Search>;
}

/** Everything an extractor finds in one source is found at one place of the message. */
export interface Place {
  readonly where: UrlPlace;
  readonly rank: UrlRank;
}

/** One reference, as whatever opens it would read it: the URL, and behind it what it was rewritten from. Empty for no link. */
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

/** URLs of a text. `isSpelledOut`: only those with their scheme. */
export function linksIn(text: string, place: Place, limits: SearchLimits, isSpelledOut = false): DiscoveredUrl[] {
  const matches = isSpelledOut ? findSpelledOut(text) : findInText(text);
  return matches.flatMap((match) => linkOf(match.url, place, limits));
}

/** The same URL once; a file may name it in a thousand places. */
export function distinct(urls: readonly DiscoveredUrl[]): DiscoveredUrl[] {
  const byForm = new Map<string, DiscoveredUrl>();
  for (const url of urls) if (!byForm.has(url.normalised)) byForm.set(url.normalised, url);
  return [...byForm.values()];
}

/** True when one of the types or extensions of a source is listed. */
export function isOneOf(source: UrlSource, types: RegExp, extensions: RegExp): boolean {
  return (
    types.test(source.detectedType) ||
    types.test(source.declaredType) ||
    source.extensions.some((name) => extensions.test(name))
  );
}
