/**
 * Writes style anew: declarations of listed properties, with values of words, numbers, colours, strings and listed functions. Everything
 * else is left out. So no value loads anything from elsewhere, and every program reads back what was meant. CSS Syntax Level 3.
 */
import type { CSSToken } from '@csstools/css-tokenizer';
import { isActiveCss, rememberedStyle } from './css.ts';
import { type CssTokens, cssTokens, piecesOf, TokenType } from './css-tokens.ts';
import { isOwnLoad, writtenBackgrounds } from './written-pictures.ts';
import { UPRIGHT_MARGINS, WRITTEN_FUNCTIONS, WRITTEN_PROPERTIES } from './written-style-names.ts';

/** The most characters of a style attribute. A longer one is dropped and not read, because an attacker can write megabytes. */
const STYLE_LENGTH = 8_192;
/** The most tokens of one value. A shadow or a gradient has thirty. */
const VALUE_TOKENS = 200;

/** Returns the declarations of a style attribute that may stay, in order. Empty when none may stay. */
export const writtenStyle = rememberedStyle((style) => {
  if (style.length > STYLE_LENGTH) return '';
  const css = cssTokens(style);
  return writtenDeclarations(css, 0, css.tokens.length);
});

/** True when `writtenStyle` leaves nothing out, comments included. */
export const isWholeStyle = rememberedStyle((style) => {
  if (style.length > STYLE_LENGTH) return false;
  const css = cssTokens(style);
  if (css.tokens.some(([type]) => type === TokenType.Comment)) return false;
  return piecesOf(css, { from: 0, to: css.tokens.length, separator: TokenType.Semicolon })
    .map(({ from, to }) => css.tokens.slice(from, to))
    .every((tokens) => tokens.every(isBlank) || writtenDeclaration(tokens)?.isWhole === true);
});

/** Returns the declarations among these tokens that may stay. Empty when a block stands among them. */
export function writtenDeclarations(css: CssTokens, from: number, to: number): string {
  const pieces = piecesOf(css, { from, to, separator: TokenType.Semicolon });
  return pieces.flatMap((piece) => writtenDeclaration(css.tokens.slice(piece.from, piece.to))?.text ?? []).join('; ');
}

const isBlank = ([type]: CSSToken) => type === TokenType.Whitespace || type === TokenType.Comment;

interface Written {
  readonly text: string;
  /** False when a picture of another server was in it. */
  readonly isWhole: boolean;
}

function writtenDeclaration(tokens: readonly CSSToken[]): Written | null {
  const [name, colon, ...rest] = withoutOuterBlanks(tokens, 1);
  if (name?.[0] !== TokenType.Ident || colon?.[0] !== TokenType.Colon || rest.length > VALUE_TOKENS) return null;
  const property = name[1].toLowerCase();
  const pictures = WRITTEN_PROPERTIES.test(property) ? writtenBackgrounds(property, rest) : null;
  if (pictures === null) return null;
  const own = declarationOf(property, pictures.tokens);
  if (own === null) return null;
  if (pictures.withoutRemote === null) return { text: own, isWhole: true };
  // A program that does not know the word for the picture uses the colour of the declaration before it.
  const before = declarationOf(property, pictures.withoutRemote);
  return { text: before === null ? own : `${before}; ${own}`, isWhole: false };
}

function declarationOf(property: string, tokens: readonly CSSToken[]): string | null {
  const value = writtenValue(tokens);
  if (value === null || (UPRIGHT_MARGINS.has(property) && /-[\d.]|\(/.test(value))) return null;
  const declaration = `${property}: ${value}`;
  return isActiveCss(declaration) ? null : declaration;
}

/** Returns the tokens without blanks at the beginning, at the end, and after the first `head` ones. */
function withoutOuterBlanks(tokens: readonly CSSToken[], head: number): CSSToken[] {
  const start = tokens.findIndex((token) => !isBlank(token));
  const own = start === -1 ? [] : tokens.slice(start);
  const behind = own.findIndex((token, at) => at >= head && !isBlank(token));
  return behind === -1 ? own : [...own.slice(0, head), ...own.slice(behind)];
}

const WORD = /^(?!.*mso-)[\p{L}_-][\p{L}\p{N}_-]*$/iu;
const NUMBER = /^-?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:%|[a-z]{1,5})?$/i;
const COLOUR = /^#[0-9a-f]{3,8}$/i;
const STRING = /^(?:"[\p{L}\p{N} ._-]*"|'[\p{L}\p{N} ._-]*')$/u;

/** Returns a value in the form that a page may contain, with one blank for any white space; null when anything in it is not listed. */
export function writtenValue(tokens: readonly CSSToken[]): string | null {
  const written: string[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const [type, text] = token;
    if (isBlank(token)) written.push(' ');
    else if (type === TokenType.Function && WRITTEN_FUNCTIONS.has(text.slice(0, -1).toLowerCase())) depth++;
    else if (type === TokenType.OpenParen && depth > 0) depth++;
    else if (type === TokenType.CloseParen && depth > 0) depth--;
    else if (!isPlain(tokens, at, depth)) return null;
    if (isBlank(token)) continue;
    if (needsBlank(tokens[at - 1], token)) written.push(' ');
    written.push(text);
  }
  const value = written.join('').replace(/ +/g, ' ').trim();
  return depth === 0 && value !== '' ? value : null;
}

const VALUES: ReadonlySet<string> = new Set([
  TokenType.Ident,
  TokenType.Number,
  TokenType.Dimension,
  TokenType.Percentage,
  TokenType.Hash,
  TokenType.String,
]);
const ENDS: ReadonlySet<string> = new Set([...VALUES, TokenType.CloseParen]);
const BEGINNINGS: ReadonlySet<string> = new Set([...VALUES, TokenType.Function, TokenType.OpenParen]);

/**
 * Returns true for two neighbours that need a blank between them, as in `50%auto` or `1.5.5`. Browsers read two values there. The second
 * look reads none, and it would hold the mail.
 */
const needsBlank = (before: CSSToken | undefined, token: CSSToken) =>
  before !== undefined && ENDS.has(before[0]) && BEGINNINGS.has(token[0]);

function isPlain(tokens: readonly CSSToken[], at: number, depth: number): boolean {
  const [type, text] = tokens[at] ?? [TokenType.EOF, ''];
  switch (type) {
    case TokenType.Ident:
      return WORD.test(text) || isOwnLoad(text);
    case TokenType.Number:
    case TokenType.Dimension:
    case TokenType.Percentage:
      return NUMBER.test(text);
    case TokenType.Hash:
      return COLOUR.test(text);
    case TokenType.String:
      return STRING.test(text);
    case TokenType.Comma:
      return true;
    case TokenType.Delim:
      return isPlainSign(tokens, at, text, depth);
    default:
      return false;
  }
}

/** Writes a slash between two values, a sum in a function, and the mark of an important declaration. */
function isPlainSign(tokens: readonly CSSToken[], at: number, sign: string, depth: number): boolean {
  if (sign === '/') return true;
  const next = tokens[at + 1];
  if (sign === '!')
    return depth === 0 && next?.[1].toLowerCase() === 'important' && tokens.slice(at + 2).every(isBlank);
  // There are blanks around the signs of a sum. Without them, `+` and the next letters could be a character of UTF-7.
  const before = tokens[at - 1];
  return /^[+*-]$/.test(sign) && depth > 0 && [before, next].every((token) => token?.[0] === TokenType.Whitespace);
}
