/** Searches maps (KML). Their descriptions are pages, written as text of XML. So each map is read a second time, as the page inside it. */
import { decodeText } from '../../../formats/charsets/decode-text.ts';
import { runAsync } from '../../../formats/steps.ts';
import { listUrlSteps } from '../find.ts';
import { isOneOf, type UrlExtractor } from './source.ts';

const TYPES = /^application\/vnd\.google-earth\.kml(?:\+xml)?$/;
const EXTENSIONS = /^kml$/;
const REFERENCES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

export const map: UrlExtractor = {
  name: 'map',
  accepts: (source) => isOneOf(source, TYPES, EXTENSIONS),
  async find({ bytes, charset }, { limits }) {
    if (bytes.length > limits.textBytes) return { urls: [], notSearched: [`a map of ${bytes.length} bytes`] };
    const inside = readInside(decodeText(bytes, charset));
    const { urls, isComplete } = await runAsync(listUrlSteps(inside, { format: 'html', isData: true }, limits));
    return { urls, notSearched: isComplete ? [] : ['all of a map: it holds more URLs than are looked at'] };
  },
};

/**
 * Returns the XML without its sections of character data, and with its references decoded once. Programs for maps pass a description on in
 * this form.
 */
export function readInside(xml: string): string {
  return xml
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp));/gi, (whole, hex, decimal, name) => {
      if (name) return REFERENCES[String(name).toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
