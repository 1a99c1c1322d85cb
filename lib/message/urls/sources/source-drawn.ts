/** Searches texts and pages for codes that are drawn with characters, cells or shapes. The codes are read elsewhere. */
import { decodeText } from '../../../formats/charsets/decode-text.ts';
import type { DiscoveredUrl } from '../../model.ts';
import { bitmapOf, looksLikeCode } from '../drawn/drawing.ts';
import { drawingsInPage } from '../drawn/page-drawings.ts';
import { drawingsInText } from '../drawn/text-drawings.ts';
import { linksOfCodes } from './codes.ts';
import { distinct, type UrlExtractor } from './source.ts';
import { page } from './source-page.ts';
import { plainText } from './source-text.ts';

/** Drawings of one file that are read as codes. A text with more of them could keep the reader busy for as long as the sender likes. */
const MAX_DRAWINGS = 20;

export const drawnCode: UrlExtractor = {
  name: 'drawn code',
  accepts: (source) => !source.isData && (page.accepts(source) || plainText.accepts(source)),
  async find(source, tools) {
    if (source.bytes.length > tools.limits.textBytes) return { urls: [], notSearched: [] };
    const text = decodeText(source.bytes, source.charset);
    const urls: DiscoveredUrl[] = [];
    const notSearched: string[] = [];
    let count = 0;
    for (const squares of page.accepts(source) ? drawingsInPage(text) : drawingsInText(text)) {
      if (squares !== null && !looksLikeCode(squares)) continue;
      if (squares === null || ++count > MAX_DRAWINGS) {
        notSearched.push('the drawings of a page or a text to their end, for codes');
        break;
      }
      const found = await linksOfCodes({ kind: 'picture', bytes: bitmapOf(squares) }, tools);
      urls.push(...found.urls);
      notSearched.push(...found.notSearched);
    }
    return { urls: distinct(urls), notSearched };
  },
};
