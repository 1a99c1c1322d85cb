/**
 * Follows the block elements of a page as far as they tell which texts belong together. A parser drops a tag that does not fit, so the text
 * on both sides of it is one text: `http://<td>evil.example`, `http://</div>evil.example`. It moves text of a table outside of any cell to
 * the text in front of the table (WHATWG HTML §13.2.6, foster parenting).
 */

import { OpenElements } from './open-elements.ts';

/** Elements that begin on their own line or stand apart. A word does not continue over their edges. */
// biome-ignore format: one element a line makes the list hard to read
const APART = new Set([
  'p', 'div', 'br', 'hr', 'table', 'li', 'ul', 'ol', 'dl', 'dt', 'dd', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section',
  'article', 'header', 'footer', 'main', 'nav', 'aside', 'blockquote', 'pre', 'center', 'form', 'fieldset', 'figure',
  'address', 'select', 'option', 'textarea',
]);
/** Returns true for an element whose edges end a line. */
export const isApartElement = (tag: string) => APART.has(tag);
/** Elements without content. */
const VOID = new Set(['br', 'hr']);
/** Elements that an end tag makes when none is open. */
const MADE_BY_END = new Set(['p', 'br']);
const CELLS = new Set(['td', 'th', 'caption']);
/** Returns true for a cell of a table. */
export const isCell = (tag: string) => CELLS.has(tag);
/** Rows, columns and their groups. They end a cell. Outside of a table they are dropped, as cells are. */
const ROWS = new Set(['tr', 'tbody', 'thead', 'tfoot', 'colgroup', 'col']);
/** Returns true for a row of a table, or a group of rows. */
export const isRow = (tag: string) => ROWS.has(tag);
/** The most open elements, and the most cells in cells, that are followed. Browsers nest no deeper. */
const DEEPEST = 512;
/** The most elements in one another whose texts are kept out of the text around them, and the most open elements in each. A tag costs no more. */
const MAX_ASIDE = 16;
const MAX_OPEN_ASIDE = 32;

/**
 * A text, and the open elements around it. A cell of a table has a flow of its own. So has an element that may be out of sight: the text
 * around it goes on behind it.
 */
interface TextFlow<Word> {
  readonly word: Word;
  readonly open: OpenElements;
}

/** An element that may be out of sight. */
interface Aside {
  readonly tag: string;
  /** How many elements of this name are open in it, with itself. */
  depth: number;
  /** The place of its flow. */
  readonly at: number;
}

/** The texts of one document. `newWord` makes the state of an empty word, and `end` is called with each word that ends. */
export class TextFlows<Word> {
  private readonly flows: TextFlow<Word>[];
  private readonly asides: Aside[] = [];
  /** How many forms are open in all flows. */
  private forms = 0;

  constructor(
    private readonly newWord: () => Word,
    private readonly end: (word: Word) => void,
  ) {
    this.flows = [{ word: newWord(), open: new OpenElements() }];
  }

  /** The word that the next text continues. */
  get word(): Word {
    return this.current.word;
  }

  /** Returns the same state for another reading. */
  copy(newWord: () => Word, copyWord: (word: Word) => Word, end: (word: Word) => void): TextFlows<Word> {
    const copied = new TextFlows(newWord, end);
    copied.flows.length = 0;
    for (const { word, open } of this.flows) copied.flows.push({ word: copyWord(word), open: open.copy() });
    copied.forms = this.forms;
    return copied;
  }

  /** Handles a start tag of an element whose text is kept out of the text around it. Returns false for one that cannot be. */
  openAside(tag: string): boolean {
    if (this.asides.length >= MAX_ASIDE || CELLS.has(tag) || ROWS.has(tag)) return false;
    this.asides.push({ tag, depth: 1, at: this.flows.length });
    this.beginFlow();
    if (tag === 'table') this.current.open.push(tag);
    return true;
  }

  /** Handles a start tag. `joins`: its style puts the element into the line of its neighbours. */
  open(tag: string, joins = false): void {
    const aside = this.asideOf(tag);
    if (aside !== undefined) aside.depth++;
    if (CELLS.has(tag) || ROWS.has(tag)) this.openInTable(tag);
    else if (APART.has(tag) && !(tag === 'form' && this.forms > 0)) this.openApart(tag, joins && tag !== 'table');
  }

  /** Handles an end tag. */
  close(tag: string): void {
    const aside = this.asideOf(tag);
    if (aside !== undefined && --aside.depth === 0) this.cutTo(aside.at);
    else if (CELLS.has(tag) || ROWS.has(tag)) this.leaveCell();
    else if (APART.has(tag)) this.closeApart(tag);
  }

  /** Ends every word. */
  endAll(): void {
    for (const { word } of this.flows) this.end(word);
  }

  private get current(): TextFlow<Word> {
    return this.flows.at(-1) as TextFlow<Word>;
  }

  private openApart(tag: string, joins: boolean): void {
    const { open, word } = this.current;
    // The text in front of a table continues with text in the table outside of any cell.
    if (tag !== 'table' && !joins) this.end(word);
    const deepest = this.isAside(this.flows.length - 1) ? MAX_OPEN_ASIDE : DEEPEST;
    if (VOID.has(tag) || open.size >= deepest) return;
    open.push(tag, joins);
    if (tag === 'form') this.forms++;
  }

  private openInTable(tag: string): void {
    this.leaveCell();
    if (!this.change((open) => open.closeInside('table'))) return;
    if (CELLS.has(tag) && this.flows.length < DEEPEST) this.beginFlow();
  }

  /** Ends the cell around this place, unless a table in the cell is open: rows and cells then belong to that table. */
  private leaveCell(): void {
    let at = this.flows.length - 1;
    while (this.isAside(at) && !this.hasTable(at)) at--;
    if (this.hasTable(at)) this.cutTo(at + 1);
    else if (at > 0) this.cutTo(at);
  }

  private hasTable(at: number): boolean {
    return (this.flows[at]?.open.count('table') ?? 0) > 0;
  }

  private isAside(at: number): boolean {
    return this.asides.length > 0 && this.asides.some((aside) => aside.at === at);
  }

  /** Returns the innermost of these elements with this name. */
  private asideOf(tag: string): Aside | undefined {
    return this.asides.length === 0 ? undefined : this.asides.findLast((aside) => aside.tag === tag);
  }

  /** Ends all flows but the first ones. */
  private cutTo(count: number): void {
    while (this.flows.length > count) {
      this.end(this.word);
      this.forms -= this.current.open.count('form');
      this.flows.pop();
    }
    while ((this.asides.at(-1)?.at ?? -1) >= count) this.asides.pop();
  }

  private closeApart(tag: string): void {
    // The end of a table ends its cell, too.
    if (tag === 'table') this.leaveCell();
    const stoodApart = this.change((open) => open.close(tag)) ?? MADE_BY_END.has(tag);
    if (stoodApart) this.end(this.word);
  }

  private beginFlow(): void {
    this.flows.push({ word: this.newWord(), open: new OpenElements() });
  }

  /** Closes elements of the current flow, and counts the forms among them. */
  private change<Answer>(close: (open: OpenElements) => Answer): Answer {
    const { open } = this.current;
    if (this.forms === 0) return close(open);
    const before = open.count('form');
    const answer = close(open);
    this.forms -= before - open.count('form');
    return answer;
  }
}
