/**
 * Judges where a query of Power Query reads, by its text in M (Power Query M formula language specification, 2 and 3). A query is near
 * when each of its functions is on a closed list: those that only calculate, and those that read a file or a database near by, whose place is
 * written out. Any other function is a source of elsewhere, or could become one.
 */
import { oneOf } from '../../../../formats/patterns.ts';
import { isNearFile } from '../../findings/link-target.ts';

/** The longest text of queries that is read, in characters. No workbook has a tenth of it. */
const MAX_LENGTH = 4_000_000;

/** Comments, texts, names in quotes, numbers, names with dots, and single signs. */
const TOKEN =
  /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|\/\/[^\r\n]*|#?"(?:[^"]|"")*(?:"|$)|\d[\w.]*|#?[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*|\S/gu;
const COMMENT = /^\/[*/]/;

/** The first words of functions and values that only calculate. Some functions of these words do more. */
const CALCULATES = new RegExp(
  `^${oneOf(`
    Any Binary BinaryFormat BinaryOccurrence BinaryEncoding Byte ByteOrder Character Combiner Comparer Compression Csv CsvStyle Culture Currency
    Date DateTime DateTimeZone Day Decimal Double Duration Error ExtraValues Function GroupKind Guid Int8 Int16 Int32 Int64 JoinAlgorithm JoinKind
    JoinSide Json Lines List Logical MissingField None Null Number Occurrence Order Percentage PercentileMode Precision QuoteStyle RankKind Record
    RelativePosition Replacer RoundingMode Single Splitter Table Text TextEncoding Time TimeZone TraceLevel Type Uri Value
  `)}\\.`,
);
const DOES_MORE = /^(?:Value\.(?:NativeQuery|Firewall|View\w*|Version\w*)|Table\.View\w*|Binary\.View\w*)$/;
/** The tables of the workbook itself, and readers of what another function gives. */
const WITHIN = new Set(['Excel.CurrentWorkbook', 'Excel.Workbook']);
/** Functions whose first argument is the path of a file or folder. */
const FILES = new Set(['File.Contents', 'Folder.Files', 'Folder.Contents']);
/** Functions whose first argument is the name of a machine. */
const DATABASES = new Set(['Sql.Database', 'Sql.Databases']);
const MACHINE = /^[\w-]{1,63}(?:\\[\w$-]{1,63})?$/;
/** All names that an expression knows, and all sections. With them, a computed name reaches any function. */
const ALL_NAMES = /^#(?:shared|sections)$/;

/** `outside` has the first function that is not on the list, or whose place is elsewhere or computed. It is untrusted. */
export type QuerySource =
  | { readonly kind: 'own' | 'near' }
  | { readonly kind: 'outside'; readonly untrustedWhat: string };

/** Returns where the queries in a text of M read: only in their own workbook, near by too, or elsewhere. */
export function sourceOfQueries(untrustedText: string): QuerySource {
  if (untrustedText.length > MAX_LENGTH) return outside('too long to be read');
  const tokens = [...untrustedText.matchAll(TOKEN)].map(([token]) => token).filter((token) => !COMMENT.test(token));
  let kind: 'own' | 'near' = 'own';
  for (const [index, token] of tokens.entries()) {
    const name = nameIn(token);
    if (name === null || isOwnName(tokens, index)) continue;
    const place = placeBehind(tokens, index);
    if (isNearPlace(name, place)) kind = 'near';
    else if (ALL_NAMES.test(name) || (name.includes('.') && !isHarmless(name)))
      return outside(`${name} ${place ?? ''}`.trim());
  }
  return { kind };
}

const outside = (untrustedWhat: string): QuerySource => ({
  kind: 'outside',
  untrustedWhat: untrustedWhat.slice(0, 300),
});

const isHarmless = (name: string) => WITHIN.has(name) || (CALCULATES.test(name) && !DOES_MORE.test(name));

const isNearPlace = (name: string, place: string | null) =>
  place !== null && ((FILES.has(name) && isNearFile(place)) || (DATABASES.has(name) && MACHINE.test(place)));

/** Returns the name that a token is; null for a text, a number or a sign. A name of a function in quotes means the same as without them. */
function nameIn(token: string): string | null {
  if (!token.startsWith('#"')) return /^#?[\p{L}_]/u.test(token) ? token : null;
  const name = textOf(token.slice(1));
  return /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)+$/u.test(name) ? name : null;
}

/** Returns whether a name is given here to a step (`Source.Name = …`) or is that of a field (`[Source.Name]`). */
const isOwnName = (tokens: readonly string[], index: number) =>
  tokens[index + 1] === '=' || (tokens[index - 1] === '[' && tokens[index + 1] === ']');

/** Returns the text of the first argument, which is written out and stands alone; null for any other. */
function placeBehind(tokens: readonly string[], index: number): string | null {
  const [open, text = '', next = ''] = tokens.slice(index + 1, index + 4);
  return open === '(' && text.startsWith('"') && /^[,)]$/.test(next) ? textOf(text) : null;
}

const SIGNS: Readonly<Record<string, string>> = { cr: '\r', lf: '\n', tab: '\t', '#': '#' };

/** Returns a text without its quotes and escapes: `""`, and `#(cr,lf)` or `#(0041)`. */
function textOf(quoted: string): string {
  return quoted
    .replace(/^"|"$/g, '')
    .replaceAll('""', '"')
    .replaceAll(/#\(([^()]{1,60})\)/g, (whole, list: string) => {
      const signs = list.split(',').map((sign) => SIGNS[sign.trim()] ?? codePoint(sign.trim()));
      return signs.includes(null) ? whole : signs.join('');
    });
}

function codePoint(hex: string): string | null {
  const number = /^(?:[\da-f]{4}|[\da-f]{8})$/i.test(hex) ? Number.parseInt(hex, 16) : Number.NaN;
  return number <= 0x10ffff ? String.fromCodePoint(number) : null;
}
