/** The root elements of Office documents that are one XML file. Their programs open them by the root, after any declarations. */
import type { FileType } from '../file-types.ts';

/** Root element, name space, type. */
const ROOTS = [
  ['package', 'http://schemas.microsoft.com/office/2006/xmlPackage', 'application/x-flat-opc'],
  ['wordDocument', 'http://schemas.microsoft.com/office/word/2003/wordml', 'application/x-wordml'],
  ['Workbook', 'urn:schemas-microsoft-com:office:spreadsheet', 'application/x-spreadsheetml'],
] as const satisfies readonly (readonly [string, string, FileType])[];

/** Declarations and comments before the root. */
const PROLOG = String.raw`^\s*(?:<\?[^>]{0,1000}\?>\s*|<!--(?:(?!-->)[\s\S]){0,4000}-->\s*|<!doctype[^>[]{0,500}(?:\[[^\]]{0,2000}\])?>\s*){0,8}`;

/** The beginnings of documents of each type. */
export const OFFICE_XML: readonly (readonly [FileType, RegExp])[] = ROOTS.map(([root, space, type]) => [
  type,
  new RegExp(`${PROLOG}<(?:[\\w.-]{1,40}:)?${root}\\s[^<>]{0,8000}["']${space.replace(/[.]/g, '\\.')}["']`, 'i'),
]);

/** Returns the type of a text that begins like an Office document in XML; null for any other. */
export function officeXmlType(head: string): FileType | null {
  return OFFICE_XML.find(([, start]) => start.test(head))?.[0] ?? null;
}
