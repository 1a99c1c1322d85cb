/** Splits the text of YARA rules into tokens. */
import { NotUnderstood } from './need.ts';

export interface Token {
  readonly kind: 'word' | 'string' | 'text' | 'regexp' | 'hex' | 'number' | 'sign';
  /** As it is written, with its quotes. */
  readonly text: string;
}

const COMMENT = String.raw`\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/`;
const SPACE = new RegExp(String.raw`(?:\s|${COMMENT})+`, 'y');
const HEX = new RegExp(String.raw`\{(?:[^}/]|${COMMENT})*\}`, 'y');

/** In the order in which they are tried. YARA divides with a backslash, so a slash that begins no comment begins a regular expression. */
const TOKENS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['word', /[A-Za-z_]\w*/y],
  // `$a*` stands for all strings whose names begin like that.
  ['string', /\$\w*\*?|[#@]\w*|!(?!=)\w*/y],
  ['text', /"(?:[^"\\\n]|\\[^\n])*"/y],
  ['regexp', /\/(?:[^/\\\n]|\\[^\n])+\/\w*/y],
  ['number', /0x[0-9a-fA-F]+|0o[0-7]+|\d+(?:\.\d+)?(?:KB|MB)?/y],
  ['sign', /==|!=|<=|>=|<<|>>|\.\.|[-+*\\%&^|~<>=(){}[\],.:]/y],
];

/** Returns the tokens without spaces and comments. Throws `NotUnderstood`. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = skipped(source, 0);
  while (at < source.length) {
    const token = isHexNext(source, at, tokens) ? readAs('hex', HEX, source, at) : tokenAt(source, at);
    tokens.push(token);
    at = skipped(source, at + token.text.length);
  }
  return tokens;
}

/** A brace opens a hex string behind an equals sign, and a rule everywhere else. */
function isHexNext(source: string, at: number, before: readonly Token[]): boolean {
  return source[at] === '{' && before.at(-1)?.text === '=';
}

function tokenAt(source: string, at: number): Token {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return { kind, text };
  }
  throw new NotUnderstood('a character that begins no token');
}

function readAs(kind: Token['kind'], pattern: RegExp, source: string, at: number): Token {
  pattern.lastIndex = at;
  const text = pattern.exec(source)?.[0];
  if (text === undefined) throw new NotUnderstood(`a ${kind} string without an end`);
  return { kind, text };
}

function skipped(source: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(source)?.[0].length ?? 0);
}
