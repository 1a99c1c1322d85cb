/**
 * The parts that describe an XPS document: content types, relationships, the sequence and its one document. All are written from scratch.
 */

const SPACE = 'http://schemas.microsoft.com/xps/2005/06';
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const TYPES: Readonly<Record<string, string>> = {
  rels: 'application/vnd.openxmlformats-package.relationships+xml',
  fdseq: 'application/vnd.ms-package.xps-fixeddocumentsequence+xml',
  fdoc: 'application/vnd.ms-package.xps-fixeddocument+xml',
  fpage: 'application/vnd.ms-package.xps-fixedpage+xml',
  ttf: 'application/vnd.ms-opentype',
  png: 'image/png',
  jpg: 'image/jpeg',
  tif: 'image/tiff',
};

const relationships = (rows: readonly (readonly [type: string, target: string])[]) =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows
    .map(([type, target], at) => `<Relationship Id="R${at + 1}" Type="${SPACE}/${type}" Target="/${target}"/>`)
    .join('')}</Relationships>`;

/** Returns the parts by name. `resourcesOf`: the names of the fonts and pictures of each page. */
export function writeDescriptions(resourcesOf: readonly (readonly string[])[]): ReadonlyMap<string, Uint8Array> {
  const defaults = Object.entries(TYPES).map(
    ([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`,
  );
  const pages = resourcesOf.map((_, at) => `<PageContent Source="/Pages/${at + 1}.fpage"/>`);
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults.join('')}</Types>`,
    '_rels/.rels': relationships([['fixedrepresentation', 'FixedDocSeq.fdseq']]),
    'FixedDocSeq.fdseq': `${XML}<FixedDocumentSequence xmlns="${SPACE}"><DocumentReference Source="/FixedDoc.fdoc"/></FixedDocumentSequence>`,
    'FixedDoc.fdoc': `${XML}<FixedDocument xmlns="${SPACE}">${pages.join('')}</FixedDocument>`,
  };
  for (const [at, resources] of resourcesOf.entries()) {
    if (resources.length === 0) continue;
    parts[`Pages/_rels/${at + 1}.fpage.rels`] = relationships(resources.map((name) => ['required-resource', name]));
  }
  return new Map(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text, 'utf8')]));
}
