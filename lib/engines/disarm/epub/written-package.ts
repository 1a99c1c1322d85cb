/** The list of the parts of a book (EPUB 3.3, 5), written from scratch. */
import { escapeText, escapeValue } from '../xml-escape.ts';

export interface WrittenBook {
  readonly id: string;
  readonly title: string;
  readonly language: string;
  readonly creators: readonly string[];
  readonly direction: 'rtl' | 'ltr' | null;
  readonly chapters: readonly { readonly name: string; readonly isLinear: boolean }[];
  readonly pictures: readonly { readonly name: string; readonly type: string; readonly isCover: boolean }[];
}

export const CONTAINER_XML = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?>\n<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>' +
    '<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
);
/** Each book needs a time of change. A real one would make each result different. */
const CHANGED = '2000-01-01T00:00:00Z';

/** Returns the list of the parts of a book (OPF) as XML. */
export function writePackage({
  id,
  title,
  language,
  creators,
  direction,
  chapters,
  pictures,
}: WrittenBook): Uint8Array {
  const cover = pictures.findIndex(({ isCover }) => isCover);
  const metadata = [
    `<dc:identifier id="id">${escapeText(id)}</dc:identifier><dc:title>${escapeText(title)}</dc:title>`,
    `<dc:language>${escapeText(language)}</dc:language>`,
    ...creators.map((name) => `<dc:creator>${escapeText(name)}</dc:creator>`),
    `<meta property="dcterms:modified">${CHANGED}</meta>`,
    cover === -1 ? '' : `<meta name="cover" content="picture-${cover + 1}"/>`,
  ];
  const items = [
    item('nav', 'nav.xhtml', 'application/xhtml+xml', 'nav'),
    item('ncx', 'toc.ncx', 'application/x-dtbncx+xml'),
    ...chapters.map(({ name }, at) => item(`chapter-${at + 1}`, name, 'application/xhtml+xml')),
    ...pictures.map(({ name, type }, at) => item(`picture-${at + 1}`, name, type, at === cover ? 'cover-image' : '')),
  ];
  const order = chapters.map(
    ({ isLinear }, at) => `<itemref idref="chapter-${at + 1}"${isLinear ? '' : ' linear="no"'}/>`,
  );
  const turned = direction === null ? '' : ` page-progression-direction="${direction}"`;
  return Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">' +
      `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadata.join('')}</metadata>` +
      `<manifest>${items.join('')}</manifest><spine toc="ncx"${turned}>${order.join('')}</spine></package>`,
    'utf8',
  );
}

function item(id: string, href: string, type: string, properties = ''): string {
  const more = properties === '' ? '' : ` properties="${properties}"`;
  return `<item id="${id}" href="${escapeValue(href)}" media-type="${escapeValue(type)}"${more}/>`;
}
