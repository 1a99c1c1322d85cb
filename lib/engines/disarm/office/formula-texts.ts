/** Judges the texts in a spreadsheet formula that a program reads as more than text: targets of links, references, and other formulas. */
import { isSafeLink } from '../safe-links.ts';

/** A text of a formula, where a double quote is written twice. */
const TEXT = /"((?:[^"]|"")*)"/g;
/** A call of the function under which Google Sheets exports its own formulas, with the text that it calculates again. */
const EXPORTED = /DUMMYFUNCTION\s*\(\s*(?:("(?:[^"]|"")*"(?:\s*&\s*"(?:[^"]|"")*")*)\s*[,)])?/gi;

/** Returns whether no link and no reference in the texts of a formula leads out of the workbook. */
export function hasSafeTexts(formula: string): boolean {
  if (!hasSafeHyperlinks(formula)) return false;
  if (!/INDIRECT\s*\(/i.test(formula)) return true;
  for (const [, text = ''] of formula.matchAll(TEXT)) if (isOutsideReference(text)) return false;
  return true;
}

/**
 * Keeps HYPERLINK only with a literal target that is safe, or that starts inside the workbook. A computed target could become a path, or
 * carry the content of other cells to a server.
 */
function hasSafeHyperlinks(formula: string): boolean {
  for (const call of formula.matchAll(/HYPERLINK\s*\(\s*(?:"((?:[^"]|"")*)"\s*([,;)&]))?/gi)) {
    const [, target, end] = call;
    if (target === undefined) return false;
    if (!target.startsWith('#') && (end === '&' || !isSafeLink(target))) return false;
  }
  return true;
}

/** Returns whether a text, or a piece of one, is the path of another workbook. INDIRECT makes a reference of it, which LibreOffice loads. */
export function isOutsideReference(text: string): boolean {
  return /\\|\/\/|file:|'#|\][^[\]]*!/i.test(text);
}

/** Returns the formulas that Google Sheets calculates again when it opens an exported workbook, or null when one is not known. */
export function exportedFormulas(formula: string): readonly string[] | null {
  const found: string[] = [];
  for (const [, texts] of formula.matchAll(EXPORTED)) {
    if (texts === undefined) return null;
    found.push(Array.from(texts.matchAll(TEXT), ([, text = '']) => text.replaceAll('""', '"')).join(''));
  }
  return found;
}
