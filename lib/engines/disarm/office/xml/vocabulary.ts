/**
 * The XML vocabularies of Office Open XML (ECMA-376, [MS-DOCX], [MS-XLSX], [MS-PPTX]). Elements are compared by a fixed prefix per
 * namespace, never by the prefix of the file. A vocabulary that is not listed here does not reach the output.
 */

const OPEN = 'http://schemas.openxmlformats.org/';
const STRICT = 'http://purl.oclc.org/ooxml/';
const MICROSOFT = 'http://schemas.microsoft.com/office/';

/** Namespaces with their own rules, by the prefix in the rules. Transitional and strict forms share one. */
const PREFIXES: Readonly<Record<string, string>> = {
  [`${OPEN}wordprocessingml/2006/main`]: 'w',
  [`${STRICT}wordprocessingml/main`]: 'w',
  [`${OPEN}spreadsheetml/2006/main`]: 'x',
  [`${STRICT}spreadsheetml/main`]: 'x',
  [`${OPEN}presentationml/2006/main`]: 'p',
  [`${STRICT}presentationml/main`]: 'p',
  [`${OPEN}drawingml/2006/main`]: 'a',
  [`${STRICT}drawingml/main`]: 'a',
  [`${OPEN}drawingml/2006/spreadsheetDrawing`]: 'xdr',
  [`${STRICT}drawingml/spreadsheetDrawing`]: 'xdr',
  [`${OPEN}drawingml/2006/chart`]: 'c',
  [`${STRICT}drawingml/chart`]: 'c',
  [`${OPEN}drawingml/2006/picture`]: 'pic',
  [`${OPEN}drawingml/2006/wordprocessingDrawing`]: 'wp',
  [`${STRICT}drawingml/wordprocessingDrawing`]: 'wp',
  [`${OPEN}officeDocument/2006/relationships`]: 'r',
  [`${STRICT}officeDocument/relationships`]: 'r',
  [`${OPEN}markup-compatibility/2006`]: 'mc',
  [`${OPEN}officeDocument/2006/extended-properties`]: 'ep',
  [`${STRICT}officeDocument/extendedProperties`]: 'ep',
  [`${OPEN}package/2006/relationships`]: 'rel',
  [`${OPEN}package/2006/content-types`]: 'ct',
  'urn:schemas-microsoft-com:vml': 'v',
  'urn:schemas-microsoft-com:office:office': 'o',
  'urn:schemas-microsoft-com:office:word': 'w10',
  'urn:schemas-microsoft-com:office:excel': 'xvml',
  'urn:schemas-microsoft-com:office:powerpoint': 'pvml',
  [`${MICROSOFT}excel/2006/main`]: 'xm',
  [`${MICROSOFT}spreadsheetml/2009/9/main`]: 'x14',
  [`${MICROSOFT}spreadsheetml/2010/11/main`]: 'x15',
  [`${MICROSOFT}spreadsheetml/2010/11/ac`]: 'x15ac',
  [`${MICROSOFT}word/2010/wordml`]: 'w14',
  [`${MICROSOFT}word/2012/wordml`]: 'w15',
  [`${MICROSOFT}drawing/2012/chart`]: 'c15',
  [`${MICROSOFT}drawing/2014/chartex`]: 'cx',
  [`${MICROSOFT}visio/2012/main`]: 'vis',
  [`${MICROSOFT}visio/2011/1/core`]: 'vis',
  'http://www.w3.org/XML/1998/namespace': 'xml',
  'http://www.w3.org/2000/xmlns/': 'xmlns',
};

/** Further families whose elements only lay out, colour or number. Their live parts depend on relationships or named rules. */
const PASSIVE_FAMILIES: readonly RegExp[] = [
  /^http:\/\/schemas\.openxmlformats\.org\/(wordprocessingml|spreadsheetml|presentationml|drawingml|officeDocument)\//,
  /^http:\/\/purl\.oclc\.org\/ooxml\/(wordprocessingml|spreadsheetml|presentationml|drawingml|officeDocument)\//,
  /^http:\/\/schemas\.microsoft\.com\/office\/(word|excel|spreadsheetml|powerpoint|drawing|thememl|mac|2020\/mipLabelMetadata)(\/|$)/,
];

/** Returns the fixed prefix of a namespace, `?` for a passive family, null for everything else. The empty namespace gives ''. */
export function prefixOf(uri: string): string | null {
  if (uri === '') return '';
  if (Object.hasOwn(PREFIXES, uri)) return PREFIXES[uri] ?? null;
  return PASSIVE_FAMILIES.some((family) => family.test(uri)) ? '?' : null;
}
