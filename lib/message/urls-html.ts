/**
 * Takes an HTML text apart into the stretches that can hold URLs. Only the tokenizer of htmlparser2 is used: unlike parsers
 * that build a tree it is linear on every input. What a browser would read differently (style inside svg, markup inside
 * comments, frames and textareas) is looked at both ways.
 */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { MARKUP_DEPTH, type Region, type Sink, SPELLED_OUT, scanAttribute } from './urls-attributes.ts';
import {
  addVerbatim,
  joined,
  type MappedText,
  type Piece,
  rewritten,
  type Span,
  verbatim,
  within,
} from './urls-mapped.ts';

export interface HtmlRegions {
  readonly regions: readonly Region[];
  /** Values of `<base href>` in document order, outermost documents first. */
  readonly bases: readonly string[];
}

/** Elements whose content the tokenizer does not split into tags. */
const RAW_ELEMENTS = new Set('script style title textarea xmp iframe noembed noframes plaintext noscript'.split(' '));
/** Without one of these a text holds neither URL nor host name nor path of a share. */
const CAN_HOLD_URL = /[.:\\%]/;
/** Names of attributes and elements are compared up to this length. */
const NAME_LENGTH = 40;

/** The stretches of an HTML text that can hold URLs. Linear in its length. Never throws. */
export function htmlRegions(html: string): HtmlRegions {
  const sink: Sink = { regions: [], bases: [], enter: (source, depth) => scanMarkup(source, depth, sink) };
  scanMarkup(verbatim(html, 0), 0, sink);
  sink.bases.sort((left, right) => left.depth - right.depth);
  return { regions: sink.regions, bases: sink.bases.map((base) => base.href) };
}

function scanMarkup(source: MappedText, depth: number, sink: Sink): void {
  const scanner = new MarkupScanner(source, depth, sink);
  const tokenizer = new Tokenizer({ decodeEntities: true }, scanner);
  tokenizer.write(source.text);
  tokenizer.end();
  scanner.finish();
}

/** Markup that stands where HTML sees only text. */
function scanInner(value: MappedText, depth: number, sink: Sink): void {
  if (depth < MARKUP_DEPTH && value.text.includes('<')) scanMarkup(value, depth + 1, sink);
}

/** Collects what the tokenizer reports. A class because the tokenizer's interface is one object with state between calls. */
class MarkupScanner implements TokenizerCallbacks {
  private readonly html: string;
  private tagStart = -1;
  private tag = '';
  private rawTag = '';
  private text: Piece[] = [];
  private attribute = '';
  private nameEnd = 0;
  private value: Piece[] = [];
  private entities: number[] = [];

  constructor(
    private readonly source: MappedText,
    private readonly depth: number,
    private readonly sink: Sink,
  ) {
    this.html = source.text;
  }

