/** Reads PDF syntax in linear time (ISO 32000-1, 7.2 to 7.3), far enough to tell names and strings from text. */

export type PdfToken =
  /** `escaped` is true when letters of the name, which need no escape, were written with one. */
  | { readonly kind: 'name'; readonly value: string; readonly escaped: boolean }
  /** `isCut` is true when only the beginning was kept. */
  | { readonly kind: 'string'; readonly value: string; readonly isCut: boolean }
  | { readonly kind: 'other'; readonly value: string };

/** The longest value of a string that is kept. The rest is skipped, because no link and no script of a form has megabytes. */
const MAX_STRING_LENGTH = 65_536;

const TOKEN =
  /%[^\r\n]*|\/([^\s\0()<>[\]{}/%]*)|(\()|<(?!<)([0-9a-fA-F\s]*)>|<<|>>|[[\]{}]|[^\s\0()<>[\]{}/%]+|[()<>]/g;

/** Calls `visit` with each token and the name before it, if the token directly follows one. */
export function readTokens(text: string, visit: (token: PdfToken, afterName: string | null) => void): void {
  const pattern = new RegExp(TOKEN);
  let before: string | null = null;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [whole, name, opening, hex] = match;
    if (whole.startsWith('%')) continue;
    const token = toToken(text, pattern, whole, name, opening, hex);
    visit(token, before);
    before = token.kind === 'name' ? token.value : null;
  }
}

function toToken(
  text: string,
  pattern: RegExp,
  whole: string,
  name: string | undefined,
  opening: string | undefined,
  hex: string | undefined,
): PdfToken {
  if (name !== undefined)
    return { kind: 'name', value: withoutEscapes(name), escaped: /#(?:[46][1-9a-f]|[57][0-9a])/i.test(name) };
  if (hex !== undefined) return { kind: 'string', value: decodeHex(hex), isCut: hex.length > MAX_STRING_LENGTH };
  if (opening === undefined) return { kind: 'other', value: whole };
  const end = stringEnd(text, pattern.lastIndex);
  const from = pattern.lastIndex;
  const value = text.slice(from, Math.min(end - 1, from + MAX_STRING_LENGTH));
  pattern.lastIndex = end;
  return { kind: 'string', value: unescapeString(value), isCut: end - 1 > from + MAX_STRING_LENGTH };
}

/**
 * Returns the pieces in which the syntax of a document must be read, one for each object. A reader jumps to an object by its offset and
 * ignores an open parenthesis between two objects. Read as one text, such a parenthesis would hide the next object from us.
 */
export function objectsIn(syntax: string): string[] {
  return cut(
    syntax,
    [...syntax.matchAll(/\d{1,10}\s{1,9}\d{1,9}\s{1,9}obj|trailer/g)].map(({ index }) => index),
  );
}

/**
 * Returns the objects of an object stream (ISO 32000-1, 7.5.7), in the order of their places. It starts with pairs of number and offset,
 * counted from `/First`, in any order; two numbers can have one place. The text in front of the objects has no number.
 */
export function objectsInStream(dictionary: string, content: string): { number: number | null; text: string }[] {
  const first = Number(/\/First\s{0,9}(\d{1,9})/.exec(dictionary)?.[1] ?? 0);
  const digits = (content.slice(0, first).match(/\d{1,10}/g) ?? []).map(Number);
  const pairs = digits.flatMap((number, index) => {
    const offset = digits[index + 1];
    return index % 2 === 0 && offset !== undefined ? [{ number, at: first + offset }] : [];
  });
  const places = [...new Set(pairs.map(({ at }) => at))].sort((one, other) => one - other);
  const endOf = new Map(places.map((at, index) => [at, places[index + 1]]));
  return [
    { number: null, text: content.slice(0, places[0]) },
    ...pairs.map(({ number, at }) => ({ number, text: content.slice(at, endOf.get(at)) })),
  ];
}

/** Returns the number of the object with which a piece begins, or null where it does not say so. */
export function numberOf(piece: string): number | null {
  const number = /^(\d{1,10})\s{1,9}\d{1,9}\s{1,9}obj/.exec(piece)?.[1];
  return number === undefined ? null : Number(number);
}

function cut(text: string, offsets: readonly number[]): string[] {
  const sorted = [...new Set([0, ...offsets])].sort((one, other) => one - other);
  return sorted.map((offset, index) => text.slice(offset, sorted[index + 1]));
}

/** Decodes a name, or all names of a text: `/J#61vaScript` is `/JavaScript`. The escapes exist for spaces, and attacks use them to hide names. */
export function withoutEscapes(name: string): string {
  if (!name.includes('#')) return name;
  return name.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function decodeHex(hex: string): string {
  return Buffer.from(hex.slice(0, MAX_STRING_LENGTH).replace(/\s/g, ''), 'hex').toString('latin1');
}

/** Returns the index behind the parenthesis that closes the string at `from`. Parentheses nest, and a backslash escapes one. */
function stringEnd(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x5c) at++;
    else if (char === 0x28) depth++;
    else if (char === 0x29 && --depth === 0) return at + 1;
  }
  return text.length;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Decodes in one pass. The backslash that an escape yields begins no other escape (ISO 32000-1, table 3). */
function unescapeString(value: string): string {
  return value.replace(
    /\\(?:([0-7]{1,3})|(\r\n|[\r\n])|([\s\S]))/g,
    (_, octal?: string, lineEnd?: string, one = '') => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return lineEnd === undefined ? (ESCAPED[one] ?? one) : '';
    },
  );
}
