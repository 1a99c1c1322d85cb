/** URLs in bytes nobody parses here: strings in 8-bit and 16-bit letters. */
import { createLinkSet, type LinkSet } from './link-set.ts';
import type { Place, SearchLimits } from './source.ts';
import { findInText } from './text-links.ts';

/** A run of printable characters long enough for a URL. Everything else ends one. */
const PRINTABLE = /[\x20-\x7e\xa1-\uffef]{7,}/g;
const SPELLED_OUT = /[a-z]:[\\/]{2}|\\\\[a-z0-9]/i;
/** Names of vocabularies that are in nearly every document; nothing opens them. */
const VOCABULARY =
  /^https?:\/\/(?:schemas\.(?:openxmlformats\.org|microsoft\.com|xmlsoap\.org)|www\.w3\.org|purl\.org|ns\.adobe\.com|purl\.oclc\.org|docs\.oasis-open\.org)(?:\/|$)/i;

/** True for the name of a vocabulary that looks like a link. */
function isVocabulary(url: string): boolean {
  return VOCABULARY.test(url);
}

/** A set for what is written somewhere in a file, which names vocabularies, too. */
export function linksWritten(limits: SearchLimits): LinkSet {
  return createLinkSet(limits, (url) => !isVocabulary(url));
}

/** URLs with a scheme, and shares, wherever they stand in the bytes, into a set of `linksWritten`. Linear. */
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
