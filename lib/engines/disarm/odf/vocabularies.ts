/** The XML vocabularies of OpenDocument 1.3 and of LibreOffice's extensions, by the prefix that the rules and the output use. */

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';

export const MANIFEST_URI = `${OASIS}manifest:1.0`;

/** The vocabularies that may be written, in the order in which an output declares them. */
const PREFIXES: readonly (readonly [prefix: string, uri: string])[] = [
  ...['office', 'style', 'text', 'table', 'meta', 'presentation', 'dr3d', 'config'].map(
    (name) => [name, `${OASIS}${name}:1.0`] as const,
  ),
  ['draw', `${OASIS}drawing:1.0`],
  ['number', `${OASIS}datastyle:1.0`],
  ['anim', `${OASIS}animation:1.0`],
  ['fo', `${OASIS}xsl-fo-compatible:1.0`],
  ['svg', `${OASIS}svg-compatible:1.0`],
  ['smil', `${OASIS}smil-compatible:1.0`],
  ['of', `${OASIS}of:1.2`],
  ['xlink', 'http://www.w3.org/1999/xlink'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['css3t', 'http://www.w3.org/TR/css3-text/'],
  ['ooo', 'http://openoffice.org/2004/office'],
  ['ooow', 'http://openoffice.org/2004/writer'],
  ['oooc', 'http://openoffice.org/2004/calc'],
  ['officeooo', 'http://openoffice.org/2009/office'],
  ['tableooo', 'http://openoffice.org/2009/table'],
  ['drawooo', 'http://openoffice.org/2010/draw'],
  ['loext', `urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0`],
  ['calcext', `urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0`],
];

/** Vocabularies that are known only so that the report can name the finding. No rule lets them through. */
const NEVER_WRITTEN: readonly (readonly [prefix: string, uri: string])[] = [
  ['script', `${OASIS}script:1.0`],
  ['form', `${OASIS}form:1.0`],
  ['db', `${OASIS}database:1.0`],
  ['chart', `${OASIS}chart:1.0`],
  ['manifest', MANIFEST_URI],
  ['field', 'urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0'],
  ['math', 'http://www.w3.org/1998/Math/MathML'],
  ['xforms', 'http://www.w3.org/2002/xforms'],
  ['grddl', 'http://www.w3.org/2003/g/data-view#'],
  ['xhtml', 'http://www.w3.org/1999/xhtml'],
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
];

/** Older names that the first programs of OpenDocument 1.0 used. They mean the same as the later ones. */
const EARLY: readonly (readonly [prefix: string, uri: string])[] = [
  ['fo', 'http://www.w3.org/1999/XSL/Format'],
  ['svg', 'http://www.w3.org/2000/svg'],
  ['smil', 'http://www.w3.org/2001/SMIL20/'],
];

const BY_URI: ReadonlyMap<string, string> = new Map(
  [...PREFIXES, ...EARLY, ...NEVER_WRITTEN].map(([prefix, uri]) => [uri, prefix]),
);

/** Returns the fixed prefix of a namespace; null for an unknown one. */
export function odfPrefixOf(uri: string): string | null {
  return BY_URI.get(uri) ?? null;
}

/** The namespace declarations in the root of every output. */
export const DECLARATIONS = PREFIXES.map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`).join('');
