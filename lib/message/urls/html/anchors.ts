/** Finds the links of a page: their tags, the attributes that lead somewhere, and the ends of their texts. */
import { QuoteType } from 'htmlparser2';
import { HtmlWalk, walked } from './html-walk.ts';
import type { Span } from './mapped.ts';

interface Attribute {
  readonly name: Span;
  /** Without its quotes. */
  readonly value: Span;
}

/** An element within the text of a link. */
export interface Inner {
  /** The end of its name, after which attributes can begin. */
  readonly nameEnd: number;
  /** Its style attributes, from the name to behind the quotes. */
  readonly styles: readonly Span[];
}

/** An `a` or `area` element of a page. Those in comments are not listed. */
export interface Anchor {
  /** Every `href`, also one that follows another in the same tag. */
  readonly addresses: readonly (Attribute & { readonly whole: Span })[];
  /** Every style attribute, from the name to behind the quotes. */
  readonly styles: readonly Span[];
  /** The elements within its text that can have letters in them. */
  readonly inner: readonly Inner[];
  /** From the end of the opening tag to the closing one. Empty for an element that is never closed. Null for an `area`. */
  readonly text: Span | null;
  /** The place where something that belongs to the link can follow: after the closing tag, or before the next link. */
  readonly after: number;
}

/** Returns the links of a page in order. Linear in its length. Never throws. */
export function anchorsOf(html: string): Anchor[] {
  return walked(html, new AnchorWalker(html)).anchors;
}

/** Elements that show no letters of their own. The size of a picture is in its style. */
const NO_LETTERS = new Set('img br hr wbr col source track embed param style script title template'.split(' '));
const NOWHERE: Span = { start: 0, end: 0 };

class AnchorWalker extends HtmlWalk {
  readonly anchors: Anchor[] = [];
  private tag = '';
  private name = NOWHERE;
  private addresses: (Attribute & { readonly whole: Span })[] = [];
  private styles: Span[] = [];
  private inner: Inner[] = [];
  private nameEnd = 0;
  private valueStart = -1;
  /** The link whose text is being read, and the start of that text. */
  private open: { readonly at: number; readonly from: number } | null = null;

  constructor(private readonly html: string) {
    super();
  }

  override onopentagname(start: number, end: number): void {
    this.tag = this.nameOf(start, end);
    if (this.tag === 'a') this.endText(start - 1, start - 1);
    this.nameEnd = end;
    this.addresses = [];
    this.styles = [];
  }
  override onattribname(start: number, end: number): void {
    this.name = { start, end };
    this.valueStart = -1;
  }
  override onattribdata(start: number): void {
    if (this.valueStart === -1) this.valueStart = start;
  }
  override onattribentity(): void {
    // An entity has no place of its own. The value begins at the latest where the quote or the equals sign ends.
    if (this.valueStart === -1) this.valueStart = this.openingEnd();
  }
  override onattribend(quote: QuoteType, end: number): void {
    const name = this.nameOf(this.name.start, this.name.end);
    const whole = { start: this.name.start, end };
    // A style without a value comes first for browsers, too.
    if (name === 'style') this.styles.push(whole);
    if (name !== 'href' || quote === QuoteType.NoValue || this.valueStart === -1) return;
    const isQuoted = quote === QuoteType.Double || quote === QuoteType.Single;
    const value = { start: this.valueStart, end: isQuoted ? end - 1 : end };
    this.addresses.push({ name: this.name, value, whole });
  }
  override onopentagend(end: number): void {
    const { addresses, styles } = this;
    if (this.open !== null && this.tag !== 'area' && !NO_LETTERS.has(this.tag))
      this.inner.push({ nameEnd: this.nameEnd, styles });
    if (this.tag !== 'a' && this.tag !== 'area') return;
    if (this.tag === 'a') this.open = { at: this.anchors.length, from: end + 1 };
    const text = this.tag === 'a' ? { start: end + 1, end: end + 1 } : null;
    this.anchors.push({ addresses, styles, inner: [], text, after: end + 1 });
  }
  override onclosetag(start: number, end: number): void {
    if (this.nameOf(start, end) !== 'a') return;
    const close = this.html.indexOf('>', end);
    if (close !== -1) this.endText(start - 2, close + 1);
  }
  override onend(): void {
    const anchor = this.open === null ? undefined : this.anchors[this.open.at];
    if (this.open !== null && anchor !== undefined) this.anchors[this.open.at] = { ...anchor, inner: this.inner };
  }

  private endText(end: number, after: number): void {
    const anchor = this.open === null ? undefined : this.anchors[this.open.at];
    if (this.open !== null && anchor !== undefined)
      this.anchors[this.open.at] = {
        ...anchor,
        inner: this.inner,
        text: { start: this.open.from, end },
        after,
      };
    this.open = null;
    this.inner = [];
  }
  private openingEnd(): number {
    const opening = /\s*=\s*["']?/y;
    opening.lastIndex = this.name.end;
    return opening.test(this.html) ? opening.lastIndex : this.name.end;
  }
  private nameOf(start: number, end: number): string {
    return this.html.slice(start, Math.min(end, start + NAME_LENGTH)).toLowerCase();
  }
}

/** Names are compared up to this length. */
const NAME_LENGTH = 40;
