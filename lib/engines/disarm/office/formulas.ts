/** Decides which spreadsheet formulas may stay: those that only calculate with the content of the workbook. */
import { exportedFormulas, hasSafeTexts } from './formula-texts.ts';

/** Excel's own limit. Longer ones are an attack on the expressions below. */
const MAX_FORMULA_LENGTH = 8_192;

/**
 * Functions that reach outside the workbook, start something, or are Excel 4.0 macro commands. All others only calculate.
 * A list that is too long does no harm, because the cached value of a denied formula stays.
 */
const LIVE_FUNCTIONS = new Set(
  (
    'CALL REGISTER REGISTER.ID UNREGISTER EXEC EXECUTE WEBSERVICE FILTERXML RTD SQL.REQUEST IMAGE PY IMPORTTEXT IMPORTCSV ' +
    'DDE DDEINITIATE INITIATE TERMINATE REQUEST POKE SEND.KEYS FOPEN FCLOSE FREAD FREADLN FWRITE FWRITELN FSIZE FPOS FILES FILE.DELETE DIRECTORY ' +
    'EVALUATE RUN FORMULA FORMULA.FILL FORMULA.ARRAY SET.NAME SET.VALUE GOTO HALT RETURN ALERT INPUT ON.TIME ON.KEY ON.ENTRY ' +
    'ON.DATA ON.SHEET ON.WINDOW ON.DOUBLECLICK ON.RECALC OPEN SAVE.AS WORKBOOK.UNHIDE GET.WORKSPACE GET.WORKBOOK GET.WINDOW ' +
    'GET.DOCUMENT GET.CELL GET.NAME GET.NOTE GET.OBJECT APP.MAXIMIZE APP.MINIMIZE ECHO ERROR CUSTOM.REPEAT STOCKHISTORY ' +
    'CUBEVALUE CUBEMEMBER CUBESET CUBERANKEDMEMBER CUBEKPIMEMBER CUBEMEMBERPROPERTY CUBESETCOUNT COPILOT VBA.INSERT.FILE ' +
    // Send the content of cells to a service.
    'TRANSLATE DETECTLANGUAGE GOOGLETRANSLATE ' +
    // Of Google Sheets, which loads when it opens a workbook.
    'IMPORTXML IMPORTHTML IMPORTDATA IMPORTFEED IMPORTRANGE GOOGLEFINANCE'
  ).split(' '),
);

/** Future-function and add-in prefixes that Excel writes before names (`_xlfn.WEBSERVICE`). */
const NAME_PREFIX = /^(_xlfn\.|_xlws\.|_xlpm\.|_xlbgnm\.|_xleta\.)+/i;

/** Returns whether a formula may stay as a formula. */
export function isSafeFormula(formula: string): boolean {
  if (formula.length > MAX_FORMULA_LENGTH) return false;
  for (const code of readingsOf(formula)) if (!isSafeCode(code)) return false;
  return hasSafeTexts(formula) && (exportedFormulas(formula)?.every(isSafeFormula) ?? false);
}

/** One token each: a text, the name of a sheet in quotes, and the column of a table in brackets, where `'` escapes the next sign. */
const TEXT = `"(?:[^"]|"")*"?`;
const SHEET = `'(?:[^']|'')*'`;
const COLUMN = String.raw`\[(?:'[^]|[^'\]])*\]?`;
/**
 * The ways in which programs tell texts from code. The name of a sheet or a column may hold a double quote, and code between two such
 * quotes would look like a text.
 */
const READINGS = [[TEXT], [TEXT, SHEET], [TEXT, SHEET, COLUMN], [TEXT, COLUMN]].map(
  (tokens) => new RegExp(tokens.join('|'), 'g'),
);

/** Returns the code of a formula with its texts emptied, in each way in which a program could read it. The ways are nearly always equal. */
export function readingsOf(formula: string): ReadonlySet<string> {
  const hasNames = /['[]/.test(formula) && formula.includes('"');
  const used = hasNames ? READINGS : READINGS.slice(0, 1);
  return new Set(used.map((tokens) => formula.replace(tokens, (token) => (token.startsWith('"') ? '""' : token))));
}

/** Judges the code of a formula, with its texts emptied. */
export function isSafeCode(code: string): boolean {
  // `service|topic!item` is DDE. The pipe has no other use outside of quoted sheet names.
  if (code.includes('|')) return false;
  // A sheet's name has no slash. A colon separates the first and the last sheet of a range.
  if (/\\\\|'[^']*[\\/][^']*'!|file:/i.test(code)) return false;
  // `[1]Sheet!A1` and `'[book.xlsx]Sheet one'!A1`: another workbook. A table's column never has `!` behind its bracket.
  if (/\[[^[\]]*\](?:[^\s[\]()+\-/,;*&=<>^%'"]*|(?:[^'[\]]|'')*')!/.test(code)) return false;
  for (const call of code.matchAll(/([A-Za-z_\\][\w.]*)\s*\(/g)) if (isLive(call[1] ?? '')) return false;
  // A function that another one calls, as in `MAP(A1:A9,_xleta.LEN)`. The address that HYPERLINK would get is not known.
  for (const [, name = ''] of code.matchAll(/_xl(?:eta|fn|ws)\.([\w.]*)/gi))
    if (isLive(name) || /HYPERLINK$/i.test(name)) return false;
  return true;
}

function isLive(called: string): boolean {
  const name = called.replace(NAME_PREFIX, '').toUpperCase();
  return LIVE_FUNCTIONS.has(name) || /^_XL(L|UDF)\./.test(name);
}

/** Returns true for names that Excel runs when the workbook opens or closes, in any case and any spelling of the built-in prefix. */
export function isAutoRunName(name: string): boolean {
  return /^(_xlnm\.)?auto_?(open|close|activate|deactivate)/i.test(name.replace(/[\p{Cf}\p{Cc}\s]/gu, ''));
}
