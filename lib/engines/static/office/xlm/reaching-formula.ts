/** Finds formulas of cells and names that reach the system or the network, in a workbook without macro sheets. */
import type { Expression } from './expression.ts';
import type { MacroBook } from './macro-book.ts';

/** Functions that reach out, and those that run a text as a formula. */
const REACHING = new Set(
  'CALL REGISTER REGISTER.ID RTD EXEC EXECUTE INITIATE POKE REQUEST FOPEN FWRITE FWRITELN FILES DIRECTORY EVALUATE RUN OPEN SAVE.AS FILE.DELETE'.split(
    ' ',
  ),
);
/** The most expressions that are checked. */
const MAX_EXPRESSIONS = 1_000_000;

/** Returns the name of such a function that a formula of the workbook calls, or null. */
export function reachingFormula(book: MacroBook): string | null {
  const waiting: Expression[] = [...book.names.values()];
  for (const sheet of book.sheets)
    for (const { formula } of sheet.cells.values()) if (formula !== null) waiting.push(formula);
  let left = MAX_EXPRESSIONS;
  for (let next = waiting.pop(); next !== undefined && left > 0; next = waiting.pop(), left--) {
    if (next.kind !== 'call' && next.kind !== 'operation') continue;
    if (next.kind === 'call' && REACHING.has(next.name)) return next.name;
    waiting.push(...next.args);
  }
  return null;
}
