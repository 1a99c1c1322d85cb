/** Finds URLs in bytes that nothing here parses: in strings of 8-bit and 16-bit letters. */
import { createLinkSet, type LinkSet } from '../link-set.ts';
import { findInText } from '../text-links.ts';
import type { Place, SearchLimits } from './source.ts';

/** A run of printable characters that is long enough for a URL. Every other character ends it. */
const PRINTABLE = /[\x20-\x7e\xa1-\uffef]{7,}/g;
const SPELLED_OUT = /[a-z]:[\\/]{2}|\\\\[a-z0-9]/i;
/** Names of vocabularies. Nearly every document has some, and no program opens them. */
const VOCABULARY =
  /^https?:\/\/(?:schemas\.(?:openxmlformats\.org|microsoft\.com|xmlsoap\.org)|www\.w3\.org|purl\.org|ns\.adobe\.com|purl\.oclc\.org|docs\.oasis-open\.org)(?:\/|$)/i;

/** Returns true for the name of a vocabulary that looks like a link. */
function isVocabulary(url: string): boolean {
  return VOCABULARY.test(url);
}

/** Makes an empty set for links that are merely written in a file. It leaves out names of vocabularies. */
export function linksWritten(limits: SearchLimits): LinkSet {
  return createLinkSet(limits, (url) => !isVocabulary(url));
}

/** Adds URLs with a scheme, and shares, to a set of `linksWritten`, from any place in the bytes. Linear. */
export function findInBinary(bytes: Buffer, place: Place, links: LinkSet): void {
  const views = [bytes.toString('latin1'), bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le')];
  for (const view of views) {
    if (!SPELLED_OUT.test(view)) continue;
    for (const run of view.matchAll(PRINTABLE)) {
      if (!SPELLED_OUT.test(run[0])) continue;
      for (const { url } of findInText(run[0])) if (SPELLED_OUT.test(url)) links.add(url, place);
      if (links.isFull()) return;
    }
  }
}
