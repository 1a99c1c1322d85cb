/** Sorts URLs in the order of their text, and keeps each once per place. */

interface Place {
  readonly start: number;
  readonly end: number;
  readonly normalised: string;
}

/** A place with more URLs than this gets a lookup table, because all URLs of a `data:` document have one place. */
const FEW = 8;

/** Returns the URLs in document order. A URL that two searches found at the same place is kept once. */
export function inDocumentOrder<T extends Place>(found: T[]): T[] {
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  const distinct: T[] = [];
  let from = 0;
  let seen: Set<string> | null = null;
  for (const url of found) {
    if (distinct[from]?.start !== url.start) {
      from = distinct.length;
      seen = null;
    }
    if (seen === null && distinct.length - from > FEW) seen = new Set(distinct.slice(from).map(keyOf));
    if (seen === null ? isListed(distinct, from, url) : seen.has(keyOf(url))) continue;
    seen?.add(keyOf(url));
    distinct.push(url);
  }
  return distinct;
}

const keyOf = (url: Place) => `${url.end} ${url.normalised}`;

function isListed(distinct: readonly Place[], from: number, url: Place): boolean {
  for (let at = from; at < distinct.length; at++) {
    const other = distinct[at];
    if (other?.end === url.end && other.normalised === url.normalised) return true;
  }
  return false;
}
