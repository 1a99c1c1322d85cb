/** Finds every URL of a text or HTML body, with its place and its normalised form. */
import { runSync, type Steps } from '../../formats/steps.ts';
import type { UrlInText } from '../model.ts';
import { htmlRegionSteps } from './html/html.ts';
import { verbatim } from './html/mapped.ts';
import { normaliseBase } from './normalise.ts';
import { collectRegion, collectText } from './region-urls.ts';
import { type Located, UrlCollector, type UrlLimits } from './url-collector.ts';

export type Format = 'html' | 'text';

/** The way in which a text is read. `base` is the address from which its relative links start, when a header of its part gives one. */
export interface Reading {
  readonly format: Format;
  readonly base?: string | null;
  /** True for a file whose reader links no bare host names. See data-files.ts. @default false */
  readonly isData?: boolean;
}

/**
 * Finds every URL of a body, in document order; the same URL at two places is two entries. `start` and `end` are UTF-16 indexes into
 * `text`. They enclose the raw value of the attribute in HTML, or the URL itself in text.
 *
 * Reported are absolute and scheme-relative URLs of any scheme that leads somewhere, UNC paths, and relative URLs when there is a
 * base. Not reported are addresses (`mailto:`, `tel:`), parts of the message (`cid:`), fragments, and pictures inside `data:`.
 * `normalised` is the WHATWG form, cut at `urlLength`. The final target of a link that a service rewrote is an entry beside it.
 *
 * `locateUrls` also says whether the search reached the end of the text. Linear in its length. Never throws.
 */
export function findUrls(text: string, reading: Format | Reading, limits: UrlLimits): UrlInText[] {
  return locateUrls(text, typeof reading === 'string' ? { format: reading } : reading, limits).urls;
}

/**
 * Returns the URLs of a body as a list, in pieces, with the attributes that lead nowhere by themselves. A URL that occurs at many places is
 * listed once for each kind of place, and once for each address that a link shows.
 */
export function listUrlSteps(text: string, reading: Reading, limits: UrlLimits): Steps<Located<UrlInText>> {
  return locateSteps(text, reading, limits, false);
}

/**
 * Returns every URL with the range to replace to remove it, in document order. With `isEach`, every place of a URL is returned, and not
 * only its first one of each kind. Never throws.
 */
export function locateUrls(text: string, reading: Reading, limits: UrlLimits, isEach = true): Located {
  return runSync(locateSteps(text, reading, limits, isEach));
}

/** Characters of regions after which other work may run. Each region counts as a few more. */
const STEP = 512 * 1024;
const REGION_COST = 100;

function* locateSteps(text: string, reading: Reading, limits: UrlLimits, isEach: boolean): Steps<Located> {
  const { isData = false } = reading;
  if (reading.format === 'text') {
    const collector = new UrlCollector(text, null, limits, { isEach, isData });
    yield* collectText({ value: verbatim(text, 0), whole: null }, collector);
    return collector.inOrder();
  }
  const { regions, bases } = yield* htmlRegionSteps(text);
  const own = firstBase(bases);
  const collector = new UrlCollector(text, own ?? reading.base ?? null, limits, { isEach, isData });
  // A base that counts may follow.
  if (own === null && bases.length > MAX_BASES) collector.giveUp();
  let done = 0;
  for (const region of regions) {
    if (collector.isFull()) break;
    yield* collectRegion(region, collector);
    done += region.value.text.length + REGION_COST;
    if (done < STEP) continue;
    done = 0;
    yield;
  }
  return collector.inOrder();
}

/** The most values of `<base href>` that are read. A page may name a million that are none. */
const MAX_BASES = 1_000;

function firstBase(bases: readonly string[]): string | null {
  for (const candidate of bases.slice(0, MAX_BASES)) {
    const base = normaliseBase(candidate);
    if (base !== null) return base;
  }
  return null;
}
