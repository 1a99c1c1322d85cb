/**
 * Style that no program acts on: every declaration, wherever a program thinks that it stands, has a property of a closed list and a value
 * of plain words, numbers, strings, colours and functions of a closed list. CSS Syntax Level 3, and what Word adds to it.
 */
import { remembered } from './css.ts';
import { WORD_PROPERTIES, wordValue } from './listed-word-style.ts';

/** Properties of CSS, with the prefixes of browsers. None of them names a program, a behaviour or a place but by `url()`. */
const PROPERTIES =
  /^(?:-(?:webkit|moz|ms|o|apple|epub)-)?(?:accelerator|accent-color|align-(?:content|items|self)|all|animation(?:-[a-z]+){0,3}|appearance|aspect-ratio|backface-visibility|background(?:-[a-z]+){0,2}|block-size|border(?:-[a-z]+){0,3}|bottom|box-(?:align|decoration-break|direction|flex|orient|pack|shadow|sizing)|break-(?:after|before|inside)|caption-side|caret-color|clear|clip|clip-path|color|color-(?:adjust|scheme)|supported-color-schemes|print-color-adjust|column(?:-[a-z]+){1,2}|columns|contain|content|counter-(?:increment|reset)|cursor|device-width|direction|display|empty-cells|fill|filter|flex(?:-[a-z]+)?|float|flow|font(?:-[a-z]+){0,3}|forced-color-adjust|gap|grid(?:-[a-z]+){0,2}|height|high-contrast-adjust|hyphens|hyphenate-[a-z]+|hyphenate-limit-[a-z]+|image-rendering|inline-size|inset(?:-[a-z]+){0,2}|interpolation-mode|isolation|justify-(?:content|items|self)|layout-(?:flow|grid(?:-[a-z]+)?)|left|letter-spacing|line-(?:break|clamp|height)|list-style(?:-[a-z]+)?|margin(?:-[a-z]+){0,2}|marks|mask(?:-[a-z]+){0,2}|max-(?:device-)?(?:height|width|zoom)|min-(?:device-)?(?:height|width|zoom)|mix-blend-mode|nbsp-mode|object-(?:fit|position)|opacity|order|orientation|orphans|outline(?:-[a-z]+)?|overflow(?:-[a-z]+){0,2}|overscroll-behavior|padding(?:-[a-z]+){0,2}|page|page-break-(?:after|before|inside)|perspective|pointer-events|position|punctuation-wrap|quotes|resize|right|rotation|row-gap|ruby-(?:align|position)|scroll-behavior|scrollbar-[a-z0-9-]{1,30}|size|speak|src|stroke(?:-[a-z]+)?|tab-(?:interval|size|stops)|table-(?:border-color-(?:dark|light)|layout)|tap-highlight-color|text(?:-[a-z]+){1,3}|text|top|touch-(?:action|callout)|transform(?:-[a-z]+)?|transition(?:-[a-z]+){0,2}|unicode-(?:bidi|range)|user-(?:modify|select|zoom)|vertical-align|visibility|white-space(?:-collapse)?|widows|width|will-change|word-(?:break|spacing|wrap)|wrap-(?:flow|margin)|writing-mode|z-index|zoom|overflow-scrolling|osx-font-smoothing|panose-1|language|flip|antialias|v-text-anchor|vnd\.ms-excel\.numberformat|--[a-z][a-z0-9-]{0,60})$/;
