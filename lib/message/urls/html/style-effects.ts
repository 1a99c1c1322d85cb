/**
 * Finds out which elements the sheets of a page take from it or put into the line of their neighbours. The text around such an edge can
 * look like one word. Conditions (`@media`), the order of rules and the elements around an element are ignored, so these effects are a
 * second reading, beside the one without them.
 */
import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';
import { bothLayouts, type Layout, layoutOfDeclaration } from './layout.ts';
import { bothEffects, effectOfDeclaration, NO_EFFECT, type StyleEffect, wordOf } from './style-declarations.ts';

/** Characters of all sheets of a page that are read. */
const MAX_CHARACTERS = 256 * 1024;
const STYLE = /<style/gi;
const STYLE_END = /<\/style/gi;
/** The key of selectors that tell nothing about their elements. */
export const ANY_ELEMENT = '*';

/**
 * The effects of the sheets of a page by the name of an element, `.` and a class, `#` and an id, `[` and the name of an attribute, or `*`, in
 * lower case.
 */
export type SheetEffects = ReadonlyMap<string, StyleEffect>;

/** The effects of the sheets of a page on its elements, by the same keys. */
export interface Sheets {
  readonly effects: SheetEffects;
  readonly layouts: ReadonlyMap<string, Layout>;
}

/** Reads all sheets of a page, also those behind the elements that they change. Linear in the length of the page. */
export function sheetsOf(html: string): Sheets {
  const rules = new Rules();
  const source = sourceOf(html);
  if (source.text !== '') readRules(source, rules);
  return rules;
}

/** The text of all sheets. `places`: where each begins in this text and in the page. */
interface Source {
  readonly text: string;
  readonly places: readonly (readonly [at: number, start: number])[];
}

