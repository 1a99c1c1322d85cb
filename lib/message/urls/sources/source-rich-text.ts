/** Searches Rich Text Format: HYPERLINK, INCLUDEPICTURE and other fields, templates, and links inside embedded objects. */

import { createLinkSet, searchOf } from '../link-set.ts';
import { findInBinary, linksWritten } from './binary.ts';
import { isOneOf, type UrlExtractor } from './source.ts';

const TYPES = /^(?:application|text)\/(?:x-)?rtf$/;
const EXTENSIONS = /^(?:rtf|dot|wbk)$/;
/** Word reads a file that begins so as RTF, under any name. */
const BEGINNING = /^[\s\ufeff]{0,100}\{\\rt/;
const FIELD =
  /(?:HYPERLINK|INCLUDEPICTURE|INCLUDETEXT|IMPORT|LINK|DDEAUTO|DDE)\s+(?:\\[a-z]\s+)*"?([^"\r\n{}]{4,4000})/gi;
/** Objects are written as hexadecimal digits, with white space between them. */
const HEX_RUN = /(?:[0-9a-f]{2}\s*){32,}/gi;
const CONTROL = /\\(?:'([0-9a-f]{2})|u(-?\d{1,6}) ?(?:\\'[0-9a-f]{2}|\?)?|([a-z]{1,32})(-?\d{1,10})? ?|([^a-z]))/gi;
/** Control words that end a word of the text. All others may occur inside a word. */
const BREAKS = new Set(['par', 'line', 'tab', 'cell', 'row', 'page', 'sect', 'pard', 'fldrslt']);

export const richText: UrlExtractor = {
  name: 'rich-text',
  accepts: (source) =>
    isOneOf(source, TYPES, EXTENSIONS) || BEGINNING.test(Buffer.from(source.bytes.subarray(0, 120)).toString('latin1')),
  async find({ bytes }, { limits }) {
    if (bytes.length > limits.textBytes) return { urls: [], notSearched: [`a rich text of ${bytes.length} bytes`] };
    const raw = Buffer.from(bytes).toString('latin1');
    const text = plainText(raw);
    const fields = createLinkSet(limits);
    for (const match of text.matchAll(FIELD)) fields.add(firstArgument(match[1] ?? ''), { where: 'document', rank: 0 });
    const objects = linksWritten(limits);
    for (const run of raw.matchAll(HEX_RUN))
      findInBinary(Buffer.from(run[0].replace(/\s/g, ''), 'hex'), { where: 'document', rank: 1 }, objects);
    const running = createLinkSet(limits);
    running.addText(text, { where: 'document', rank: 2 });
    return searchOf([fields, objects, running], 'all of a rich text');
  },
};

function firstArgument(argument: string): string {
  return argument.trim().split(/\s+\\[a-z]\b/i)[0] ?? '';
}

/** Returns the text and the field instructions, without control words and groups. */
function plainText(rtf: string): string {
  return rtf
    .replace(CONTROL, (_, hex: string, unicode: string, word: string, __, symbol: string) => {
      if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
      if (unicode) return String.fromCharCode(Number(unicode) & 0xffff);
      if (word) return BREAKS.has(word.toLowerCase()) ? '\n' : '';
      return symbol === '~' ? ' ' : symbol === '*' || symbol === '-' ? '' : symbol;
    })
    .replace(/[{}]/g, '');
}
