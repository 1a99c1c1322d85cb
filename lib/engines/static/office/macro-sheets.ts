/** Excel 4.0 macros in packages: hidden macro sheets, automatic names, and formulas that call the system. */

import { decodeMarked } from '../../../formats/charsets/text-encoding.ts';
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { View } from '../findings/module.ts';
import type { OpenPackage } from './package-parts.ts';
import { plainXml } from './plain-xml.ts';
import { foldMacros } from './xlm/machine.ts';
import type { MacroBook } from './xlm/macro-book.ts';
import { readPackageCells } from './xlm/package-cells.ts';

/** Functions of macro sheets that reach the system, or write the next formula. */
export const SYSTEM_CALL =
  /(?<![\w.])(?:EXEC|CALL|REGISTER|FOPEN|FWRITE|FWRITELN|FORMULA(?:\.FILL)?|INITIATE|EXECUTE|URLDOWNLOADTOFILEA?|SHELLEXECUTEA?)\s{0,9}\(/i;
const HIDDEN_SHEET = /<(?:\w+:)?sheet\b[^<>]*\bstate\s*=\s*["'](?:hidden|veryHidden)["']/i;
const AUTO_NAME = /<(?:\w+:)?definedName\b[^<>]*\sname\s*=\s*["'](?:_xlnm\.)?auto_(?:open|close|activate|deactivate)/i;

/** Returns true when a package has a macro sheet, by the place of a part or by a relationship. */
export function isMacroBook({ parts, relationships }: OpenPackage): boolean {
  return (
    [...parts.keys()].some((name) => name.startsWith('xl/macrosheets/')) ||
    relationships.some(({ kind }) => /^xl(?:intl)?macrosheet$/.test(kind))
  );
}

/** The findings in the macro sheets of a package, and the actions of the macros as a text for the rules. */
export interface JudgedMacros {
  readonly findings: readonly Finding[];
  readonly views: readonly View[];
}

/** Judges the macro sheets of a workbook. Finds nothing in a package without any. */
export function judgeMacroSheets(opened: OpenPackage): JudgedMacros {
  if (!isMacroBook(opened)) return { findings: [], views: [] };
  const { parts } = opened;
  const book = plainXml(decodeMarked(parts.get('xl/workbook.xml') ?? new Uint8Array())).text;
  const calls = [...parts]
    .filter(([name]) => name.startsWith('xl/') && name.endsWith('.xml'))
    .map(([name, content]) => callIn(name, content));
  const folded = judgeFolded(readPackageCells(opened), 'xl/macrosheets');
  return {
    findings: [
      ...(HIDDEN_SHEET.test(book) ? [finding('xlm-hidden-sheet', 'xl/workbook.xml')] : []),
      ...(AUTO_NAME.test(book) ? [finding('xlm-auto-run', 'xl/workbook.xml')] : []),
      ...folded.findings,
      ...(folded.findings.length > 0 ? [] : calls.flatMap((found) => found ?? []).slice(0, 1)),
    ],
    views: folded.views,
  };
}

/** The most characters of folded calls that a finding shows. */
const MAX_SHOWN = 2_000;

/** Folds the macros of a workbook and judges their actions. */
export function judgeFolded(book: MacroBook, where: string): JudgedMacros {
  const { calls, written } = foldMacros(book);
  if (calls.length === 0) return { findings: [], views: [] };
  const text = calls.join('\n');
  return {
    findings: [finding('xlm-dangerous-call', where, text.slice(0, MAX_SHOWN))],
    views: [{ where: 'folded macros', bytes: Buffer.from([text, ...written].join('\n')) }],
  };
}

function callIn(name: string, content: Uint8Array): Finding | null {
  for (const [, formula = ''] of plainXml(decodeMarked(content)).text.matchAll(/<(?:\w+:)?f\b[^<>]*>([^<]+)</g)) {
    if (SYSTEM_CALL.test(formula)) return finding('xlm-dangerous-call', name, formula);
  }
  return null;
}
