/**
 * Finds relative links that a header completes: Content-Base and Content-Location (RFC 2557 §5, RFC 2110) give the address from which the
 * links of a page start. Some programs follow these headers and others do not, so the page is reported.
 */
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { htmlRegions } from '../urls/html/html.ts';
import { isRelativeUrl, normaliseBase } from '../urls/normalise.ts';
import type { PartFacts } from './part-facts.ts';

/** Bytes of such pages that are searched. Ordinary mail has no such page, and taking 40 MB of links apart would need gigabytes. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** The properties of a part that this search needs. */
export interface LocatedPart {
  readonly path: string;
  readonly parent: string | null;
  readonly facts: PartFacts;
}

/**
 * Returns the path of the first page with relative links whose start is given by its own header, or by a container around it. Returns null
 * when there is none. Links to parts of the message itself do not count: a picture may have the Content-Location `logo.gif`. `bytesOf`
 * gives the decoded bytes of a leaf.
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

function leadsElsewhere(html: string, carried: ReadonlySet<string | null>): boolean {
  const { regions, bases } = htmlRegions(html);
  // The page's own base outranks the header (RFC 2557 §5), and the search for URLs uses it.
  if (bases.some((base) => normaliseBase(base) !== null)) return false;
  return regions.some(({ kind, value }) => kind === 'link' && isRelativeUrl(value.text) && !carried.has(value.text));
}
