/** JSON as people write settings: with line and block comments, and with a comma behind the last entry. */

export interface CommentedJson {
  /** The same as plain JSON. Spaces replace the comments, so every character keeps its place. */
  readonly json: string;
  /** The line of each key, by its path: `serve.port`. Lines are counted from 1. */
  readonly lines: ReadonlyMap<string, number>;
  /** Paths of keys that occur twice. Programs would differ in which one they use. */
  readonly repeated: readonly string[];
}

/** A comment, a text, a sign of the grammar, or anything else but space: a number, a word, a fault. */
interface Token {
  readonly kind: 'comment' | 'text' | 'sign' | 'other';
  readonly start: number;
  readonly end: number;
}

/** An open object or list, with the key or the number of the entry that is being read. */
interface Open {
  readonly isList: boolean;
  at: string | number;
}

/** Reads only the signs and the texts. `JSON.parse` decides whether the rest is JSON. Takes time in proportion to the text. */
export function withoutComments(text: string): CommentedJson {
  const lines = new Map<string, number>();
  const repeated: string[] = [];
  const blanks: Token[] = [];
  const opened: Open[] = [];
  const lineAt = lineCounter(text);
  let [before, last]: [Token | null, Token | null] = [null, null];
  for (const token of tokensOf(text)) {
    if (token.kind === 'comment') {
      blanks.push(token);
      continue;
    }
    const key = last?.kind === 'text' && signOf(text, token) === ':' ? last : null;
    if (last && isSpareComma(text, before, last, token)) blanks.push(last);
    follow(opened, signOf(text, token), key && keyIn(text.slice(key.start, key.end)));
    if (key && opened.at(-1)?.isList === false) {
      const path = opened.map(({ at }) => at).join('.');
      if (lines.has(path)) repeated.push(path);
      else lines.set(path, lineAt(key.start));
    }
    [before, last] = [last, token];
  }
  return { json: blanked(text, blanks), lines, repeated };
}

/** Returns the value of plain JSON, or a sentence about its fault with the line where the engine says it. */
export function jsonValue(json: string): { readonly value: unknown; readonly fault: string | null } {
  try {
    return { value: JSON.parse(json), fault: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? '' : `line ${json.slice(0, Number(position)).split('\n').length}: `;
    return { value: undefined, fault: `${line}it is not JSON: ${message}` };
  }
}

/** Returns the line of a key, to stand in front of its name; empty when the text does not have the key. */
export const lineText = (lines: ReadonlyMap<string, number>, path: string): string =>
  lines.has(path) ? `line ${lines.get(path)}: ` : '';

/** Returns a value as JSON for a message, cut after 80 characters. */
export function shownJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

const MAX_SHOWN_LENGTH = 80;

const signOf = (text: string, token: Token | null) => (token?.kind === 'sign' ? (text[token.start] ?? '') : '');

/** Removes a comma at the end: `[1,]` is `[1]`; `[,]` stays a fault. */
function isSpareComma(text: string, before: Token | null, last: Token, token: Token): boolean {
  const [value, comma, end] = [signOf(text, before), signOf(text, last), signOf(text, token)];
  return comma === ',' && (end === '}' || end === ']') && before !== null && !['{', '[', ',', ':'].includes(value);
}

/** Updates the list of open brackets after a sign. */
function follow(opened: Open[], sign: string, key: string | null): void {
  const top = opened.at(-1);
  if (sign === '{' || sign === '[') opened.push({ isList: sign === '[', at: 0 });
  if (sign === '}' || sign === ']') opened.pop();
  if (sign === ',' && top?.isList) top.at = Number(top.at) + 1;
  if (key !== null && top && !top.isList) top.at = key;
}

function keyIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const token = tokenAt(text, at);
    if (token === null) return;
    if (!/[ \t\r\n]/.test(text[at] ?? '')) yield token;
    at = token.end;
  }
}

/** Returns null at a comment without an end. It is no comment, so the text is no JSON. */
function tokenAt(text: string, start: number): Token | null {
  const sign = text[start] ?? '';
  // The byte order mark that some editors write at the start.
  if (start === 0 && sign === '\uFEFF') return { kind: 'comment', start, end: 1 };
  if (text.startsWith('//', start)) return { kind: 'comment', start, end: endOfLine(text, start) };
  if (text.startsWith('/*', start)) {
    const close = text.indexOf('*/', start + 2);
    return close < 0 ? null : { kind: 'comment', start, end: close + 2 };
  }
  if (sign === '"') return { kind: 'text', start, end: endOfText(text, start) };
  return { kind: '{}[]:,'.includes(sign) ? 'sign' : 'other', start, end: start + 1 };
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

/** Returns the line of a place. Places must come in order, so that the text is counted once. */
function lineCounter(text: string): (place: number) => number {
  let [line, at] = [1, 0];
  return (place) => {
    for (; at < place; at += 1) if (text[at] === '\n') line += 1;
    return line;
  };
}

function blanked(text: string, blanks: readonly Token[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of [...blanks].sort((one, other) => one.start - other.start)) {
    pieces.push(text.slice(at, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    at = end;
  }
  return pieces.join('') + text.slice(at);
}
