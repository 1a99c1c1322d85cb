/**
 * Finds out which elements style takes from the page or puts into the line of their neighbours. The text around such an edge can look like
 * one word. Conditions (`@media`) and the order of rules are ignored, so these effects are a second reading, beside the one without them.
 */
import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';

/** `hides`: the element and its content are not shown. `joins`: its edges end no line. */
export type StyleEffect = 'hides' | 'joins' | null;

/** Values of `display` with which an element begins on its own line, or is laid out apart from its neighbours. */
const APART = /^(?:block|flow-root|list-item|flex|grid|table|-webkit-box|initial|unset|revert|inherit)$/;
const DISPLAY = /(?:^|[;\s])display\s*:\s*([a-z-]+)/i;
/** Characters of all sheets of a page that are read. */
const MAX_CHARACTERS = 256 * 1024;
const STYLE = '<style';

/** Returns what a style attribute does. */
export function effectOfStyle(style: string): StyleEffect {
  return effectOfDisplay(DISPLAY.exec(style)?.[1]?.toLowerCase());
}

function effectOfDisplay(value: string | undefined): StyleEffect {
  if (value === undefined || APART.test(value)) return null;
  return value === 'none' ? 'hides' : 'joins';
}

/** The effects of the sheets of a page by the name of an element, `.` and a class, or `#` and an id, in lower case. */
export type SheetEffects = ReadonlyMap<string, StyleEffect>;

/** Reads all sheets of a page, also those behind the elements that they change. Linear in the length of the page. */
export function sheetEffects(html: string): SheetEffects {
  const effects = new Map<string, StyleEffect>();
  const sheet = sheetsOf(html);
  if (sheet !== '') readRules(sheet, effects);
  return effects;
}

function sheetsOf(html: string): string {
  const lower = html.toLowerCase();
  let sheets = '';
  for (let at = lower.indexOf(STYLE); at >= 0 && sheets.length < MAX_CHARACTERS; at = lower.indexOf(STYLE, at)) {
    const start = lower.indexOf('>', at) + 1;
    if (start === 0) break;
    const end = lower.indexOf('</style', start);
    at = end === -1 ? html.length : end;
    sheets += `${html.slice(start, Math.min(at, start + MAX_CHARACTERS))}\n`;
  }
  return sheets;
}

/** Takes the names in the last part of each selector: `td .a.b, #c` is `.a`, `.b` and `#c`. A rule counts wherever it stands. */
function readRules(sheet: string, effects: Map<string, StyleEffect>): void {
  let names: readonly string[] = [];
  let selector = new SelectorNames();
  let property = '';
  let isValue = false;
  for (const token of tokenize({ css: sheet })) {
    const word = wordOf(token);
    const effect = isValue && property === 'display' && word !== '' ? effectOfDisplay(word) : null;
    if (effect !== null) for (const name of names) effects.set(name, effect);
    const [type, text] = token;
    if (type === TokenType.OpenCurly) names = selector.all();
    if (BREAKS.has(type)) selector = new SelectorNames();
    else selector.take(word, type === TokenType.Hash, text);
    if (word !== '') property = isValue ? '' : word;
    isValue = type === TokenType.Colon || (isValue && word === '' && !BREAKS.has(type));
  }
}

const BREAKS: ReadonlySet<TokenType> = new Set([TokenType.OpenCurly, TokenType.CloseCurly, TokenType.Semicolon]);

/** Returns a name with its escapes resolved, in lower case; empty for any other token. */
function wordOf(token: CSSToken): string {
  const isName = token[0] === TokenType.Ident || token[0] === TokenType.Hash;
  return isName ? (token[4] as { readonly value: string }).value.toLowerCase() : '';
}

/** The names of the selectors in front of a block. */
class SelectorNames {
  private readonly earlier: string[] = [];
  private last: string[] = [];
  private isNext = false;
  private isClass = false;

  all(): readonly string[] {
    return [...this.earlier, ...this.last];
  }

  /** Handles a token. A name behind a combinator belongs to another element. */
  take(word: string, isId: boolean, text: string): void {
    if (word !== '') {
      if (this.isNext) this.last = [];
      this.isNext = false;
      this.last.push(isId ? `#${word}` : this.isClass ? `.${word}` : word);
    } else if (text === ',') {
      this.earlier.push(...this.last);
      this.last = [];
    }
    this.isClass = text === '.';
    if (/^[\s>+~]/.test(text)) this.isNext = true;
  }
}
