/**
 * Reads structured header values: `value; name=value; …` (RFC 2045 §5.1) with RFC 2231 continuations and charsets. Strings hold one
 * byte per character (latin1), so that a boundary is compared by its bytes.
 */
import { withoutComments } from '../../formats/mail/header-comments.ts';
import { trimBlanks } from '../../formats/mail/trim-blanks.ts';
import { remembered } from '../../formats/remembered.ts';

export interface StructuredValue {
  /** The main value in lower case, without comments. */
  readonly value: string;
  /** All values given for each name, in order. Extended values are decoded to bytes. */
  readonly params: ReadonlyMap<string, readonly ParamValue[]>;
  /** Parameters that programs read in different ways, in plain words. Null when all read it alike. */
  readonly problem: string | null;
}

export interface ParamValue {
  /** One character per byte. */
  readonly bytes: string;
  /** The charset that an RFC 2231 value names; else null. */
  readonly charset: string | null;
  /** The values in programs that end an unquoted value earlier. */
  readonly shorter: readonly string[];
}

interface Segment {
  readonly name: string;
  readonly section: number;
  readonly isExtended: boolean;
  readonly text: string;
  readonly shorter: readonly string[];
}

/** Most pieces of a header. No name has a thousand pieces. The rest of such a header is left out with a warning. */
const SEGMENTS = 1_000;
/** The type or disposition is looked for in this many characters. */
const MAIN_VALUE_LENGTH = 400;
/** Senders write these without quotes, even with spaces and parentheses, and programs show the whole text. */
const FREE_TEXT_NAMES = new Set(['name', 'filename']);
/** Characters that end a token: white space to some programs, and all special characters to strict ones (RFC 2045 §5.1). */
const TOKEN_ENDS = [/[\s]/, /[\s()<>@,;:\\"/[\]?=]/];

/** Both readings, the search for links and the rebuilding ask for the same values, and most mails have the same few. */
const REMEMBERED = 200;
/** Longer values are read each time, because an attacker may make megabytes of them. */
const REMEMBERED_LENGTH = 400;

/** Reads a structured header value. Linear in its length. Never throws. */
export const parseStructured: (raw: string) => StructuredValue = remembered(
  { most: REMEMBERED, keyOf: (raw) => (raw.length > REMEMBERED_LENGTH ? null : raw) },
  readStructured,
);

function readStructured(raw: string): StructuredValue {
  const cursor: Cursor = { raw, at: 0, problem: null };
  const value = readMainValue(cursor);
  const segments: Segment[] = [];
  while (cursor.at < raw.length) {
    if (segments.length >= SEGMENTS) {
      cursor.problem = 'too many header parameters';
      break;
    }
    const segment = readSegment(cursor);
    if (segment !== null) segments.push(segment);
  }
  return { value, params: joinSegments(segments, cursor), problem: cursor.problem };
}

/** Parameters whose values have no case (RFC 2046 §4.1.2, RFC 3676 §4). */
const CASELESS = new Set(['charset', 'format', 'delsp']);

/**
 * Returns true when repeated values of one field are the same to every program: they have the same parameters, and are written alike but
 * for white space and the case of a charset.
 *
 * @example
 * ```ts
 * areSameValues(['text/plain; charset=utf-8', 'text/plain;charset=UTF-8']); // => true
 * ```
 */
export function areSameValues(raws: readonly string[]): boolean {
  const written = new Set(
    raws.map((raw) =>
      raw
        .replace(/[ \t]*([;=])[ \t]*/g, '$1')
        .replace(/;$/, '')
        .toLowerCase(),
    ),
  );
  if (written.size > 1) return false;
  return new Set(raws.map((raw) => meaningOf(parseStructured(raw)))).size <= 1;
}

function meaningOf({ value, params, problem }: StructuredValue): string {
  const read = [...params].map(([name, values]) => [name, values.map((each) => meaningOfParam(name, each))]);
  return JSON.stringify([value, read, problem]);
}

function meaningOfParam(name: string, { bytes, charset, shorter }: ParamValue): string {
  return JSON.stringify([CASELESS.has(name) ? bytes.toLowerCase() : bytes, charset, shorter]);
}

/** Returns true when a parameter is given more than once, and not always with the same value. */
export function hasTwoValues(name: string, values: readonly ParamValue[]): boolean {
  return new Set(values.map((value) => meaningOfParam(name, value))).size > 1;
}

interface Cursor {
  readonly raw: string;
  at: number;
  problem: string | null;
}

function upTo(cursor: Cursor, end: number): string {
  const text = cursor.raw.slice(cursor.at, end < 0 ? cursor.raw.length : end);
  cursor.at = end < 0 ? cursor.raw.length : end;
  return text;
}

/** Lenient programs find the parameters of `type/subtype boundary=x` and `type/subtype: boundary=x`, too. */
const WITHOUT_SEMICOLON = /^([ \t]*[^\s:,;()="]+)[\s:,]+(?=[\w*-]{1,40}[ \t]*=)/;

function readMainValue(cursor: Cursor): string {
  const loose = WITHOUT_SEMICOLON.exec(cursor.raw.slice(0, MAIN_VALUE_LENGTH));
  if (loose !== null) {
    cursor.problem = 'a MIME header without its semicolon';
    cursor.at = loose[0].length;
    return trimBlanks(loose[1] ?? '').toLowerCase();
  }
  const text = trimBlanks(upTo(cursor, cursor.raw.indexOf(';')));
  const plain = withoutComments(text);
  if (plain !== text) cursor.problem = 'a comment in a MIME header';
  return plain.toLowerCase();
}

/** Reads `; name=value` at the cursor. Returns null when there is no parameter. */
function readSegment(cursor: Cursor): Segment | null {
  const { raw } = cursor;
  while (cursor.at < raw.length && (raw[cursor.at] === ';' || isBlank(raw[cursor.at]))) cursor.at++;
  const nameStart = cursor.at;
  while (cursor.at < raw.length && raw[cursor.at] !== '=' && raw[cursor.at] !== ';') cursor.at++;
  const label = trimBlanks(raw.slice(nameStart, cursor.at)).toLowerCase();
  if (raw[cursor.at] !== '=') {
    if (label !== '') cursor.problem = 'a header parameter without a value';
    return null;
  }
  cursor.at++;
  while (isBlank(raw[cursor.at])) cursor.at++;
  const { name, section, isExtended } = splitLabel(withoutComments(label));
  if (label.includes('(')) cursor.problem = 'a comment in a MIME header';
  else if (!/^[a-z0-9!#$&^_.+-]+$/.test(name)) cursor.problem = 'a malformed header parameter name';
  if (raw[cursor.at] === '"') return { name, section, isExtended, text: readQuoted(cursor), shorter: [] };
  const text = readToken(cursor, name);
  return { name, section, isExtended, text, shorter: FREE_TEXT_NAMES.has(name) ? shorterReadings(text) : [] };
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}

/** Splits `filename*1*` into its name, its section and whether its value is percent-encoded (RFC 2231 §3, §4). */
function splitLabel(label: string): { name: string; section: number; isExtended: boolean } {
  const match = /^([^*]*)(?:\*(\d{1,4}))?(\*)?$/.exec(label);
  if (match === null) return { name: label, section: -1, isExtended: false };
  return {
    name: trimBlanks(match[1] ?? ''),
    section: match[2] === undefined ? -1 : Number(match[2]),
    isExtended: match[3] !== undefined,
  };
}

function readQuoted(cursor: Cursor): string {
  const { raw } = cursor;
  let text = '';
  let start = ++cursor.at;
  for (; cursor.at < raw.length && raw[cursor.at] !== '"'; cursor.at++) {
    // Only \" and \\ are escapes in practice, because senders write C:\tmp\x.exe unescaped.
    if (raw[cursor.at] !== '\\' || !'"\\'.includes(raw[cursor.at + 1] ?? 'x')) continue;
    text += raw.slice(start, cursor.at);
    start = ++cursor.at;
  }
  text += raw.slice(start, cursor.at);
  if (raw[cursor.at] !== '"') cursor.problem = 'an unclosed quote in a MIME header';
  cursor.at++;
  const rest = trimBlanks(upTo(cursor, raw.indexOf(';', cursor.at)));
  if (rest !== '') cursor.problem = 'text after a quoted header parameter';
  return text;
}

function readToken(cursor: Cursor, name: string): string {
  const text = trimBlanks(upTo(cursor, cursor.raw.indexOf(';', cursor.at)));
  if (!FREE_TEXT_NAMES.has(name) && /[\s"'()<>@,]/.test(text) && !/^[\w.+-]*'[\w-]*'[^\s"()<>@,]*$/.test(text))
    cursor.problem = 'an unquoted header parameter with special characters';
  return text;
}

/** Returns the values of programs that stop earlier: `run.bat readme.txt` is `run.bat` to a program that stops at the blank. */
function shorterReadings(text: string): string[] {
  const cuts = TOKEN_ENDS.map((end) => text.search(end)).filter((at) => at > 0);
  return [...new Set(cuts.map((at) => text.slice(0, at)))];
}

function joinSegments(segments: readonly Segment[], cursor: Cursor): Map<string, ParamValue[]> {
  const params = new Map<string, ParamValue[]>();
  const pieces = new Map<string, Segment[]>();
  for (const segment of segments) {
    if (segment.section < 0) {
      const { text, shorter } = segment;
      const value = segment.isExtended ? joinExtended([segment]) : { bytes: text, charset: null, shorter };
      append(params, segment.name, value);
    } else append(pieces, segment.name, segment);
  }
  for (const [name, list] of pieces) {
    list.sort((one, other) => one.section - other.section);
    if (list.some((segment, index) => segment.section !== index))
      cursor.problem = 'a gap in a continued header parameter';
    if (list.some((segment) => segment.shorter.length > 0))
      cursor.problem = 'an unquoted piece of a header parameter with special characters';
    append(params, name, joinExtended(list));
  }
  return params;
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Joins the pieces of a value and decodes those that are marked as percent-encoded. The first piece names the charset. */
function joinExtended(segments: readonly Segment[]): ParamValue {
  let charset: string | null = null;
  let bytes = '';
  for (const [index, segment] of segments.entries()) {
    let text = segment.text;
    const match = index === 0 && segment.isExtended ? /^([^']*)'[^']*'/.exec(text) : null;
    if (match !== null) {
      charset = (match[1] ?? '').toLowerCase() || null;
      text = text.slice(match[0].length);
    }
    bytes += segment.isExtended ? percentDecoded(text) : text;
  }
  return { bytes, charset, shorter: [] };
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
