/** Running text, whatever it is called: plain text, source code, tables. */
import { decodeText } from '../text.ts';
import { inTurns } from '../turns.ts';
import { listUrlSteps } from './find.ts';
import { isOneOf, linksIn, type UrlExtractor } from './source.ts';

const TYPES =
  /^(?:text\/(?!html|x-amp-html|watch-html|calendar|x?-?v-?card|directory|rtf)[a-z0-9.+-]+|application\/(?:json|x?-?javascript|x-sh)|message\/(?:delivery-status|disposition-notification|external-body))$/;
const EXTENSIONS = /^(?:txt|text|log|md|asc|csv|tsv|js|vbs|ps1|bat|cmd|json|ini|cfg)$/;
/** Flowed text with delsp=yes: the space at the end of a line is no part of the text (RFC 3676 §4.1). */
const SOFT_BREAK = / \r?\n/g;

export const plainText: UrlExtractor = {
  name: 'text',
  accepts: (source) => isOneOf(source, TYPES, EXTENSIONS),
  async find({ bytes, charset, isDelSp }, { limits }) {
    if (bytes.length > limits.textBytes) return { urls: [], notSearched: [`a text of ${bytes.length} bytes`] };
    const text = decodeText(bytes, charset);
    const urls = await inTurns(listUrlSteps(text, { format: 'text' }, limits));
    // Programs that do not know delsp show the broken line: both are looked at.
    const joined = isDelSp ? linksIn(text.replace(SOFT_BREAK, ''), { where: 'text', rank: 2 }, limits) : [];
    return { urls: [...urls, ...joined], notSearched: [] };
  },
};
