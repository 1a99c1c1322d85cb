/** Reads the values of a PDF (ISO 32000-2, 7.3) by a strict grammar. Text that programs read in different ways is no value. */

export type PdfValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool' | 'number'; readonly value: number }
  /** Names without their escapes, and the bytes of strings, as latin1. */
  | { readonly kind: 'name' | 'string'; readonly text: string }
  | { readonly kind: 'ref'; readonly number: number }
  | { readonly kind: 'array'; readonly items: readonly PdfValue[] }
  | { readonly kind: 'dict'; readonly entries: PdfDictEntries };
export type PdfDictEntries = ReadonlyMap<string, PdfValue>;

/** An object of a file, with the bytes of its stream. */
export interface PlainObject {
  readonly value: PdfValue;
  readonly data: Buffer | null;
}

const MAX_DEPTH = 60;
/** Cairo writes the number of a page as a comment. */
const SPACE = /(?:[\t\n\f\r ]|% \d{1,7}[\r\n])*/y;
const REFERENCE = /(\d{1,7})[\t\n\r ]+0[\t\n\r ]+R(?![^\s()<>[\]/])/y;
const NUMBER = /[+-]?(?:\d{1,15}\.?\d{0,15}|\.\d{1,15})(?![^\s()<>[\]/])/y;
const WORD = /(?:true|false|null)(?![^\s()<>[\]/])/y;
const NAME = /\/((?:[!-"$&'*-.0-;=?-Z\\^-z|~]|#[0-9A-Fa-f]{2})*)/y;
const HEX = /<((?:[0-9A-Fa-f][0-9A-Fa-f]|[\t\n\r ])*)>/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '(': '(',
  ')': ')',
  '\\': '\\',
};

/** A reader of values. `at` is the place of the next value. */
export interface PdfCursor {
  readonly text: string;
  at: number;
}

/** Returns the text that the pattern (sticky) matches here, with its first group, or null. */
export function take(cursor: PdfCursor, pattern: RegExp): { readonly all: string; readonly group: string } | null {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match === null) return null;
  cursor.at += match[0].length;
  return { all: match[0], group: match[1] ?? '' };
}

/** Returns the next value. Returns null when there is none that every program reads alike. Never throws. */
export function readValue(cursor: PdfCursor, depth = 0): PdfValue | null {
  take(cursor, SPACE);
  const { text, at } = cursor;
  if (depth > MAX_DEPTH) return null;
  if (text.startsWith('<<', at)) return readDict(cursor, depth);
  switch (text.charAt(at)) {
    case '[':
      return readArray(cursor, depth);
    case '(':
      return readLiteral(cursor);
    case '<':
      return readHex(cursor);
    case '/':
      return readName(cursor);
    default:
      return readPlain(cursor);
  }
}

function readPlain(cursor: PdfCursor): PdfValue | null {
  const reference = take(cursor, REFERENCE);
  if (reference !== null) return { kind: 'ref', number: Number(reference.group) };
  const number = take(cursor, NUMBER);
  if (number !== null) return { kind: 'number', value: Number(number.all) };
  const word = take(cursor, WORD)?.all;
  if (word === undefined) return null;
  return word === 'null' ? { kind: 'null' } : { kind: 'bool', value: word === 'true' ? 1 : 0 };
}

function readName(cursor: PdfCursor): PdfValue | null {
  const name = take(cursor, NAME);
  if (name === null) return null;
  const text = name.group.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { kind: 'name', text };
}

function readHex(cursor: PdfCursor): PdfValue | null {
  const hex = take(cursor, HEX);
  return hex && { kind: 'string', text: Buffer.from(hex.group.replace(/\s/g, ''), 'hex').toString('latin1') };
}

/** Reads a string. Line ends in it are not allowed, because programs may change them. */
function readLiteral(cursor: PdfCursor): PdfValue | null {
  const { text } = cursor;
  let found = '';
  let depth = 0;
  for (let at = cursor.at; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\r' || character === '\n') return null;
    if (character === '(' && depth++ === 0) continue;
    if (character === ')' && --depth === 0) {
      cursor.at = at + 1;
      return { kind: 'string', text: found };
    }
    if (character !== '\\') found += character;
    else {
      const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
      const escaped = octal ?? text.charAt(at + 1);
      const meant = octal === undefined ? ESCAPES[escaped] : String.fromCharCode(Number.parseInt(octal, 8));
      if (meant === undefined) return null;
      found += meant;
      at += escaped.length;
    }
  }
  return null;
}

function readArray(cursor: PdfCursor, depth: number): PdfValue | null {
  cursor.at += 1;
  const items: PdfValue[] = [];
  for (;;) {
    take(cursor, SPACE);
    if (cursor.text.charAt(cursor.at) === ']') {
      cursor.at += 1;
      return { kind: 'array', items };
    }
    const item = readValue(cursor, depth + 1);
    if (item === null) return null;
    items.push(item);
  }
}

/** Adds an entry. Keys that occur twice are refused, because programs take the first or the last. */
function readDict(cursor: PdfCursor, depth: number): PdfValue | null {
  cursor.at += 2;
  const entries = new Map<string, PdfValue>();
  for (;;) {
    take(cursor, SPACE);
    if (cursor.text.startsWith('>>', cursor.at)) {
      cursor.at += 2;
      return { kind: 'dict', entries };
    }
    const key = readName(cursor);
    const value = key === null ? null : readValue(cursor, depth + 1);
    if (key?.kind !== 'name' || value === null || entries.has(key.text)) return null;
    entries.set(key.text, value);
  }
}
