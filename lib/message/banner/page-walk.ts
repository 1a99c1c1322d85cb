/** One walk through a page. It collects the shown text, the style, and all sender text in the places where our banner is looked for. */
import { QuoteType } from 'htmlparser2';
import { HtmlWalk, walked } from '../urls/html/html-walk.ts';
import { addVerbatim, joined, type MappedText, type Piece, type Span } from '../urls/html/mapped.ts';

/** An attribute with its value, decoded. */
export interface Attribute extends Span {
  readonly tag: string;
  readonly name: string;
  readonly value: string;
  /** The start of its tag. Attributes of one tag share it. */
  readonly tagStart: number;
}

export interface PageWalk {
  /** Text between tags, except style, scripts and titles. */
  readonly shown: MappedText;
  /** Attributes called style or class. */
  readonly attributes: readonly Attribute[];
  /** The contents of style elements. */
  readonly sheets: readonly Span[];
  /** The start of the last end tag of the body; null when there is none. */
  readonly bodyEnd: number | null;
  /** Elements that were opened and not closed, outermost first. */
  readonly open: readonly string[];
}

const NOT_SHOWN = new Set(['style', 'script', 'title']);
const NEVER_OPEN = new Set(
  'html head body meta link base br hr img input area col wbr p li option source track embed param frame'.split(' '),
);
/** The most elements that are remembered as open. Only an attacker nests more, to make this slow. */
const MAX_OPEN = 200;
const NAME_LENGTH = 40;

/** Walks through a page, in time linear in its length. Never throws. */
export function walkPage(html: string): PageWalk {
  const { pieces, attributes, sheets, bodyEnd, open } = walked(html, new Walker(html));
  return { shown: joined(html, pieces), attributes, sheets, bodyEnd, open };
}

class Walker extends HtmlWalk {
  readonly pieces: Piece[] = [];
  readonly attributes: Attribute[] = [];
  readonly sheets: Span[] = [];
  readonly open: string[] = [];
  bodyEnd: number | null = null;
  private tag = '';
  private tagStart = 0;
  private hidden = '';
  private name = '';
  private nameStart = 0;
  private value: string[] = [];

  constructor(private readonly html: string) {
    super();
  }

  override ontext(start: number, end: number): void {
    if (this.hidden === '') addVerbatim(this.pieces, start, end);
    else if (this.hidden === 'style') this.sheet(start, end);
  }
  override ontextentity(codepoint: number, end: number): void {
    const start = Math.max(this.html.lastIndexOf('&', end - 1), this.pieces.at(-1)?.end ?? 0);
    if (this.hidden === '') this.pieces.push({ start, end, text: String.fromCodePoint(codepoint) });
  }
  override onopentagname(start: number, end: number): void {
    this.tag = this.nameOf(start, end);
    this.tagStart = start - 1;
  }
  override onattribname(start: number, end: number): void {
    this.name = this.nameOf(start, end);
    this.nameStart = start;
    this.value = [];
  }
  override onattribdata(start: number, end: number): void {
    if (this.isWanted()) this.value.push(this.html.slice(start, end));
  }
  override onattribentity(codepoint: number): void {
    if (this.isWanted()) this.value.push(String.fromCodePoint(codepoint));
  }
  override onattribend(quote: QuoteType, end: number): void {
    if (!this.isWanted() || quote === QuoteType.NoValue) return;
    const { tag, name, tagStart } = this;
    this.attributes.push({ tag, name, value: this.value.join(''), start: this.nameStart, end, tagStart });
  }
  override onopentagend(): void {
    if (NOT_SHOWN.has(this.tag)) this.hidden = this.tag;
    if (!NEVER_OPEN.has(this.tag) && this.open.length < MAX_OPEN) this.open.push(this.tag);
  }
  override onclosetag(start: number, end: number): void {
    const name = this.nameOf(start, end);
    if (name === this.hidden) this.hidden = '';
    if (name === 'body') this.bodyEnd = start - 2;
    const at = this.open.lastIndexOf(name);
    if (at >= 0) this.open.length = at;
  }

  private isWanted(): boolean {
    return this.name === 'style' || this.name === 'class';
  }
  private nameOf(start: number, end: number): string {
    return this.html.slice(start, Math.min(end, start + NAME_LENGTH)).toLowerCase();
  }
  private sheet(start: number, end: number): void {
    const last = this.sheets.at(-1);
    if (last?.end === start) this.sheets[this.sheets.length - 1] = { start: last.start, end };
    else this.sheets.push({ start, end });
  }
}
