/** docProps/core.xml and the names in docProps/app.xml. They name the author of the document, the recipient and the time. */
import type { EngineLimits } from '../../../engine.ts';
import { escapeValue } from '../../xml-escape.ts';
import { withoutDocumentType } from '../xml/document-type.ts';
import { isElement, textOf } from '../xml/element.ts';
import { parseXml } from '../xml/parse.ts';

/** Elements that are kept unchanged when the caller asks for metadata. */
const KEPT: Readonly<Record<string, string>> = {
  title: 'dc:title',
  subject: 'dc:subject',
  creator: 'dc:creator',
  keywords: 'cp:keywords',
  description: 'dc:description',
  lastModifiedBy: 'cp:lastModifiedBy',
  category: 'cp:category',
  created: 'dcterms:created',
  modified: 'dcterms:modified',
};
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/;
/** A property can be megabytes long. */
const MAX_TEXT_LENGTH = 4_096;

/** Returns whether a relationship leads to the core properties of a package. */
export function isCoreProperties(type: string): boolean {
  return /\/metadata\/core-properties$/i.test(type);
}

/** Returns whether properties identify people, their employer or the place of their files. Throws like `parseXml`. */
export function namesPeople(bytes: Uint8Array, limits: EngineLimits): boolean {
  return propertiesOf(bytes, limits).some(([name, text]) => {
    if (/^(?:creator|lastModifiedBy|Company|Manager|HyperlinkBase)$/.test(name)) return text.trim() !== '';
    return name === 'Template' && /[\\/:]/.test(text);
  });
}

/** Writes the core properties anew: title, author, dates and the like, and nothing else. Throws like `parseXml`. */
export function rewriteCoreProperties(bytes: Uint8Array, limits: EngineLimits): Uint8Array {
  const rows = propertiesOf(bytes, limits).flatMap(([name, text]) => {
    const tag = Object.hasOwn(KEPT, name) ? KEPT[name] : undefined;
    const value = text.trim().slice(0, MAX_TEXT_LENGTH);
    if (tag === undefined || value === '') return [];
    if (!tag.startsWith('dcterms:')) return [`<${tag}>${escapeValue(value)}</${tag}>`];
    return TIME.test(value) ? [`<${tag} xsi:type="dcterms:W3CDTF">${value}</${tag}>`] : [];
  });
  return Buffer.from(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
      'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
      `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${[...new Set(rows)].join('')}</cp:coreProperties>`,
    'utf8',
  );
}

function propertiesOf(bytes: Uint8Array, limits: EngineLimits): readonly (readonly [string, string])[] {
  const root = parseXml(withoutDocumentType(bytes) ?? bytes, limits);
  return root.children.filter(isElement).map((child) => [child.name.slice(child.name.indexOf(':') + 1), textOf(child)]);
}
