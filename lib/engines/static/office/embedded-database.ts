/**
 * The database inside a document of LibreOffice Base that HSQLDB 1.8 keeps: a text of statements, which it runs when the document is
 * opened, and data. Statements can name functions of Java and files on the disk. A database is ordinary when each of its statements is on
 * a closed list, and none has a name with a dot, as functions of Java do.
 */
import { oneOf } from '../../../formats/patterns.ts';
import type { View } from '../findings/module.ts';

/** The address of the database that is inside the document. */
export const EMBEDDED_DATABASE = 'sdbc:embedded:hsqldb';
const FOLDER = /^database\//;
const DATA = /^database\/(?:data|backup|properties)$/;
const STATEMENTS = /^database\/(?:script|log)$/;

const NAME = /(?:"[^"]{1,128}"|[A-Z_][A-Z0-9_$]{0,127})/.source;
/** The beginnings of statements that make or fill tables inside the database, or say how these are stored. */
const STATEMENT = new RegExp(
  `^(?:${oneOf(`
    DISCONNECT$ SET\\sSCHEMA\\s${NAME}$ SET\\sAUTOCOMMIT\\s(?:TRUE|FALSE)$ COMMIT$ CONNECT\\sUSER\\sSA$
    SET\\sDATABASE\\sCOLLATION\\s${NAME}$ SET\\sWRITE_DELAY\\s\\d+(?:\\sMILLIS)?$ SET\\sTABLE\\s${NAME}\\sINDEX'[\\d\\s-]*'$
    CREATE\\sSCHEMA\\s${NAME}\\sAUTHORIZATION\\sDBA$ CREATE\\sUSER\\sSA\\sPASSWORD\\s"[^"]*"$ GRANT\\sDBA\\sTO\\sSA$
    CREATE\\s(?:CACHED|MEMORY)\\sTABLE\\s${NAME}\\( CREATE\\s(?:UNIQUE\\s)?INDEX\\s${NAME}\\sON\\s CREATE\\sVIEW\\s${NAME}
    ALTER\\sTABLE\\s${NAME}\\s(?:ADD\\sCONSTRAINT|ALTER\\sCOLUMN)\\s INSERT\\sINTO\\s${NAME}\\sVALUES\\( DELETE\\sFROM\\s${NAME}\\sWHERE\\s
  `)})`,
);
const TEXT = /'(?:[^']|'')*'/g;
const QUOTED = /"[^"]*"/g;
/** A name with a dot, and words that name other files, classes and code. */
const REACHES = /"[^".]*\.[^"]*"|[;]/;
const REACHING_WORD =
  /\b(?:alias|call|class|trigger|source|script|backup|shutdown|checkpoint|library|external|java)\b/i;

/** Returns whether the parts hold such a database, and it is ordinary. */
export function isOrdinaryDatabase(parts: readonly View[]): boolean {
  const own = parts.filter(({ where }) => FOLDER.test(where));
  const statements = own.filter(({ where }) => STATEMENTS.test(where));
  return (
    statements.some(({ where }) => where === 'database/script') &&
    own.every(({ where }) => DATA.test(where) || STATEMENTS.test(where)) &&
    statements.every(({ bytes }) => Buffer.from(bytes).toString('latin1').split(/\r?\n/).every(isOrdinaryStatement))
  );
}

/** Says which session a statement of the log is of. */
const SESSION = /^\/\*C\d{1,9}\*\//;

function isOrdinaryStatement(untrustedLine: string): boolean {
  const line = untrustedLine.replace(SESSION, '');
  if (line === '') return true;
  const code = line.replace(TEXT, '');
  return (
    STATEMENT.test(line) && !code.includes("'") && !REACHES.test(code) && !REACHING_WORD.test(code.replace(QUOTED, ''))
  );
}

/** Returns whether a query in the content of the document calls a function of Java, which has a quoted name with dots. */
export function callsJava(content: string): boolean {
  return /(?:&quot;|&#34;|&#x22;)[^"&<>]{0,400}\.[^"&<>]{0,400}(?:&quot;|&#34;|&#x22;)\s*\(/i.test(content);
}
