/** Skips formulas that need no node of the tree. */
import type { XmlRanges } from './ranges.ts';
import type { XmlScanner } from './scan.ts';
import type { XmlSkipRules } from './skipping.ts';

/**
 * Skips the formula whose tag the scanner has read at `from`, if it has no attributes and the rules call it safe. Otherwise the scanner
 * reads the tag again, and the result is false.
 */
export function passFormula(scanner: XmlScanner, ranges: XmlRanges, { isSafe }: XmlSkipRules, from: number): boolean {
  const { nameId, at } = scanner;
  if (scanner.attributeCount > 0 || scanner.isEmpty) return false;
  if (scanner.next() === 'close' && scanner.nameId === nameId) {
    const text = ranges.formulaText(at, scanner.markupAt);
    if (text !== null && isSafe(text)) return true;
  }
  scanner.openTag(from);
  return false;
}
