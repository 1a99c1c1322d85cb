/**
 * Reads the declarations that lay text out in another order than it is written in, or put text in front of and behind an element. Lengths
 * that are no plain numbers count as unknown.
 */
import { type CSSToken, TokenType } from '@csstools/css-tokenizer';
import type { Piece } from './mapped.ts';
import { declarationsOf, wordOf } from './style-declarations.ts';

/** Text that style makes: a literal, or the value of an attribute of the element. */
export type Generated = Piece | { readonly attribute: string };

/** How an element and its children are laid out. A property without a value is ordinary. */
export interface Layout {
  /** Its children stand side by side: `flex` and `grid`. */
  readonly isRow?: boolean;
  readonly isReversed?: boolean;
  readonly order?: number;
  readonly column?: number;
  readonly float?: 'left' | 'right';
  readonly isPlaced?: boolean;
  /** Its placed descendants start from it. */
  readonly isOrigin?: boolean;
  readonly left?: number;
  readonly top?: number;
  readonly isRightToLeft?: boolean;
  /** Each letter stands in its direction, also a Latin one. */
  readonly isOverridden?: boolean;
  readonly before?: readonly Generated[];
  readonly after?: readonly Generated[];
}

const SIGNAL = /float|posi|flex|grid|box|(?<!b)order|direction|bidi|ordinal|\\/i;

/** Returns what a style attribute says about layout, or null for nearly all. */
export function layoutOfStyle(style: string): Layout | null {
  if (!SIGNAL.test(style)) return null;
  return declarationsOf(style).reduce<Layout | null>(
    (all, part) => bothLayouts(all, layoutOfDeclaration(part, 0)),
    null,
  );
}

/** Returns one layout for two. The later one wins. */
export function bothLayouts(earlier: Layout | null, later: Layout | null): Layout | null {
  if (later === null || later === earlier) return earlier;
  return earlier === null ? later : { ...earlier, ...later };
}

/** Returns what one declaration says about layout. `offset`: the place of its sheet in the page. Its strings are those of `content`. */
export function layoutOfDeclaration(tokens: readonly CSSToken[], offset: number): Layout | null {
  const [name, colon, ...value] = tokens.filter(
    ([type]) => type !== TokenType.Whitespace && type !== TokenType.Comment,
  );
  if (name?.[0] !== TokenType.Ident || colon?.[0] !== TokenType.Colon) return null;
  const property = wordOf(name).replace(/^-(?:webkit|ms|moz)-/, '');
  if (property === 'content') return { before: generated(value, offset) };
  const words = value.map(wordOf);
  const number = value.map(numberIn).find((one) => one !== null) ?? undefined;
  return READERS.get(property)?.(words, number) ?? null;
}

type Reader = (words: readonly string[], number: number | undefined) => Layout | null;

const flow: Reader = (words) => ({ isReversed: words.some((word) => word.endsWith('-reverse')) });
const order: Reader = (_, number) => (number === undefined ? null : { order: number });
const column: Reader = (_, number) => (number === undefined ? null : { column: number });
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'display',
    ([word = '']) => (/^(?:-[a-z]+-)?(?:inline-)?(?:flex|grid|flexbox|box)$/.test(word) ? { isRow: true } : null),
  ],
  ['flex-direction', flow],
  ['flex-flow', flow],
  ['box-direction', ([word]) => ({ isReversed: word === 'reverse' })],
  ['order', order],
  ['flex-order', order],
  ['box-ordinal-group', order],
  ['grid-column', column],
  ['grid-column-start', column],
  ['float', ([word = '']) => floatOf(word)],
  ['position', ([word = '']) => positionOf(word)],
  ['left', (_, left) => (left === undefined ? null : { left })],
  ['right', (_, right) => (right === undefined ? null : { left: -right })],
  ['top', (_, top) => (top === undefined ? null : { top })],
  ['bottom', (_, bottom) => (bottom === undefined ? null : { top: -bottom })],
  ['direction', ([word]) => ({ isRightToLeft: word === 'rtl' })],
  ['unicode-bidi', ([word = '']) => ({ isOverridden: word.endsWith('-override') })],
]);

function floatOf(word: string): Layout | null {
  if (/^(?:left|inline-start)$/.test(word)) return { float: 'left' };
  return /^(?:right|inline-end)$/.test(word) ? { float: 'right' } : null;
}

function positionOf(word: string): Layout | null {
  if (/^(?:absolute|fixed)$/.test(word)) return { isPlaced: true, isOrigin: true };
  return /^(?:relative|sticky)$/.test(word) ? { isOrigin: true } : null;
}

function numberIn([type, , , , data]: CSSToken): number | null {
  const isNumber = type === TokenType.Number || type === TokenType.Dimension || type === TokenType.Percentage;
  return isNumber ? (data as { readonly value: number }).value : null;
}

/** The most characters of one text that style makes. A longer one is searched by itself, and an element more would copy it. */
const MAX_GENERATED_LENGTH = 200;

function generated(value: readonly CSSToken[], offset: number): readonly Generated[] {
  const found: Generated[] = [];
  for (const [index, token] of value.entries()) {
    const [type, text, start, end, data] = token;
    const next = wordOf(value[index + 1]);
    if (type === TokenType.Function && /^attr\($/i.test(text) && next !== '') found.push({ attribute: next });
    if (type !== TokenType.String) continue;
    const shown = data.value;
    if (shown.length > MAX_GENERATED_LENGTH) continue;
    const isVerbatim = shown === text.slice(1, -1);
    found.push({ start: offset + start + 1, end: offset + end, text: isVerbatim ? null : shown });
  }
  return found;
}
