/**
 * Reads the declarations of a style attribute or a rule as CSS Syntax Level 3 does, so comments and escapes change nothing. The
 * lists of harmless properties and values are closed. All others may hide.
 */
import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';
import { type PlainDeclaration, plainDeclarations } from './plain-styles.ts';

/** The effect of style on an element. */
export interface StyleEffect {
  /** `hides`: the element is not shown, and leaves no edge. `joins`: its edges end no line. */
  readonly edges: 'hides' | 'joins' | null;
  /** True when the element is shown without its text. */
  readonly isBlank: boolean;
  /** True when the text may be out of sight, out of its place, or left out of a copy. */
  readonly mayHide: boolean;
}

/** The effect of ordinary style. */
export const NO_EFFECT: StyleEffect = { edges: null, isBlank: false, mayHide: false };

/** Values of `display` with which an element begins on its own line, or is laid out apart from its neighbours. */
const APART = /^(?:block|flow-root|list-item|flex|grid|table|-webkit-box|initial|unset|revert|inherit)$/;
const IN_LINE = /^(?:inline|contents|(?:inline-|table-|ruby|run-in).*)$/;
/** Properties that leave text in sight and in its place, whatever their value is, as long as it is literal. */
const HARMLESS = new RegExp(
  `^(?:${[
    '--.*',
    'mso-(?!hide$).*',
    '(?:-[a-z]+-)?text-size-adjust',
    '-webkit-(?:font-smoothing|tap-highlight-color)',
    '-moz-osx-font-smoothing',
    '-ms-interpolation-mode',
    '(?:background|border|padding|outline|list-style|page|text-decoration|text-underline|text-emphasis)(?:-.*)?',
    'font-(?:family|weight|style|stretch|variant.*|kerning|feature-settings|smoothing)',
    '(?:box|text)-shadow',
    'box-sizing|caption-side|clear|color|color-scheme|cursor|empty-cells|hyphens|line-break|line-height',
    'min-(?:width|height)|object-fit|orphans|overflow-wrap|tab-size|table-layout|text-align.*|text-justify',
    'text-rendering|text-transform|vertical-align|white-space|widows|word-break|word-wrap',
  ].join('|')})$`,
);
/** Properties that are harmless as long as none of their numbers is small, with the least such number of pixels. */
const LEAST: readonly (readonly [property: RegExp, pixels: number])[] = [
  [/^font(?:-size)?$/, 4],
  [/^(?:max-)?(?:width|height)$/, 4],
  [/^(?:margin(?:-.*)?|text-indent|word-spacing)$/, 0],
  [/^letter-spacing$/, -2],
  [/^opacity$/, 0.1],
];
/** Properties that are harmless with these values. */
const HARMLESS_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['display', new RegExp(`${APART.source}|${IN_LINE.source}`)],
  ['visibility', /^(?:visible|initial|unset|revert)$/],
  ['position', /^(?:static|relative)$/],
  ['overflow', /^visible$/],
  ['direction', /^ltr$/],
]);
const PIXELS: ReadonlyMap<string, number> = new Map([
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 38],
  ['mm', 3.8],
  ['em', 16],
  ['rem', 16],
  ['ex', 8],
  ['ch', 8],
  ['vw', 4],
  ['vh', 4],
  ['%', 0.16],
  ['', 1],
]);
/** Functions whose value is a colour, a picture or a text. All others (`var()`, `calc()`, `env()`, `attr()`) may give anything. */
const LITERAL_FUNCTION = /^(?:rgba?|hsla?|url|(?:-[a-z]+-)?(?:linear|radial)-gradient|format)\($/i;

/** Characters of a style attribute that is read. A longer one takes seconds, and may hide. */
const MAX_STYLE_LENGTH = 64 * 1024;

/** Returns what the declarations of a style attribute do. The last one of a property wins, but an earlier one may hide, too. */
export function effectOfStyle(style: string): StyleEffect {
  if (style.length > MAX_STYLE_LENGTH) return { ...NO_EFFECT, mayHide: true };
  const effects = new Map<string, StyleEffect>();
  let mayHide = false;
  const take = (name: string, effect: StyleEffect) => {
    mayHide ||= effect.mayHide;
    if (effect !== NO_EFFECT || effects.has(name)) effects.set(name, effect);
  };
  const plain = plainDeclarations(style);
  if (plain !== null) for (const declaration of plain) take(declaration.name, effectOfPlain(declaration));
  else for (const part of declarationsOf(style)) take(wordOf(part.find(isWritten)), effectOfDeclaration(part));
  const all = [...effects.values()].reduce(bothEffects, NO_EFFECT);
  return mayHide ? { ...all, mayHide } : all;
}

/** Returns the tokens of each declaration of a style attribute. */
export function declarationsOf(style: string): readonly CSSToken[][] {
  const parts: CSSToken[][] = [[]];
  for (const token of tokenize({ css: style })) {
    if (token[0] === TokenType.EOF) break;
    if (token[0] === TokenType.Semicolon) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

const MAY_HIDE: StyleEffect = { ...NO_EFFECT, mayHide: true };
/** Effects of plain declarations whose value decides. Pages repeat them. */
const keptEffects = new Map<string, StyleEffect>();
const MAX_KEPT_EFFECTS = 1_000;

function effectOfPlain({ name, text, isEmpty }: PlainDeclaration): StyleEffect {
  const kind = kindOf(name);
  if (isEmpty || kind === 'harmless') return NO_EFFECT;
  if (kind === 'unknown') return MAY_HIDE;
  const kept = keptEffects.get(text);
  if (kept !== undefined) return kept;
  const effect = effectOfDeclaration(declarationsOf(text)[0] ?? []);
  if (keptEffects.size < MAX_KEPT_EFFECTS) keptEffects.set(text, effect);
  return effect;
}

/** The kinds of the properties that were asked for. */
const kinds = new Map<string, 'harmless' | 'by value' | 'unknown'>();
const MAX_KEPT_KINDS = 1_000;

function kindOf(property: string) {
  const known = kinds.get(property);
  if (known !== undefined) return known;
  const isByValue =
    property === 'display' || HARMLESS_VALUES.has(property) || LEAST.some(([names]) => names.test(property));
  const kind = HARMLESS.test(property) ? 'harmless' : isByValue ? 'by value' : 'unknown';
  if (kinds.size < MAX_KEPT_KINDS) kinds.set(property, kind);
  return kind;
}

/** Returns one effect for two, of which the later one wins where both are certain. */
export function bothEffects(earlier: StyleEffect, later: StyleEffect): StyleEffect {
  if (later === NO_EFFECT) return earlier;
  if (earlier === NO_EFFECT) return later;
  return {
    edges: later.edges ?? earlier.edges,
    isBlank: earlier.isBlank || later.isBlank,
    mayHide: earlier.mayHide || later.mayHide,
  };
}

/** Returns what one declaration does. Tokens without a colon behind a name are no declaration, and do nothing. */
export function effectOfDeclaration(tokens: readonly CSSToken[]): StyleEffect {
  const [name, colon, ...value] = tokens.filter(isWritten);
  if (name?.[0] !== TokenType.Ident || colon?.[0] !== TokenType.Colon) return NO_EFFECT;
  const property = wordOf(name);
  const word = wordOf(value[0]);
  if (property === 'display' && word !== '') return effectOfDisplay(word);
  const isBlank = hidesText(property, word, value[0]);
  if (!isBlank && isHarmless(property, word, value)) return NO_EFFECT;
  return { edges: null, isBlank, mayHide: true };
}

function isWritten([type]: CSSToken): boolean {
  return type !== TokenType.Whitespace && type !== TokenType.Comment;
}

function effectOfDisplay(word: string): StyleEffect {
  if (word === 'none') return { edges: 'hides', isBlank: false, mayHide: true };
  if (APART.test(word)) return NO_EFFECT;
  return { edges: 'joins', isBlank: false, mayHide: !IN_LINE.test(word) };
}

function hidesText(property: string, word: string, value: CSSToken | undefined): boolean {
  if (property === 'visibility') return word === 'hidden' || word === 'collapse';
  return (property === 'font-size' || property === 'opacity') && value !== undefined && numberOf(value) === 0;
}

function isHarmless(property: string, word: string, value: readonly CSSToken[]): boolean {
  if (value.some(([type, text]) => type === TokenType.Function && !LITERAL_FUNCTION.test(text))) return false;
  if (HARMLESS.test(property) || value.length === 0) return true;
  const words = HARMLESS_VALUES.get(property);
  if (words !== undefined) return words.test(word);
  const least = LEAST.find(([names]) => names.test(property))?.[1];
  if (least === undefined) return false;
  // In `font` a number without a unit is a weight or the height of a line.
  return value.every((token) => (property === 'font' && isPositive(token)) || (numberOf(token) ?? least) >= least);
}

function isPositive(token: CSSToken): boolean {
  return token[0] === TokenType.Number && token[4].value > 0;
}

/** Returns a length in pixels, or the number of a value without a unit, or null for a token that is no number. */
function numberOf(token: CSSToken): number | null {
  const [type] = token;
  if (type !== TokenType.Number && type !== TokenType.Dimension && type !== TokenType.Percentage) return null;
  const { value } = token[4];
  const unit = type === TokenType.Dimension ? token[4].unit.toLowerCase() : type === TokenType.Percentage ? '%' : '';
  const pixels = PIXELS.get(unit);
  return pixels === undefined ? Number.NEGATIVE_INFINITY : value * pixels;
}

/** Returns a name with its escapes resolved, in lower case; empty for any other token. */
export function wordOf(token: CSSToken | undefined): string {
  const isName = token?.[0] === TokenType.Ident || token?.[0] === TokenType.Hash;
  return isName ? (token[4] as { readonly value: string }).value.toLowerCase() : '';
}