function sourceOf(html: string): Source {
  const places: [number, number][] = [];
  let sheets = '';
  for (let at = indexOf(STYLE, html, 0); at >= 0 && sheets.length < MAX_CHARACTERS; at = indexOf(STYLE, html, at)) {
    const start = html.indexOf('>', at) + 1;
    if (start === 0) break;
    const end = indexOf(STYLE_END, html, start);
    at = end === -1 ? html.length : end;
    places.push([sheets.length, start]);
    sheets += `${html.slice(start, Math.min(at, start + MAX_CHARACTERS))}\n`;
  }
  return { text: sheets, places };
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

/** An element that a selector names. `isCertain`: the selector has no condition but names. */
interface Subject {
  readonly key: string;
  readonly isCertain: boolean;
  /** The part of the element that the rule is for. */
  readonly part: string;
}

/** A rule, and what its declarations do so far. */
interface Rule {
  readonly subjects: readonly Subject[];
  effect: StyleEffect;
  layout: Layout | null;
}

const NO_RULE = { effect: NO_EFFECT, layout: null };

/** Takes the last part of each selector: `td .a.b, #c` is `.a`, `.b` and `#c`. A rule counts wherever it stands. */
function readRules({ text, places }: Source, rules: Rules): void {
  let part: CSSToken[] = [];
  let sheet = 0;
  for (const token of tokenize({ css: text })) {
    const [type, , at] = token;
    while (at >= (places[sheet + 1]?.[0] ?? Number.POSITIVE_INFINITY)) sheet++;
    if (type === TokenType.OpenCurly) rules.open(part);
    else if (ENDS.has(type)) {
      rules.declare(part, (places[sheet]?.[1] ?? 0) - (places[sheet]?.[0] ?? 0));
      if (type === TokenType.CloseCurly) rules.close();
    } else {
      if (!BETWEEN.has(type)) part.push(token);
      continue;
    }
    part = [];
  }
  rules.closeAll();
}

/** The open rules of a sheet. */
class Rules implements Sheets {
  readonly effects = new Map<string, StyleEffect>();
  readonly layouts = new Map<string, Layout>();
  private rule: Rule = { subjects: [], ...NO_RULE };
  private readonly around: Rule[] = [];

  open(selectors: readonly CSSToken[]): void {
    this.around.push(this.rule);
    // The declarations of a condition in a rule belong to the rule.
    if (selectors.some(([type]) => type === TokenType.AtKeyword)) return;
    this.rule = { subjects: subjectsOf(selectors), ...NO_RULE };
  }

  declare(declaration: readonly CSSToken[], offset: number): void {
    const { rule } = this;
    if (rule.subjects.length === 0) return;
    rule.effect = bothEffects(rule.effect, effectOfDeclaration(declaration));
    rule.layout = bothLayouts(rule.layout, layoutOfDeclaration(declaration, offset));
  }

  close(): void {
    const outer = this.around.pop() ?? { subjects: [], ...NO_RULE };
    if (outer !== this.rule) this.add(this.rule);
    this.rule = outer;
  }

  closeAll(): void {
    for (const open of [...this.around, this.rule]) this.add(open);
  }

  private add(rule: Rule): void {
    if (rule.layout !== null) addLayout(this.layouts, rule.subjects, rule.layout);
    rule.layout = null;
    addEffect(this.effects, rule);
  }
}

const ENDS: ReadonlySet<TokenType> = new Set([TokenType.Semicolon, TokenType.CloseCurly, TokenType.EOF]);
const BETWEEN: ReadonlySet<TokenType> = new Set([TokenType.Comment, TokenType.CDO, TokenType.CDC]);

/** Adds what a rule does. It is asked once a rule, because thousands of selectors can have thousands of declarations. */
function addEffect(effects: Map<string, StyleEffect>, rule: Rule): void {
  const { subjects, effect } = rule;
  rule.effect = NO_EFFECT;
  if (effect === NO_EFFECT) return;
  for (const { key, isCertain } of subjects) {
    const own = isCertain ? effect : { ...NO_EFFECT, mayHide: effect.mayHide };
    effects.set(key, bothEffects(effects.get(key) ?? NO_EFFECT, own));
  }
}

/** Text stands only in front of an element and behind it. */
function addLayout(layouts: Map<string, Layout>, subjects: readonly Subject[], layout: Layout): void {
  const { before, ...own } = layout;
  for (const { key, part } of subjects) {
    const of = part === '' ? own : { [part]: before };
    if (part === '' || before !== undefined) layouts.set(key, { ...layouts.get(key), ...of });
  }
}

function subjectsOf(selectors: readonly CSSToken[]): readonly Subject[] {
  const found: Subject[] = [];
  let last = new Compound();
  let depth = 0;
  for (const token of selectors) {
    const [type, text] = token;
    if (type === TokenType.Function || type === TokenType.OpenParen) depth++;
    if (type === TokenType.CloseParen) depth = Math.max(0, depth - 1);
    else if (depth === 0 && type === TokenType.Comma) {
      found.push(...last.subjects());
      last = new Compound();
    } else if (depth === 0 && !last.isInBrackets && /^[\s>+~|]/.test(text)) last.isOver = true;
    else {
      if (last.isOver) last = new Compound();
      last.take(token, depth > 0);
    }
  }
  return [...found, ...last.subjects()];
}

/** The conditions on one element in a selector: `td.a[b]:hover`. */
class Compound {
  /** True when white space or a combinator ended it. It is the last one unless another follows. */
  isOver = false;
  isInBrackets = false;
  private readonly names: string[] = [];
  private attribute = '';
  private hasCondition = false;
  private mark = '';
  private part = '';
  private isEmpty = true;

  take(token: CSSToken, isInner: boolean): void {
    const [type, text] = token;
    const word = wordOf(token);
    // A part of an animation has no elements.
    if (type === TokenType.Percentage) return;
    this.isEmpty = false;
    if (type === TokenType.OpenSquare) this.isInBrackets = true;
    else if (type === TokenType.CloseSquare) this.isInBrackets = false;
    else if (this.isInBrackets) this.attribute ||= word;
    else if (!isInner && this.mark !== ':' && word !== '')
      this.names.push(type === TokenType.Hash ? `#${word}` : `${this.mark}${word}`);
    if (!isInner && this.mark === ':' && (word === 'before' || word === 'after')) this.part = word;
    if (isInner || text === ':' || this.isInBrackets) this.hasCondition = true;
    this.mark = text === '.' || text === ':' ? text : '';
  }

  /** Each condition is enough to find the elements, so the narrowest ones are taken. */
  subjects(): readonly Subject[] {
    if (this.isEmpty) return [];
    const isCertain = !this.hasCondition;
    const marked = this.names.filter((key) => /^[.#]/.test(key));
    const { part } = this;
    if (marked.length > 0) return marked.map((key) => ({ key, isCertain, part }));
    const attribute = this.attribute === '' ? undefined : `[${this.attribute}`;
    const key = attribute ?? this.names[0];
    return [key === undefined ? { key: ANY_ELEMENT, isCertain: false, part } : { key, isCertain, part }];
  }
}
