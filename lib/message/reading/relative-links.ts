/**
 * Links that mean something only together with a header: Content-Base and Content-Location (RFC 2557 §5, RFC 2110) say where a
 * page starts from. Some programs follow them, others leave such links dead, and the search for URLs sees neither.
 */

import { decodeText } from '../../formats/charsets/decode-text.ts';
import { htmlRegions } from '../urls/html.ts';
import { isRelativeUrl, normaliseBase } from '../urls/normalise.ts';
import type { PartFacts } from './part-facts.ts';

/** Bytes of such pages that are taken apart: 40 MB of links are gigabytes of places, and ordinary mail has none. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** A part as far as it matters for its links. */
export interface LocatedPart {
  readonly path: string;
  readonly parent: string | null;
  readonly facts: PartFacts;
}

/**
 * The path of a page with relative links that says, or a container around it says, where they start from; null when there is
 * none. Links to what the message carries itself, a picture with the Content-Location `logo.gif`, lead nowhere else and do
 * not count. `bytesOf` gives the decoded bytes of a leaf.
 */
export function pageWithLinksElsewhere(
  parts: ReadonlyMap<string, LocatedPart>,
  bytesOf: (path: string) => Uint8Array,
): string | null {
  const placed = [...parts.values()].filter(
    (part) => part.facts.declaredType === 'text/html' && isPlacedElsewhere(part, parts),
  );
  if (placed.length === 0) return null;
  const carried = new Set([...parts.values()].map(({ facts }) => facts.untrustedLocation));
  let budget = PAGE_BYTES;
  for (const { path, facts } of placed) {
    const bytes = bytesOf(path);
    budget -= bytes.length;
    if (budget < 0 || leadsElsewhere(decodeText(bytes, facts.charset), carried)) return path;
  }
  return null;
}

function leadsElsewhere(html: string, carried: ReadonlySet<string | null>): boolean {
  const { regions, bases } = htmlRegions(html);
  // Its own base outranks the header (RFC 2557 §5), and the search for URLs goes by it.
  if (bases.some((base) => normaliseBase(base) !== null)) return false;
  return regions.some(({ kind, value }) => kind === 'link' && isRelativeUrl(value.text) && !carried.has(value.text));
}

function isPlacedElsewhere(part: LocatedPart, parts: ReadonlyMap<string, LocatedPart>): boolean {
  for (
    let at: LocatedPart | undefined = part;
    at !== undefined;
    at = at.parent === null ? undefined : parts.get(at.parent)
  ) {
    const { untrustedBase, untrustedLocation } = at.facts;
    if ([untrustedBase, untrustedLocation].some((place) => place !== null && normaliseBase(unquoted(place)) !== null))
      return true;
  }
  return false;
}

function unquoted(place: string): string {
  return place.replace(/^[<"\s]+/, '');
}
