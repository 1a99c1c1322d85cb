/**
 * The connections of workbooks ([ECMA-376] part 1, 18.13) and the sources of letters (17.14) that only read rows near by: a file on a drive
 * or in the network of the sender, or a database there. Excel and Word ask before they do. Everything here is on a closed list: the words
 * of a connection, the programs that bring the rows, and the forms of a query.
 */
import { decodeMarked } from '../../../formats/charsets/text-encoding.ts';
import { oneOf } from '../../../formats/patterns.ts';
import { isNearFile } from '../findings/link-target.ts';
import type { OpenPackage } from './package-parts.ts';
import { plainXml } from './plain-xml.ts';
import { unescapeXml } from './xml-escapes.ts';

/** A query of the workbook itself (Power Query), whose text is judged by itself. It may not bring another text. */
const OWN_QUERY =
  /^Provider=Microsoft\.Mashup\.OleDb\.1;Data Source=\$Workbook\$;Location=(?:"[^"]{1,200}"|[^;"]{1,200})(?:;Extended Properties="?"?)?;?$/i;

const CONNECTION = /<(?:\w+:)?connection\b/;
/**
 * The attributes of connections, and of the elements in them, that name the request and its target. Nothing may be sent, or come without a
 * click.
 */
const ASKED =
  /\s(connection|localConnection|command|serverCommand|url|sourceFile|odcFile|post|editPage|refreshOnLoad|interval)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Returns whether every connection in a part is near. Returns false for a part without any. `hasQueries`: the workbook has queries of its
 * own, which are judged by themselves.
 */
export function areNearConnections(content: Uint8Array, hasQueries: boolean): boolean {
  const { text, isUnderstood } = plainXml(decodeMarked(content));
  return (
    isUnderstood && CONNECTION.test(text) && [...text.matchAll(ASKED)].every((part) => isNearPart(part, hasQueries))
  );
}

function isNearPart([, name = '', one, other]: RegExpExecArray, hasQueries: boolean): boolean {
  const value = unescapeXml(one ?? other ?? '').replaceAll(/_x000[9ad]_/gi, ' ');
  switch (name) {
    case 'connection':
    case 'localConnection':
      return isNearSource(value) || (hasQueries && OWN_QUERY.test(value.replace(/^OLEDB;/i, '')));
    case 'command':
    case 'serverCommand':
      return isQuery(value);
    case 'url':
    case 'sourceFile':
    case 'odcFile':
      return isNearFile(value);
    default:
      return value === '' || value === '0' || value === 'false';
  }
}

const MERGE_PART = /<(?:\w+:)?(connectString|query|udl|src)\b[^<>]*?\s(?:\w+:)?val\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** The words with which Word names a whole sheet or table, in the language of its user. */
const WHOLE_SHEET = /^[\p{L}\s]{0,60}$/u;

