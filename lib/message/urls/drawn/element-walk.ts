/** A walk through the elements of a page, with what each one hands down to those in it. */
import { HtmlWalk } from '../html/html-walk.ts';
import { isVoidElement } from '../html/visible.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Elements that are open at the same time. An element in more of them is passed over: no program of mail shows it. */
const MAX_OPEN = 1_000;
/** How far out an end tag is looked for. */
const MAX_UNCLOSED = 20;
/** The longest value of an attribute. A path that draws the largest code is shorter. */
const MAX_VALUE = 2_000_000;

/** Elements in which a row, or a cell, ends none that stands around them. */
const AROUND_ROWS = new Set(['table', 'svg']);
const AROUND_CELLS = new Set(['tr', ...AROUND_ROWS]);
/** These end when another of their kind begins. */
const isCell = (name: string) => name === 'td' || name === 'th';
const NOTHING: ReadonlySet<string> = new Set();
const UNSHOWN = new Set(['style', 'script', 'title', 'head']);
/** The attributes that can draw. */
// biome-ignore format: one list is easier to read in lines
const WANTED = new Set([
  'style', 'class', 'id', 'bgcolor', 'color', 'width', 'height', 'colspan', 'x', 'y', 'd', 'fill', 'stroke', 'stroke-width',
  'transform', 'href', 'xlink:href', 'cx', 'cy', 'r',
]);

interface Open<Look> {
  readonly name: string;
  readonly look: Look;
  isEmpty: boolean;
}

/** Calls `begin` and `end` for each element, and `text` for the text in it. Linear in the length of the page. */
export abstract class ElementWalk<Look> extends HtmlWalk {
  private readonly stack: Open<Look>[] = [];
  private name = '';
  private attribute = '';
  private value = '';
  private attributes: Record<string, string> = {};
  private run = '';

  constructor(
    private readonly html: string,
    private readonly outermost: Look,
  ) {
    super();
  }

  protected abstract begin(name: string, attributes: Attributes, outer: Look): Look;
  protected abstract text(text: string, look: Look): void;
  /** `isEmpty`: it holds no other element, and no text but blanks. */
  protected abstract end(name: string, look: Look, isEmpty: boolean): void;

  override onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase();
    this.attributes = {};
  }

  override onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, Math.min(end, start + MAX_VALUE)).toLowerCase();
    this.value = '';
  }

  override onattribdata(start: number, end: number): void {
    if (WANTED.has(this.attribute) && this.value.length < MAX_VALUE) this.value += this.html.slice(start, end);
  }

  override onattribentity(codepoint: number): void {
    if (WANTED.has(this.attribute)) this.value += String.fromCodePoint(codepoint);
  }

  override onattribend(): void {
    if (WANTED.has(this.attribute)) this.attributes[this.attribute] ??= this.value;
  }

  override onopentagend(): void {
    this.flush();
    const { name } = this;
    if (isCell(name)) this.closeTo(isCell, AROUND_CELLS);
    else if (name === 'tr') this.closeTo((each) => each === name, AROUND_ROWS);
    const outer = this.stack.at(-1);
    if (outer !== undefined) outer.isEmpty = false;
    const look = this.begin(name, this.attributes, outer?.look ?? this.outermost);
    if (!isVoidElement(name) && this.stack.length < MAX_OPEN) this.stack.push({ name, look, isEmpty: true });
  }

  override onselfclosingtag(): void {
    const { length } = this.stack;
    this.onopentagend();
    if (this.stack.length > length) this.pop();
  }

  override onclosetag(start: number, end: number): void {
    this.flush();
    const name = this.html.slice(start, end).toLowerCase();
    this.closeTo((each) => each === name, NOTHING);
  }

  override ontext(start: number, end: number): void {
    this.run += this.html.slice(start, end);
  }

  override ontextentity(codepoint: number): void {
    this.run += String.fromCodePoint(codepoint);
  }

  override onend(): void {
    this.flush();
    while (this.stack.length > 0) this.pop();
  }

  private flush(): void {
    const { run } = this;
    if (run === '') return;
    this.run = '';
    const open = this.stack.at(-1);
    if (open !== undefined && UNSHOWN.has(open.name)) return;
    if (open !== undefined && /[^\s\u00a0\u200b]/.test(run)) open.isEmpty = false;
    this.text(run, open?.look ?? this.outermost);
  }

  /** Closes the nearest element with such a name, and all in it, unless one of the others is in the way. */
  private closeTo(isWanted: (name: string) => boolean, others: ReadonlySet<string>): void {
    for (let at = this.stack.length - 1; at >= Math.max(0, this.stack.length - MAX_UNCLOSED); at--) {
      const name = this.stack[at]?.name ?? '';
      if (others.has(name)) return;
      if (!isWanted(name)) continue;
      while (this.stack.length > at) this.pop();
      return;
    }
  }

  private pop(): void {
    const open = this.stack.pop();
    if (open !== undefined) this.end(open.name, open.look, open.isEmpty);
  }
}
