/** Searches pages and files that are written like one: HTML, XHTML, AMP, SVG, XML, saved pages. */
import { decodeText } from '../../../formats/charsets/decode-text.ts';
import { runAsync } from '../../../formats/steps.ts';
import { listUrlSteps } from '../find.ts';
import { isOneOf, type UrlExtractor } from './source.ts';

const TYPES =
  /^(?:text\/(?:html|x-amp-html|watch-html|x-html|xml|xsl|enriched|richtext)|application\/xml|[a-z]+\/[a-z0-9.-]+\+xml|application\/vnd\.oasis\.opendocument\.[a-z]{1,20}-flat-xml|image\/svg)$/;
const EXTENSIONS = /^(?:x?html?|shtml?|xht|svg|mhtml?|hta|xml|xslt?|asp|php|jsp|fod[tspg])$/;

export const page: UrlExtractor = {
  name: 'page',
  // The pages of a web archive are searched one by one, decoded.
  accepts: (source) => source.detectedType !== 'multipart/related' && isOneOf(source, TYPES, EXTENSIONS),
  async find({ bytes, charset, base, isData }, { limits }) {
    if (bytes.length > limits.textBytes) return { urls: [], notSearched: [`a page of ${bytes.length} bytes`] };
    const { urls, unresolved, isComplete } = await runAsync(
      listUrlSteps(decodeText(bytes, charset), { format: 'html', base, isData }, limits),
    );
    return { urls, notSearched: [], unresolved: unresolved.length, ...(!isComplete && { hasMore: true }) };
  },
};
