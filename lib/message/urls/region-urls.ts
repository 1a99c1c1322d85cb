/** Finds the URLs of one stretch of a text or page, by the kind of the stretch. */
import type { Steps } from '../../formats/steps.ts';
import { completions } from './completed.ts';
import type { Region } from './html/attributes.ts';
import { asSeen } from './html/bidi.ts';
import { asBrowsersRead, differently } from './html/browser-form.ts';
import { decodeCss, findInCss } from './html/css.ts';
import { canBeDefanged, findDefanged } from './html/find-defanged.ts';
import { type MappedText, type TextMatch, without } from './html/mapped.ts';
import { INVISIBLE } from './invisible.ts';
import { canHoldLinks, findInText, findSpelledOut, isFlood, matchesInText } from './text-links.ts';
import { sharesInUrl } from './unc-paths.ts';
import { type FoundAt, MAX_MATCHES, type UrlCollector } from './url-collector.ts';

/** Collects the URLs of one stretch, in pieces. */
export function* collectRegion(region: Region, collector: UrlCollector): Steps<void> {
  if (region.kind === 'link') collectLink(region, collector);
  else if (region.kind === 'cut') collectCutWord(region, collector);
  else if (region.kind === 'css') collectCss(region, collector);
  else if (region.kind === 'code') collectCode(region, collector);
  else if (canHoldText(region.value.text)) yield* collectText(region, collector);
}

/** Text before a URL in an attribute that browsers ignore. */
const LEADING = /[^\s\0-\x20`'"]/;

function collectLink(region: Region, collector: UrlCollector): void {
  const { value, whole } = region;
  const url = value.text;
  const rank = region.isFetched ? 1 : 0;
  const shown = region.linkText?.text ?? '';
  const innermost = collector.add(
    value,
    { url, start: 0, end: url.length },
    { where: 'attribute', rank, whole, shown },
  );
  const others = completions(url);
  for (const other of others)
    collector.add(value, { url: other, start: 0, end: url.length }, { where: 'attribute', rank, whole });
  // A reference that is fetched without a click and names no host leads only to parts of the message.
  const isDead = collector.leadsNowhere(url) && (others.length > 0 || !region.isFetched);
  if (isDead && whole !== null) collector.unresolved.push(whole);
  if (url.includes('\\') || url.includes('%'))
    for (const match of sharesInUrl(url)) collector.add(value, match, { where: 'attribute', rank, whole });
  // Most links contain no other link. Looking for a second scheme is cheaper than taking the value apart.
  if (!url.includes(':', 7) && !/%(?:25){0,3}3a/i.test(url)) return;
  const leading = url.search(LEADING);
  const target = innermost === null ? '' : new URL(innermost).host;
  // A URL that was unwrapped is not reported again with the wrapping around it.
  for (const match of findSpelledOut(url))
    if (match.start > leading && (target === '' || !match.url.includes(target)))
      collector.add(value, withoutOuterParameters(match), { where: 'attribute', rank: 2, whole });
}

/** A URL carried unencoded in the query of another ends where the next parameter of the outer one begins. */
function withoutOuterParameters(match: TextMatch): TextMatch {
  const url = /^[^?&]*(?=&)/.exec(match.url)?.[0] ?? match.url;
  return { url, start: match.start, end: match.start + url.length };
}

function collectCutWord(region: Region, collector: UrlCollector): void {
  for (const match of findInText(region.value.text)) {
    if (collector.isData && isBare(region.value.text, match)) continue;
    if (!region.value.isCut(match.start, match.end)) continue;
    const stretches = collector.isEach ? region.value.stretchesOf(match.start, match.end) : null;
    collector.add(region.value, match, { where: 'text', rank: 2, whole: region.whole, stretches });
  }
}

function collectCss(region: Region, collector: UrlCollector): void {
  const value = decodeCss(region.value);
  for (const match of findInCss(value.text, MAX_MATCHES))
    collector.add(value, match, { where: 'css', rank: 1, whole: region.whole });
}

function collectCode(region: Region, collector: UrlCollector): void {
  for (const match of findSpelledOut(region.value.text))
    collector.add(region.value, match, { where: 'text', rank: 2, whole: region.whole });
}

/** Returns false for most texts of a page, which hold nothing that looks like a part of a URL. */
function canHoldText(text: string): boolean {
  return canHoldLinks(text) || text.search(INVISIBLE) >= 0 || canBeDefanged(text);
}

/**
 * Collects the URLs of running text, in pieces: as written, without invisible characters, in the order in which it is seen, as browsers
 * read it, and defanged.
 */
export function* collectText(region: Pick<Region, 'value' | 'whole'>, collector: UrlCollector): Steps<void> {
  const found = { where: 'text', rank: 2, whole: region.whole } as const;
  if (isFlood(region.value.text)) return collector.giveUp();
  yield* addAll(collector, region.value, matchesInText(region.value.text), found);
  const visible = without(region.value, INVISIBLE);
  if (visible !== region.value) yield* addAll(collector, visible, matchesInText(visible.text), found);
  const seen = asSeen(region.value);
  if (seen !== null) yield* addAll(collector, seen, matchesInText(seen.text), found);
  const read = asBrowsersRead(visible);
  if (read !== visible) yield* addAll(collector, read, differently(read, matchesInText(read.text)), found);
  if (collector.isFull() || !canBeDefanged(visible.text)) return;
  const { value, matches } = findDefanged(visible);
  yield* addAll(collector, value, matches, { ...found, where: 'respelled', rank: 3 });
}

function* addAll(
  collector: UrlCollector,
  value: MappedText,
  matches: Iterable<TextMatch | null>,
  found: FoundAt,
): Steps<void> {
  for (const match of matches)
    if (collector.isFull()) return;
    else if (match === null) yield;
    else if (!collector.isData || !isBare(value.text, match)) collector.add(value, match, found);
}

/** Returns true for a host name without a scheme and without the first letters by which programs link one (`www.`, `ftp.`). */
function isBare(text: string, { url, start }: TextMatch): boolean {
  return url.startsWith('http://') && !/^(?:http|www\.|ftp\.)/i.test(text.slice(start, start + 4));
}