const FUNCTIONS =
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color-mix|light-dark|calc|min|max|clamp|var|env|alpha|minmax|repeat|fit-content|format|local|counters?|attr|rect|inset|circle|ellipse|polygon|cubic-bezier|steps|matrix(?:3d)?|perspective|translate(?:3d|[xyz])?|scale(?:3d|[xyz])?|rotate(?:3d|[xyz])?|skew[xy]?|blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia|(?:-webkit-|-moz-|-o-|-ms-)?(?:repeating-)?(?:linear|radial|conic)-gradient|-webkit-gradient|from|to|color-stop)$/i;
/** Behind the strings and loads that were taken out of it, a value is words, numbers, colours and brackets. */
const VALUE = /^(?!.*mso-)[\p{L}\p{N}\p{Co}\s#%.,()+/*=!_$@?|&~-]*$/isu;
/** A name of a character, and a hack for browsers of old. */
const ESCAPED_VALUE = /\\(?:[0-9a-f]{1,6}|[.@#,%*_$/;-])/gi;
/** An escaped quote ends it for programs that know no escapes. */
const STRING = /"(?:[^"\\\n\r<>]|\\[^\n\r<>"'])*"|'(?:[^'\\\n\r<>]|\\[^\n\r<>"'])*'/g;
/** What a value may load: a thing of the web or of the message. Its URL is found and judged like every other. */
const LOAD =
  /url\(\s*(?:(["'])(?:https?:\/\/|cid:)[^"'()\\<>\s]*\1|(?:https?:\/\/|cid:)(?:[^"'()\\<>\s;]|;(?=\d))*|(["']?)data:(?:image\/(?:png|jpe?g|gif|webp|bmp)|font\/[a-z0-9-]{1,20}|application\/(?:x-)?font-[a-z0-9-]{1,20})(?:;charset=[\w-]{1,20})?;base64,[a-z0-9+/=]*\2)\s*\)/gi;
const OUTLOOK_BEHAVIOUR = /behavior\s*:\s*url\(#default#vml\)/gi;

/** The start of a rule: selectors, with what they escape, or the head of a block. */
const SELECTOR = /^(?!.*(?:^|[^.#\w-])mso-)(?:[\p{L}\p{N}\s.#*>+~:,[\]=()^$|_%-]|""|\\[^\n\r<>"'])*$/su;
const BLOCKS =
  /^@(?:media|supports|container|layer|font-face|page|list|viewport|-ms-viewport|-o-viewport|(?:-webkit-|-moz-|-o-)?keyframes)(?![\w-])(?:[\p{L}\p{N}\s.,:()>=/_%-]|\\[09])*$/iu;
/** A style sheet of the web, and what stands for it once it is judged: a character that no style holds. */
const IMPORT =
  /@import\s+(?:url\(\s*(["']?)https?:\/\/(?:[^"'()\\<>\s;]|;(?=\d))*\1\s*\)|(["'])https?:\/\/[^"'()\\<>\s]*\2)/gi;
const IMPORTED = '\x01';
const STATEMENTS = new RegExp(`^(?:@charset\\s+""|${IMPORTED}[\\w\\s,:()-]*)$`, 'i');

/** True for the value of a style attribute of which every declaration is on the list. */
export const isListedStyle = remembered((style) => {
  const pieces = reduced(style);
  if (pieces === null || /[{}]/.test(pieces)) return false;
  return pieces.split(';').every((piece) => piece.trim() === '' || isListedDeclaration(piece));
});

/**
 * True for a style sheet made of listed declarations, wherever the blocks around them open and close: what a program takes for the
 * one or the other is harmless as both.
 */
export function isListedSheet(sheet: string): boolean {
  const pieces = reduced(sheet.replaceAll('<!--', ' ').replaceAll('-->', ' '));
  if (pieces === null) return false;
  // Each piece with the character behind it: a brace opens what was the head of a rule.
  for (const [, piece = '', end] of pieces.matchAll(/([^{};]*)([{};]|$)/g)) {
    const text = piece.trim();
    if (text === '') continue;
    const isListed = end === '{' ? SELECTOR.test(text) || BLOCKS.test(text) : isStatement(text);
    if (!isListed) return false;
  }
  return true;
}

const isStatement = (text: string) => STATEMENTS.test(text) || isListedDeclaration(text);

/** Without comments, strings and loads, so that what is left can be split; null when one of them could be something else. */
function reduced(css: string): string | null {
  const plain = withoutComments(css);
  if (plain === null || plain.includes(IMPORTED)) return null;
  const left = plain
    .replace(OUTLOOK_BEHAVIOUR, '')
    .replace(IMPORT, IMPORTED)
    .replace(LOAD, 'url()')
    .replace(STRING, '""');
  // Of a string that is not closed, nobody knows where it ends.
  return /['<]|(?:^|[^"])"(?:[^"]|$)/.test(left) ? null : left;
}

/** A comment says something to people. One that could be style to a program is not taken for one. */
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
  // Old browsers take a declaration with a star or a bar before it, and others do not.
  const property = declaration.slice(0, Math.max(colon, 0)).trim().replace(/^[*_]/, '').toLowerCase();
  const value = declaration
    .slice(colon + 1)
    .trim()
    .replace(ESCAPED_VALUE, ' ');
  if (property.startsWith('mso-')) return WORD_PROPERTIES.test(property) && wordValue(property, value);
  if (!PROPERTIES.test(property)) return false;
  return VALUE.test(value.replaceAll('""', ' ')) && isBalanced(value) && areListedFunctions(value);
}

/** Where one bracket is left open, programs disagree on where the value ends. */
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
    if (name !== '' && !FUNCTIONS.test(name)) return false;
  return true;
}
