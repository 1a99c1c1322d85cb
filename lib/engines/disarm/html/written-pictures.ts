/**
 * Background pictures in style, by the rules of pictures in a page. A picture of the message or inside the page stays. A picture of another
 * server leaves only its identity (formats/pictures/held-picture.ts). CSS Syntax Level 3.
 */
import type { CSSToken } from '@csstools/css-tokenizer';
import { HELD_WORD } from '../../../formats/pictures/held-picture.ts';
import { TokenType } from './css-tokens.ts';
import { heldPicture, isRasterData } from './links.ts';
import { names } from './rules.ts';

const BACKGROUNDS = names('background background-image');
/** In style, a quote, a bracket or a backslash could end the address for some programs. */
const MESSAGE_PICTURE = /^cid:[\w.@$%=-]{1,250}$/i;

/** The tokens of a value with its background pictures replaced. */
export interface Backgrounds {
  readonly tokens: readonly CSSToken[];
  /** The same without pictures of other servers; null when there are none. */
  readonly withoutRemote: readonly CSSToken[] | null;
}

/** Returns the value of a property with the pictures that it may show. Returns null when it loads anything else. */
export function writtenBackgrounds(property: string, tokens: readonly CSSToken[]): Backgrounds | null {
  if (!tokens.some(isLoad)) return { tokens, withoutRemote: null };
  if (!BACKGROUNDS.has(property)) return null;
  const written: CSSToken[] = [];
  const withoutRemote: CSSToken[] = [];
  let isRemote = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as CSSToken;
    if (!isLoad(token)) {
      written.push(token);
      withoutRemote.push(token);
      continue;
    }
    const { address, end } = addressAt(tokens, at);
    const picture = address === null ? null : pictureOf(address);
    if (picture === null) return null;
    const isHeld = picture.startsWith(HELD_WORD);
    isRemote ||= isHeld;
    written.push(wordOf(token, picture));
    withoutRemote.push(wordOf(token, isHeld ? 'none' : picture));
    at = end;
  }
  return { tokens: written, withoutRemote: isRemote ? withoutRemote : null };
}

const isLoad = ([type, text]: CSSToken) =>
  type === TokenType.URL || (type === TokenType.Function && /^url\($/i.test(text));

/** Returns the address of a load that begins at a token, and its last token. */
function addressAt(tokens: readonly CSSToken[], at: number): { readonly address: string | null; readonly end: number } {
  const token = tokens[at] as CSSToken;
  if (token[0] === TokenType.URL) return { address: token[4].value, end: at };
  const end = tokens.findIndex(([type], place) => place > at && type === TokenType.CloseParen);
  const [string, ...others] = tokens.slice(at + 1, end).filter(([type]) => type !== TokenType.Whitespace);
  const isAlone = end !== -1 && string?.[0] === TokenType.String && others.length === 0;
  return { address: isAlone ? string[4].value : null, end };
}

/** Returns the text for an address in the written value; null when no text is allowed there. */
function pictureOf(address: string): string | null {
  const trimmed = address.trim();
  if (MESSAGE_PICTURE.test(trimmed)) return `url("${trimmed}")`;
  // A program that takes a style sheet for UTF-7 reads `+ADw-` as a bracket.
  if (isRasterData(trimmed)) return `url("${trimmed.replace(/\s+/g, '').replaceAll('+', '%2B')}")`;
  const digest = heldPicture(trimmed, null);
  return digest === null ? null : `${HELD_WORD}${digest}`;
}

const OWN_LOAD =
  /^url\("(?:cid:[\w.@$%=-]{1,250}|data:image\/(?:png|jpe?g|gif|webp|bmp)(?:;[a-z0-9=-]+)*;base64,[a-z0-9/=%]*)"\)$/i;

/** Returns true for a load that this code wrote. No word of CSS is spelled like one. */
export const isOwnLoad = (text: string) => OWN_LOAD.test(text);

/** Returns a token unchanged. */
const wordOf = ([, , from, to]: CSSToken, text: string): CSSToken => [TokenType.Ident, text, from, to, { value: text }];
