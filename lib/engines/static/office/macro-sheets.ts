/** Excel 4.0 macros in packages: hidden macro sheets, automatic names, and formulas that call the system. */

import { decodeMarked } from '../../../formats/charsets/text-encoding.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { OpenPackage } from './package-parts.ts';

/** Functions of macro sheets that reach the system, or write the next formula. */
export const SYSTEM_CALL =
  /(?<![\w.])(?:EXEC|CALL|REGISTER|FOPEN|FWRITE|FWRITELN|FORMULA(?:\.FILL)?|INITIATE|EXECUTE|URLDOWNLOADTOFILEA?|SHELLEXECUTEA?)\s{0,9}\(/i;
const HIDDEN_SHEET = /<(?:\w+:)?sheet\b[^>]{0,1000}\bstate\s*=\s*["'](?:hidden|veryHidden)["']/i;
const AUTO_NAME =
  /<(?:\w+:)?definedName\b[^>]{0,1000}\bname\s*=\s*["'](?:_xlnm\.)?auto_(?:open|close|activate|deactivate)/i;

/** True when a package has a macro sheet, by the place of a part or by a relationship. */
export function isMacroBook({ parts, relationships }: OpenPackage): boolean {
  return (
    [...parts.keys()].some((name) => name.startsWith('xl/macrosheets/')) ||
    relationships.some(({ kind }) => /^xl(?:intl)?macrosheet$/.test(kind))
  );
}

/** Judges the macro sheets of a workbook. Finds nothing in a package without any. */
export function judgeMacroSheets(opened: OpenPackage): Finding[] {
  if (!isMacroBook(opened)) return [];
  const { parts } = opened;
  const book = decodeMarked(parts.get('xl/workbook.xml') ?? new Uint8Array());
  const calls = [...parts]
    .filter(([name]) => name.startsWith('xl/') && name.endsWith('.xml'))
    .map(([name, content]) => callIn(name, content));
  return [
    ...(HIDDEN_SHEET.test(book) ? [finding('xlm-hidden-sheet', 'xl/workbook.xml')] : []),
    ...(AUTO_NAME.test(book) ? [finding('xlm-auto-run', 'xl/workbook.xml')] : []),
    ...calls.flatMap((found) => found ?? []).slice(0, 1),
  ];
}

function callIn(name: string, content: Uint8Array): Finding | null {
  for (const [, formula = ''] of decodeMarked(content).matchAll(/<(?:\w+:)?f\b[^>]{0,500}>([^<]{1,8000})</g)) {
    if (SYSTEM_CALL.test(formula)) return finding('xlm-dangerous-call', name, formula);
  }
  return null;
}
