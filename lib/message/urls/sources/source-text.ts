/** Searches running text of any name: plain text, source code, tables. */
import { decodeText } from '../../../formats/charsets/decode-text.ts';
import { deliveredText } from '../../../formats/charsets/stained-text.ts';
import { utf32Order } from '../../../formats/charsets/utf32.ts';
import { anyOf } from '../../../formats/patterns.ts';
import { runAsync } from '../../../formats/steps.ts';
import { unflowed } from '../../encodings/flowed.ts';
import type { DiscoveredUrl } from '../../model.ts';
import { listUrlSteps } from '../find.ts';
import { distinct, isOneOf, type UrlExtractor } from './source.ts';

const TYPES = anyOf([
  /^text\/(?!html|x-amp-html|watch-html|calendar|x?-?v-?card|directory|rtf)[a-z0-9.+-]+$/,
  /^application\/(?:json|x?-?javascript|x-sh|x-powershell)$/,
  /^message\/(?:delivery-status|disposition-notification|external-body)$/,
]);
const EXTENSIONS = /^(?:txt|text|log|md|asc|csv|tsv|js|vbs|ps1|bat|cmd|json|ini|cfg)$/;
/** In flowed text with delsp=yes, the space at the end of a line is not part of the text (RFC 3676 §4.1). */
const SOFT_BREAK = / \r?\n/g;

export const plainText: UrlExtractor = {
  name: 'text',
  accepts: (source) => isOneOf(source, TYPES, EXTENSIONS),
  async find({ bytes, charset, isDelSp, isData }, { limits }) {
    const reading = { format: 'text', isData } as const;
    if (bytes.length > limits.textBytes) return { urls: [], notSearched: [`a text of ${bytes.length} bytes`] };
    const text = decodeText(bytes, charset);
    const { urls, isComplete } = await runAsync(listUrlSteps(text, reading, limits));
    // Programs that do not know delsp show the broken line, and some that know it ignore quotes. All three readings are searched.
    const joined = isDelSp ? [unflowed(text), text.replace(SOFT_BREAK, '')] : [];
    // Programs that do not know UTF-32 leave out its NULs.
    if (utf32Order(bytes) !== null)
      joined.push(
        decodeText(
          bytes.filter((byte) => byte !== 0),
          charset,
        ),
      );
    const delivered = deliveredText(bytes);
    if (delivered !== null) {
      const plain = decodeText(delivered, charset);
      joined.push(plain, ...(isDelSp ? [unflowed(plain), plain.replace(SOFT_BREAK, '')] : []));
    }
    const known = new Set(urls.map(({ normalised }) => normalised));
    const more: DiscoveredUrl[] = [];
    let hasMore = !isComplete;
    for (const each of joined) {
      const other = await runAsync(listUrlSteps(each, reading, limits));
      hasMore ||= !other.isComplete;
      for (const url of other.urls) if (!known.has(url.normalised)) more.push(url);
    }
    return { urls: [...urls, ...distinct(more)], notSearched: [], ...(hasMore && { hasMore }) };
  },
};
