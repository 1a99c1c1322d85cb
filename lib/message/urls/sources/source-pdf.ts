/**
 * Searches PDF files: link annotations, actions (URI, Launch, SubmitForm, GoToR, JavaScript) and forms. It reads the strings of all
 * objects, also of compressed ones. It does not trust the structure of the document, so it also reads objects that no page refers to.
 */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { createLinkSet, type LinkSet, searchOf } from '../link-set.ts';
import { linksOfCodes } from './codes.ts';
import { pdfStrings } from './pdf-strings.ts';
import { type PdfText, pdfTexts } from './pdf-texts.ts';
import { distinct, isOneOf, type UrlExtractor } from './source.ts';

const TYPES = /^application\/(?:x-)?pdf$/;
const EXTENSIONS = /^(?:pdf|fdf|xfdf|ai)$/;
/** Readers accept a header within this many bytes (PDF 1.7, implementation note 13). */
const HEADER_BYTES = 1_024;

export const pdf: UrlExtractor = {
  name: 'pdf',
  accepts: (source) =>
    isOneOf(source, TYPES, EXTENSIONS) || asBuffer(source.bytes).subarray(0, HEADER_BYTES).includes('%PDF-'),
  async find({ bytes }, tools) {
    const { texts, isEncrypted, isOverLimit } = pdfTexts(asBuffer(bytes));
    const notSearched: string[] = [];
    if (isEncrypted) notSearched.push('the links of a PDF: it is encrypted');
    if (isOverLimit) notSearched.push('all of a PDF: it unpacks to more than is searched');
    const links = createLinkSet(tools.limits);
    for (const text of texts) addLinks(text, links);
    const found = searchOf([links], 'all of a PDF');
    const codes = await linksOfCodes({ kind: 'pdf', bytes }, tools);
    return {
      urls: distinct([...found.urls, ...codes.urls]),
      notSearched: [...notSearched, ...found.notSearched, ...codes.notSearched],
    };
  },
};

/** Keys whose string an action opens (PDF 1.7 §12.6.4, §7.11). */
const TARGETS = new Set(['URI', 'F', 'UF', 'Base', 'URL', 'Unix', 'Mac', 'DOS']);
/** The key of scripts. The empty key is for array elements and for objects that others refer to. */
const SEARCHED = new Set(['JS', '']);
/** The key whose string a reader opens even without a scheme. */
const OPENED = 'URI';

function addLinks({ text, isMarkup }: PdfText, links: LinkSet): void {
  const place = { where: 'document', rank: 0 } as const;
  if (isMarkup) {
    links.addText(text, { ...place, rank: 2 }, true);
    return;
  }
  for (const { key, value } of pdfStrings(text)) {
    if (links.isFull()) return;
    if (key === OPENED) {
      links.add(value, place);
      links.addText(value, place);
    } else if (TARGETS.has(key) || SEARCHED.has(key)) {
      if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) links.add(value, place);
      links.addText(value, place, true);
    }
  }
}
