/**
 * Finds URLs that overlap. Programs differ in where a URL begins and ends, so a URL that shares a character with a blocked one is
 * blocked.
 */
import type { Span } from './html/mapped.ts';

interface Placed extends Span {
  readonly whole: Span | null;
  readonly stretches: readonly Span[] | null;
}

/** Returns the URLs for which `isTaken` is true, and all that share a character with them, directly or through others. Keeps the order. */
export function withOverlapping<Url extends Placed>(urls: readonly Url[], isTaken: (url: Url) => boolean): Url[] {
  const taken = urls.map(isTaken);
  if (!taken.includes(true)) return [];
  const groupOf = Int32Array.from(urls, (_, index) => index);
  const rootOf = (index: number): number => {
    let at = index;
    while (groupOf[at] !== at) {
      groupOf[at] = groupOf[groupOf[at] ?? at] ?? at;
      at = groupOf[at] ?? at;
    }
    return at;
  };
  const places = urls.flatMap((url, index) => spansOf(url).map(({ start, end }) => ({ start, end, index })));
  places.sort((left, right) => left.start - right.start);
  let end = -1;
  let last = 0;
  for (const place of places) {
    if (place.start < end) groupOf[rootOf(place.index)] = rootOf(last);
    end = Math.max(end, place.end);
    last = place.index;
  }
  const groups = new Set(urls.flatMap((_, index) => (taken[index] ? [rootOf(index)] : [])));
  return urls.filter((_, index) => groups.has(rootOf(index)));
}

function spansOf({ whole, stretches, start, end }: Placed): readonly Span[] {
  return whole === null ? (stretches ?? [{ start, end }]) : [whole];
}
