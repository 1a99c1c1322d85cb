/** Writes selectors anew: names of elements, classes, ids, attributes and states, and their combinators. */
import type { CSSToken } from '@csstools/css-tokenizer';
import { type CssTokens, piecesOf, TokenType } from './css-tokens.ts';
import { WRITTEN_STATES } from './written-style-names.ts';

/** The most tokens of one selector. */
const SELECTOR_TOKENS = 60;
const NAME = /^(?!mso-)[a-z_-][\w-]{0,80}$/i;
const CLASS_OR_ID = /^[a-z_-][\w-]{0,80}$/i;
const isId = (hash: string) => CLASS_OR_ID.test(hash.slice(1));
const STRING = /^(?:"[\w .:-]{0,80}"|'[\w .:-]{0,80}')$/;
const COUNT = /^(?:odd|even|\d{1,3}|\d{0,3}n)$/i;

/** Returns the selectors before a block that may stay, separated by commas; empty when none may stay. */
export function writtenSelectors(css: CssTokens, from: number, to: number): string {
  return piecesOf(css, { from, to, separator: TokenType.Comma })
    .flatMap((piece) => writtenSelector(css.tokens.slice(piece.from, piece.to)) ?? [])
    .join(', ');
}

function writtenSelector(untrimmed: readonly CSSToken[]): string | null {
  const tokens = trimmed(untrimmed);
  if (tokens.length === 0 || tokens.length > SELECTOR_TOKENS) return null;
  const written: string[] = [];
  let isAfterSign = true;
  for (let at = 0; at < tokens.length; ) {
    const part = partAt(tokens, at);
    if (part === null) return null;
    at += part.length;
    if (part.text === ' ') continue;
    const isSign = /^[>+~]$/.test(part.text);
    if (isSign && isAfterSign) return null;
    const isApart = isSign || isAfterSign || isBlank(tokens[at - part.length - 1]);
    written.push(isApart && written.length > 0 ? ` ${part.text}` : part.text);
    isAfterSign = isSign;
  }
  return isAfterSign ? null : written.join('');
}

const isBlank = (token: CSSToken | undefined) =>
  token?.[0] === TokenType.Whitespace || token?.[0] === TokenType.Comment;

function trimmed(tokens: readonly CSSToken[]): readonly CSSToken[] {
  const isContent = (token: CSSToken) => !isBlank(token) && token[0] !== TokenType.CDO && token[0] !== TokenType.CDC;
  const start = tokens.findIndex(isContent);
  return start === -1 ? [] : tokens.slice(start, tokens.findLastIndex(isContent) + 1);
}

interface Part {
  readonly text: string;
  /** Tokens. */
  readonly length: number;
}

function partAt(tokens: readonly CSSToken[], at: number): Part | null {
  const token = tokens[at];
  const [type, text] = token ?? [TokenType.EOF, ''];
  const next = tokens[at + 1];
  if (isBlank(token)) return { text: ' ', length: 1 };
  const isName = (type === TokenType.Ident && NAME.test(text)) || (type === TokenType.Hash && isId(text));
  if (isName) return { text, length: 1 };
  if (type === TokenType.OpenSquare) return attributeAt(tokens, at);
  if (type === TokenType.Delim) {
    if (/^[*>+~]$/.test(text)) return { text, length: 1 };
    const isClass = text === '.' && next?.[0] === TokenType.Ident && CLASS_OR_ID.test(next[1]);
    return isClass ? { text: `.${next[1]}`, length: 2 } : null;
  }
  return type === TokenType.Colon && next !== undefined ? stateAt(tokens, at, next) : null;
}

/** Writes a state such as `:hover` or `:nth-child(2n)`. */
function stateAt(tokens: readonly CSSToken[], at: number, [type, text]: CSSToken): Part | null {
  const state = text.toLowerCase();
  if (type === TokenType.Ident && WRITTEN_STATES.has(state)) return { text: `:${state}`, length: 2 };
  const [count, end] = [tokens[at + 2]?.[1] ?? '', tokens[at + 3]];
  const isCounted = /^nth-(?:child|of-type)\($/.test(state) && end?.[0] === TokenType.CloseParen && COUNT.test(count);
  return isCounted ? { text: `:${state}${count})`, length: 4 } : null;
}

/** Writes `[name]` or `[name="value"]`, with the five other signs. Nothing in the sheet loads, so no selector can reveal a match. */
function attributeAt(tokens: readonly CSSToken[], at: number): Part | null {
  const end = tokens.findIndex(([type], index) => index > at && type === TokenType.CloseSquare);
  const [name, ...rest] = tokens.slice(at + 1, Math.max(end, at + 1)).filter((token) => !isBlank(token));
  if (end === -1 || name?.[0] !== TokenType.Ident || !NAME.test(name[1])) return null;
  const length = end - at + 1;
  if (rest.length === 0) return { text: `[${name[1]}]`, length };
  const value = rest.at(-1);
  const sign = rest
    .slice(0, -1)
    .map(([, text]) => text)
    .join('');
  const isString = value?.[0] === TokenType.String && STRING.test(value[1]);
  const isName = value?.[0] === TokenType.Ident && NAME.test(value[1]);
  if (value === undefined || !/^[~|^$*]?=$/.test(sign) || !(isString || isName)) return null;
  return { text: `[${name[1]}${sign}"${isString ? value[1].slice(1, -1) : value[1]}"]`, length };
}
