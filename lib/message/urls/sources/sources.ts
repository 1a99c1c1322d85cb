/** The table of all kinds of files that are searched for URLs. To add a kind, write an extractor like its siblings and add its row. */
import type { DiscoveredUrl } from '../../model.ts';
import type { Search, SearchTools, UrlExtractor, UrlSource } from './source.ts';
import { calendar } from './source-calendar.ts';
import { compoundFile } from './source-compound.ts';
import { drawnCode } from './source-drawn.ts';
import { map } from './source-map.ts';
import { officePackage } from './source-office.ts';
import { page } from './source-page.ts';
import { pdf } from './source-pdf.ts';
import { picture } from './source-picture.ts';
import { richText } from './source-rich-text.ts';
import { shortcut } from './source-shortcut.ts';
import { plainText } from './source-text.ts';

export const URL_EXTRACTORS: readonly UrlExtractor[] = [
  page,
  plainText,
  map,
  calendar,
  richText,
  shortcut,
  pdf,
  officePackage,
  compoundFile,
  picture,
  drawnCode,
];

/** Returns true when an extractor searches the source. It is asked before the bytes are kept. */
export function canHoldUrls(source: UrlSource): boolean {
  return URL_EXTRACTORS.some((extractor) => extractor.accepts(source));
}

/** Returns the URLs that all extractors that accept the source find in it. A file of two kinds is searched as both. Never rejects. */
export async function searchSource(source: UrlSource, tools: SearchTools): Promise<Search> {
  const urls: DiscoveredUrl[] = [];
  const notSearched: string[] = [];
  let unresolved = 0;
  let hasMore = false;
  for (const extractor of URL_EXTRACTORS) {
    if (!extractor.accepts(source)) continue;
    if (tools.workLeftMs() <= 0) {
      notSearched.push('the time for searching URLs was over');
      break;
    }
    const found = await extractor.find(source, tools);
    for (const url of found.urls) urls.push(url);
    notSearched.push(...found.notSearched);
    unresolved += found.unresolved ?? 0;
    hasMore ||= found.hasMore === true;
  }
  return { urls, notSearched, ...(unresolved > 0 && { unresolved }), ...(hasMore && { hasMore }) };
}