const QUERY_OF_LETTER = /<(?:\w+:)?query\s[^<>]*val\s*=\s*["']\s*SELECT\b/i;

/**
 * Returns how near the data of the letters in a package is: `named` when each letter also has a query that names it, `near` when nothing of them
 * leads away, and `none` for a package without letters.
 */
export function placeOfLetters({ parts }: OpenPackage): 'named' | 'near' | 'far' | 'none' {
  const letters = [...parts].flatMap(([name, content]) => {
    const decoded = name.endsWith('.xml') ? decodeMarked(content) : '';
    return decoded.includes('mailMerge') ? [decoded] : [];
  });
  if (letters.length === 0) return 'none';
  if (!letters.every(isNearLetter)) return 'far';
  return letters.every((letter) => QUERY_OF_LETTER.test(letter)) ? 'named' : 'near';
}

function isNearLetter(decoded: string): boolean {
  return [...plainXml(decoded).text.matchAll(MERGE_PART)].every(([, name, one, other]) => {
    const value = unescapeXml(one ?? other ?? '');
    if (name === 'query') return isQuery(value);
    return name === 'src' ? isNearFile(value) : WHOLE_SHEET.test(value) || isNearSource(value);
  });
}

/** Programs that bring rows of files and databases, and the drivers of ODBC. */
const PROVIDER = /^(?:SQLOLEDB|SQLNCLI\d*|MSOLEDBSQL\d*|Microsoft\.(?:Jet|ACE)\.OLEDB|MSOLAP)(?:\.\d+)*$/i;
const DRIVER =
  /^\{?(?:SQL Server|ODBC Driver \d+ for SQL Server|Microsoft (?:Access|Excel|Text|dBase) ?(?:Text )?Driver \([*.\w, ]+\))\}?$/i;
const NAME = /^[\p{L}\p{N}_ .$-]{1,100}$/u;
const FILE = /^(?:data source|dbq|defaultdir|database)$/;
/** Words that only say how rows are read, and under which name. */
const HOW = new RegExp(
  `^(?:${oneOf(`
    initial\\scatalog uid user\\sid trusted_connection integrated\\ssecurity persist\\ssecurity\\sinfo mode app wsid workstation\\sid
    description packet\\ssize auto\\stranslate use\\sprocedure\\sfor\\sprepare use\\sencryption\\sfor\\sdata
    tag\\swith\\scolumn\\scollation\\swhen\\spossible driverid fil maxbuffersize maxscanrows pagetimeout safetransactions threads usercommitsync
    extended\\sproperties
  `)}|jet oledb:(?!system database|create|new database)[\\w' ]{1,60})$`,
);
/** The same, but they name a file or make one when they are not empty. */
const NOTHING_GIVEN = /^jet oledb:(?:system database|registry path|new database password)$/;
const PART = /([^=;"]{1,80})=((?:"[^"]*"|[^;"])*)(?:;|$)/y;

/** Returns whether a connection leads to a file or a database near by. An empty one leads nowhere. */
function isNearSource(untrustedText: string): boolean {
  const text = untrustedText.trim().replace(/^(?:ODBC|OLEDB);/i, '');
  for (PART.lastIndex = 0; PART.lastIndex < text.length; ) {
    const match = PART.exec(text);
    if (match === null || !isNearWord((match[1] ?? '').trim().toLowerCase(), (match[2] ?? '').trim())) return false;
  }
  return true;
}

function isNearWord(word: string, quoted: string): boolean {
  const value = quoted.replace(/^"(.*)"$/, '$1');
  if (word === 'provider') return PROVIDER.test(value);
  if (word === 'driver') return DRIVER.test(value);
  if (word === 'dsn') return NAME.test(value);
  if (word === 'server') return isNearServer(value);
  if (FILE.test(word)) return NAME.test(value) ? isNearServer(value) : isNearFile(value);
  if (word === 'jet oledb:create system database') return /^false$/i.test(value);
  return NOTHING_GIVEN.test(word) ? value === '' : HOW.test(word) && !/[\\/|]{2}|:\/\//.test(value);
}

/** Returns a machine by its name, with the name of the database program behind it. */
const isNearServer = (value: string) => NAME.test(value.replace('\\', '')) && isNearFile(`\\\\${value}\\a`);

/** Rows of a table. A query that calls, writes, or asks another place is none. */
const SELECT = /^\s*SELECT\b/i;
const FUNCTION_CALL = /\b([a-z_]\w*)\s*\(/gi;
const CALLS = new Set(
  `avg cast coalesce convert count date dateadd datediff datepart day format if ifnull iif in isnull left len lower ltrim max mid min month nz over right
   round rtrim str substring sum trim upper val year and or not exists on as where select from join values by having case when then else between
   like union all`
    .trim()
    .split(/\s+/),
);
const ACTS =
  /[;|]|:\/\/|\\\\|--|\/\*|\b(?:exec|execute|into|insert|update|delete|drop|create|alter|call|shell|openrowset|openquery|opendatasource|xp_\w+|sp_\w+)\b|\bin\s*['"[]|\[[^\]]*[;=][^\]]*\]/i;
/** Texts, and names of columns as MySQL writes them. */
const QUOTED_NAME = /'[^']*'|`[^`]*`/g;
const TABLE = /^(?!\s*(?:exec|execute|call|insert|update|delete|drop|create|alter)\b)[\w\s."'`[\]$#-]{0,200}$/i;

function isQuery(text: string): boolean {
  if (ACTS.test(text)) return false;
  if (!SELECT.test(text)) return TABLE.test(text);
  // Some databases escape a quote with a backslash. Then the end of a quoted name is unknown, and all text is searched.
  const code = text.includes('\\') ? text : text.replaceAll(QUOTED_NAME, '""');
  return [...code.matchAll(FUNCTION_CALL)].every(([, name = '']) => CALLS.has(name.toLowerCase()));
}
