/**
 * Recognises style on which no program acts. Every declaration, at any place where a program may see it, must have a property on a closed
 * list and a value of plain words, numbers, strings, colours and listed functions. CSS Syntax Level 3, and what Word adds to it.
 */

import { anyOf, oneOf } from '../../../formats/patterns.ts';
import { rememberedStyle } from './css.ts';
import { STYLE_FUNCTIONS, STYLE_PROPERTIES } from './listed-style-names.ts';
import { WORD_PROPERTIES, wordValue } from './listed-word-style.ts';

/** A value without its strings and loads: words, numbers, colours and brackets. */
const VALUE = /^(?!.*mso-)[\p{L}\p{N}\p{Co}\s#%.,()+/*=!_$@?|&~-]*$/isu;
/** An escaped character, or one of the tricks that hide style from old browsers. */
const ESCAPED_VALUE = /\\(?:[0-9a-f]{1,6}|[.@#,%*_$/;-])/gi;
/** A string. It contains no escaped quote, because that ends it for programs that do not know escapes. */
const STRING = /"(?:[^"\\\n\r<>]|\\[^\n\r<>"'])*"|'(?:[^'\\\n\r<>]|\\[^\n\r<>"'])*'/g;
/** The address that a value may load: something from the web or from the message. Its URL is found and judged like every other. */
const LOAD = anyOf(
  [
    /url\(\s*(?<quote>["'])(?:https?:\/\/|cid:)[^"'()\\<>\s]*\k<quote>\s*\)/,
    /url\(\s*(?:https?:\/\/|cid:)(?:[^"'()\\<>\s;]|;(?=\d))*\s*\)/,
    new RegExp(
      `url\\(\\s*(?<around>["']?)data:${oneOf(`
        image/(?:png|jpe?g|gif|webp|bmp) font/[a-z0-9-]{1,20} application/(?:x-)?font-[a-z0-9-]{1,20}
      `)}(?:;charset=[\\w-]{1,20})?;base64,[a-z0-9+/=%]*\\k<around>\\s*\\)`,
    ),
  ],
  'gi',
);
const OUTLOOK_BEHAVIOUR = /behavior\s*:\s*url\(#default#vml\)/gi;

/** The selectors at the start of a rule. */
const SELECTOR = /^(?!.*(?:^|[^.#\w-])mso-)(?:[\p{L}\p{N}\s.#*>+~:,[\]=()^$|_%-]|""|\\[^\n\r<>"'])*$/su;
const BLOCKS = new RegExp(
  `^@${oneOf(`
    media supports container layer font-face page list viewport -ms-viewport -o-viewport
    (?:-webkit-|-moz-|-o-)?keyframes
  `)}(?![\\w-])(?:[\\p{L}\\p{N}\\s.,:()>=/_%-]|\\\\[09])*$`,
  'iu',
);
/** A style sheet from the web. After it is judged, `IMPORTED` replaces it: a character that no style contains. */
const IMPORT = anyOf(
  [
    /@import\s+url\(\s*(?<quote>["']?)https?:\/\/(?:[^"'()\\<>\s;]|;(?=\d))*\k<quote>\s*\)/,
    /@import\s+(?<around>["'])https?:\/\/[^"'()\\<>\s]*\k<around>/,
  ],
  'gi',
);
const IMPORTED = '\x01';
const STATEMENTS = new RegExp(`^(?:@charset\\s+""|${IMPORTED}[\\w\\s,:()-]*)$`, 'i');

/** True when every declaration of a style attribute is on the list. */
export const isListedStyle = rememberedStyle((style) => {
  const pieces = reduced(style);
  if (pieces === null || /[{}]/.test(pieces)) return false;
  return pieces.split(';').every((piece) => piece.trim() === '' || isListedDeclaration(piece));
});

/**
 * Returns true for a style sheet of listed declarations, wherever the blocks around them open and close. Programs may differ in what they
 * take for a selector or a declaration, but each piece is harmless as either.
 */
export function isListedSheet(sheet: string): boolean {
  const pieces = reduced(sheet.replaceAll('<!--', ' ').replaceAll('-->', ' '));
  if (pieces === null) return false;
  // Each piece is read with the character after it. An opening brace shows that the piece was the head of a rule.
  for (const [, piece = '', end] of pieces.matchAll(/([^{};]*)([{};]|$)/g)) {
    const text = piece.trim();
    if (text === '') continue;
    const isListed = end === '{' ? SELECTOR.test(text) || BLOCKS.test(text) : isStatement(text);
    if (!isListed) return false;
  }
  return true;
}

const isStatement = (text: string) => STATEMENTS.test(text) || isListedDeclaration(text);

/**
 * Returns the style without comments, strings and loads, so that it can be split. Returns null when one of these could be something else.
 */
function reduced(css: string): string | null {
  const plain = withoutComments(css);
  if (plain === null || plain.includes(IMPORTED)) return null;
  const left = plain
    .replace(OUTLOOK_BEHAVIOUR, '')
    .replace(IMPORT, IMPORTED)
    .replace(LOAD, 'url()')
    .replace(STRING, '""');
  // Programs disagree about the end of an unclosed string.
  return /['<]|(?:^|[^"])"(?:[^"]|$)/.test(left) ? null : left;
}

/** Style without comments; null when a program could take a comment for style. */
function withoutComments(css: string): string | null {
  if (!css.includes('/*')) return css;
  const kept: string[] = [];
  let at = 0;
  for (let open = css.indexOf('/*'); open !== -1; open = css.indexOf('/*', at)) {
    kept.push(css.slice(at, open));
    const close = css.indexOf('*/', open + 2);
    const comment = css.slice(open + 2, close === -1 ? css.length : close);
    if (close === -1 || /[<>]|mso-(?:element|field|data|application|special)/i.test(comment)) return null;
    at = close + 2;
  }
  kept.push(css.slice(at));
  return kept.join(' ');
}

function isListedDeclaration(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  // Only old browsers obey a declaration with a star or an underscore before it.
  const property = declaration.slice(0, Math.max(colon, 0)).trim().replace(/^[*_]/, '').toLowerCase();
  const value = declaration
    .slice(colon + 1)
    .trim()
    .replace(ESCAPED_VALUE, ' ');
  if (property.startsWith('mso-')) return WORD_PROPERTIES.test(property) && wordValue(property, value);
  if (!STYLE_PROPERTIES.test(property)) return false;
  return VALUE.test(value.replaceAll('""', ' ')) && isBalanced(value) && areListedFunctions(value);
}

/** Returns false when a bracket is left open, because programs then disagree about the end of the value. */
function isBalanced(value: string): boolean {
  let open = 0;
  for (const [bracket] of value.matchAll(/[()]/g)) {
    open += bracket === '(' ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}

function areListedFunctions(value: string): boolean {
  for (const [, name = ''] of value.replaceAll('url()', '').matchAll(/([\w-]*)\(/g))
    if (name !== '' && !STYLE_FUNCTIONS.test(name)) return false;
  return true;
}