  ontext(start: number, end: number): void {
    addVerbatim(this.text, start, end);
  }
  ontextentity(codepoint: number, end: number): void {
    const start = Math.max(this.html.lastIndexOf('&', end - 1), this.text.at(-1)?.end ?? 0);
    this.text.push({ start, end, text: String.fromCodePoint(codepoint) });
  }
  onopentagname(start: number, end: number): void {
    this.flushText();
    this.tagStart = start;
    this.tag = this.html.slice(start, Math.min(end, start + NAME_LENGTH)).toLowerCase();
    // `<https://…>` and `<a` NUL `href=…>` are tags to the tokenizer; programs that disagree show or link them.
    if (end - start > NAME_LENGTH || /[^a-z0-9:_.-]|^https?:/.test(this.tag))
      this.code({ start, end: this.tagEnd(end) });
  }
  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, Math.min(end, start + NAME_LENGTH)).toLowerCase();
    this.nameEnd = end;
    this.value = [];
    this.entities = [];
  }
  onattribdata(start: number, end: number): void {
    this.placeEntities(start);
    if (end > start) addVerbatim(this.value, start, end);
  }
  onattribentity(codepoint: number): void {
    this.entities.push(codepoint);
  }
  onattribend(quote: QuoteType): void {
    if (quote === QuoteType.NoValue || this.value.length === 0) return;
    const whole = { start: this.value[0]?.start ?? 0, end: this.value.at(-1)?.end ?? 0 };
    const value = within(this.source, joined(this.html, this.value));
    if (value.text !== '') {
      const place = { tag: this.tag, attribute: this.attribute, depth: this.depth };
      scanAttribute(value, this.source.spanOf(whole.start, whole.end), place, this.sink);
    }
    this.value = [];
  }
  onopentagend(): void {
    this.tagStart = -1;
    this.rawTag = RAW_ELEMENTS.has(this.tag) ? this.tag : '';
  }
  onselfclosingtag(): void {
    this.onopentagend();
  }
  onclosetag(start: number, end: number): void {
    this.flushText();
    this.rawTag = '';
    // A browser ignores what follows the name; it is looked at because not every program does.
    this.code({ start, end: this.tagEnd(end) });
  }
  oncomment(start: number, end: number, endOffset: number): void {
    this.flushText();
    this.inner({ start, end: end - endOffset });
  }
  oncdata(start: number, end: number, endOffset: number): void {
    this.oncomment(start, end, endOffset);
  }
  ondeclaration(): void {
    this.flushText();
  }
  onprocessinginstruction(start: number, end: number): void {
    this.code({ start, end });
  }
  onend(): void {
    this.flushText();
  }
  /** What an unclosed last tag holds: browsers drop it, other programs need not. */
  finish(): void {
    if (this.tagStart >= 0) this.code({ start: this.tagStart, end: this.html.length });
  }

  private tagEnd(from: number): number {
    const end = this.html.indexOf('>', from);
    return end === -1 ? this.html.length : end;
  }
  private slice(span: Span): MappedText {
    return within(this.source, verbatim(this.html.slice(span.start, span.end), span.start));
  }
  private code(span: Span): void {
    const value = this.slice(span);
    if (SPELLED_OUT.test(value.text)) this.sink.regions.push({ kind: 'code', value, whole: null });
  }
  private inner(span: Span): void {
    const value = this.slice(span);
    if (!/[.:\\%&]/.test(value.text)) return;
    if (this.depth < MARKUP_DEPTH) scanMarkup(value, this.depth + 1, this.sink);
    else if (SPELLED_OUT.test(value.text)) this.sink.regions.push({ kind: 'text', value, whole: null });
  }
  private flushText(): void {
    if (this.text.length === 0) return;
    const only = this.text.length === 1 ? this.text[0] : undefined;
    // Most texts of a page hold no URL: they are told apart before anything is built for them.
    const isPlain = only !== undefined && this.rawTag === '' && only.text === null;
    if (isPlain && !CAN_HOLD_URL.test(this.html.slice(only.start, only.end))) {
      this.text = [];
      return;
    }
    const value = within(this.source, joined(this.html, this.text));
    this.text = [];
    if (this.rawTag === 'style') this.sink.regions.push({ kind: 'css', value, whole: null });
    else if (this.rawTag === 'script') {
      const plain = rewritten(value, /\\\//g, () => '/');
      if (SPELLED_OUT.test(plain.text)) this.sink.regions.push({ kind: 'code', value: plain, whole: null });
    } else if (CAN_HOLD_URL.test(value.text)) this.sink.regions.push({ kind: 'text', value, whole: null });
    if (this.rawTag !== '') scanInner(value, this.depth, this.sink);
  }
  /** The tokenizer does not say where an entity of an attribute stands: from the end of what came before to `end`. */
  private placeEntities(end: number): void {
    if (this.entities.length === 0) return;
    let start = this.value.at(-1)?.end ?? this.valueStart();
    for (const [index, codepoint] of this.entities.entries()) {
      const next = index + 1 < this.entities.length ? this.html.indexOf('&', start + 1) : end;
      const stop = next === -1 || next > end ? end : next;
      this.value.push({ start, end: stop, text: String.fromCodePoint(codepoint) });
      start = stop;
    }
    this.entities = [];
  }
  private valueStart(): number {
    const opening = /\s*=\s*["']?/y;
    opening.lastIndex = this.nameEnd;
    return opening.exec(this.html) === null ? this.nameEnd : opening.lastIndex;
  }
}
