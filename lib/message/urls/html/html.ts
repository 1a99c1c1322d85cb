/**
 * Takes an HTML text apart into the stretches that can hold URLs. It uses only the tokenizer of htmlparser2, which is linear on
 * every input, as parsers that build a tree are not. Where browsers may differ from the tokenizer (style inside svg, markup inside
 * comments, frames and textareas), both readings are searched.
 */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { runSync, type Steps } from '../../../formats/steps.ts';
import { rewritten } from '../rewritten.ts';
import { canHoldUrl, MARKUP_DEPTH, type Region, type Sink, SPELLED_OUT, scanAttribute } from './attributes.ts';
import { addVerbatim, joined, type MappedText, type Piece, type Span, verbatim, within } from './mapped.ts';
import { TextReadings } from './text-readings.ts';
import type { LinkText } from './visible.ts';

export interface HtmlRegions {
  readonly regions: readonly Region[];
  /** Values of `<base href>` in document order, outermost documents first. */
  readonly bases: readonly string[];
}

/** Elements whose content the tokenizer does not split into tags. */
// biome-ignore format: one element a line makes the list hard to read
const RAW_ELEMENTS = new Set([
  'script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext', 'noscript',
]);
/** A text without any of these holds no URL, no host name and no path of a share. */
const CAN_HOLD_URL = /[.:\\%]|\/\/|[[({]d[o0]t|[。．｡․]/i;
/** A word that tags cut counts only with one of these: `end.<b>Next` is two sentences. */
const CUT_URL = /[:%][\\/%]|www\./i;
/** Escapes of scripts: a slash behind a backslash, and characters by their number. */
const SCRIPT_ESCAPE = /\\(?:\/|x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\})/gi;
/** Names of attributes and elements are compared up to this length. */
const NAME_LENGTH = 40;

/** Returns the stretches of an HTML text that can hold URLs. Linear in its length. Never throws. */
export function htmlRegions(html: string): HtmlRegions {
  return runSync(htmlRegionSteps(html));
}

/** Characters of a page after which other work may run. */
const STEP = 512 * 1024;

/** Does the same in pieces. */
export function* htmlRegionSteps(html: string): Steps<HtmlRegions> {
  const sink: Sink = { regions: [], bases: [], enter: (source, depth) => scanMarkup(source, depth, sink) };
  const scanner = new MarkupScanner(verbatim(html, 0), 0, sink);
  const tokenizer = new Tokenizer({ decodeEntities: true }, scanner);
  scanner.pauseEvery(STEP, () => tokenizer.pause());
  tokenizer.write(html);
  while (scanner.isPaused) {
    yield;
    scanner.isPaused = false;
    tokenizer.resume();
  }
  tokenizer.end();
  scanner.finish();
  sink.bases.sort((left, right) => left.depth - right.depth);
  return { regions: sink.regions, bases: sink.bases.map((base) => base.href) };
}

/** Collects what the tokenizer reports. It is a class because the tokenizer calls one object that keeps its state between calls. */
class MarkupScanner implements TokenizerCallbacks {
  private readonly html: string;
  private tagStart = -1;
  private tag = '';
  private rawTag = '';
  private text: Piece[] = [];
  private attribute = '';
  private nameEnd = 0;
  /** The value as long as it is one stretch of the page. Objects for each attribute would cost more than the rest of the search. */
  private valueFrom = -1;
  private valueTo = -1;
  /** The pieces of a value of any other kind. */
  private value: Piece[] = [];
  private entities: number[] = [];
  private linkText: LinkText | null = null;
  private readonly readings: TextReadings;
  private readonly cutWords = new Set<string>();

  constructor(
    private readonly source: MappedText,
    private readonly depth: number,
    private readonly sink: Sink,
  ) {
    this.html = source.text;
    this.readings = new TextReadings(this.html, (pieces) => this.cutWord(pieces));
  }

  isPaused = false;
  private step = Number.POSITIVE_INFINITY;
  private nextPause = Number.POSITIVE_INFINITY;
  private pause = () => {};

  /** Calls `pause` at the first tag after each piece of this many characters. */
  pauseEvery(characters: number, pause: () => void): void {
    this.step = characters;
    this.nextPause = characters;
    this.pause = pause;
  }

  ontext(start: number, end: number): void {
    addVerbatim(this.text, start, end);
  }
  ontextentity(codepoint: number, end: number): void {
    const start = Math.max(this.html.lastIndexOf('&', end - 1), this.text.at(-1)?.end ?? 0);
    this.text.push({ start, end, text: String.fromCodePoint(codepoint) });
  }
  onopentagname(start: number, end: number): void {
    if (start >= this.nextPause) {
      this.nextPause = start + this.step;
      this.isPaused = true;
      this.pause();
    }
    this.flushText();
    this.tagStart = start;
    this.readings.begin();
    this.linkText = null;
    this.tag = this.html.slice(start, Math.min(end, start + NAME_LENGTH)).toLowerCase();
    // `<https://…>` and `<a` NUL `href=…>` are tags to the tokenizer. Other programs show or link them.
    if (end - start > NAME_LENGTH || /[^a-z0-9:_.-]|^https?:/.test(this.tag))
      this.code({ start, end: this.tagEnd(end) });
  }
  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, Math.min(end, start + NAME_LENGTH)).toLowerCase();
    this.nameEnd = end;
    this.valueFrom = -1;
    if (this.value.length > 0) this.value = [];
    if (this.entities.length > 0) this.entities = [];
  }
  onattribdata(start: number, end: number): void {
    this.placeEntities(start);
    if (end === start) return;
    if (this.value.length > 0) addVerbatim(this.value, start, end);
    else if (this.valueFrom < 0) [this.valueFrom, this.valueTo] = [start, end];
    else if (this.valueTo === start) this.valueTo = end;
    else addVerbatim(this.pieces(), start, end);
  }
  onattribentity(codepoint: number): void {
    this.entities.push(codepoint);
  }
  onattribend(quote: QuoteType): void {
    this.readings.takeName(this.attribute);
    const isVerbatim = this.value.length === 0;
    if (quote === QuoteType.NoValue || (isVerbatim && this.valueFrom < 0)) return;
    const start = this.value[0]?.start ?? this.valueFrom;
    const end = this.value.at(-1)?.end ?? this.valueTo;
    const raw = this.html.slice(start, end);
    if (isVerbatim) this.readings.takeValue(this.attribute, raw, start, null);
    if (isVerbatim && !canHoldUrl(this.attribute, raw)) return;
    const value = within(this.source, isVerbatim ? verbatim(raw, start) : joined(this.html, this.value));
    if (value.text !== '') {
      if (!isVerbatim) this.readings.takeValue(this.attribute, value.text, start, this.value);
      if (this.attribute === 'href' && (this.tag === 'a' || this.tag === 'area')) this.linkText ??= { text: '' };
      const place = { tag: this.tag, attribute: this.attribute, depth: this.depth, linkText: this.linkText };
      scanAttribute(value, this.source.spanOf(start, end), place, this.sink);
    }
    if (!isVerbatim) this.value = [];
  }
  onopentagend(): void {
    this.tagStart = -1;
    this.rawTag = RAW_ELEMENTS.has(this.tag) ? this.tag : '';
    this.readings.open(this.tag, this.tag === 'a' ? this.linkText : null);
  }
  onselfclosingtag(): void {
    this.onopentagend();
  }
  onclosetag(start: number, end: number): void {
    this.flushText();
    this.rawTag = '';
    const tag = this.html.slice(start, Math.min(end, start + NAME_LENGTH)).toLowerCase();
    this.readings.close(tag);
    // A browser ignores the text after the name. Some programs do not, so it is searched.
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
  /** Searches an unclosed last tag. Browsers drop it, but other programs may not. */
  finish(): void {
    this.readings.endWord();
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
    // Most texts of a page hold no URL. They are sorted out before any object is built for them.
    if (only !== undefined && this.rawTag === '' && only.text === null) {
      const plain = this.html.slice(only.start, only.end);
      this.readings.add(this.text, plain);
      this.text = [];
      if (CAN_HOLD_URL.test(plain))
        this.sink.regions.push({ kind: 'text', value: within(this.source, verbatim(plain, only.start)), whole: null });
      return;
    }
    const value = within(this.source, joined(this.html, this.text));
    if (this.rawTag === '') this.readings.add(this.text, value.text);
    this.text = [];
    if (this.rawTag === 'style') this.sink.regions.push({ kind: 'css', value, whole: null });
    else if (this.rawTag === 'script') {
      const plain = rewritten(value, SCRIPT_ESCAPE, unescaped);
      if (SPELLED_OUT.test(plain.text)) this.sink.regions.push({ kind: 'code', value: plain, whole: null });
    } else if (CAN_HOLD_URL.test(value.text)) this.sink.regions.push({ kind: 'text', value, whole: null });
    if (this.rawTag !== '') scanInner(value, this.depth, this.sink);
  }
  /** Reports a word that tags cut in pieces. A program that shows the word may link it as a whole. */
  private cutWord(pieces: readonly Piece[]): void {
    const value = joined(this.html, pieces);
    if (!CUT_URL.test(value.text)) return;
    // All readings find most of these words.
    const place = `${pieces[0]?.start} ${value.text}`;
    if (this.cutWords.has(place)) return;
    this.cutWords.add(place);
    this.sink.regions.push({ kind: 'cut', value: within(this.source, value), whole: null });
  }
  /** Places the entities between the last piece of the value and `end`. The tokenizer does not report their places. */
  private placeEntities(end: number): void {
    if (this.entities.length === 0) return;
    const value = this.pieces();
    let start = value.at(-1)?.end ?? this.valueStart();
    for (const [index, codepoint] of this.entities.entries()) {
      const next = index + 1 < this.entities.length ? this.html.indexOf('&', start + 1) : end;
      const stop = next === -1 || next > end ? end : next;
      value.push({ start, end: stop, text: String.fromCodePoint(codepoint) });
      start = stop;
    }
    this.entities = [];
  }
  /** Returns the value in pieces, to which others can be added. */
  private pieces(): Piece[] {
    if (this.valueFrom >= 0) addVerbatim(this.value, this.valueFrom, this.valueTo);
    this.valueFrom = -1;
    return this.value;
  }
  private valueStart(): number {
    const opening = /\s*=\s*["']?/y;
    opening.lastIndex = this.nameEnd;
    return opening.exec(this.html) === null ? this.nameEnd : opening.lastIndex;
  }
}

/** Scans markup at a place where HTML sees only text. */
function scanInner(value: MappedText, depth: number, sink: Sink): void {
  if (depth < MARKUP_DEPTH && value.text.includes('<')) scanMarkup(value, depth + 1, sink);
}

function scanMarkup(source: MappedText, depth: number, sink: Sink): void {
  const scanner = new MarkupScanner(source, depth, sink);
  const tokenizer = new Tokenizer({ decodeEntities: true }, scanner);
  tokenizer.write(source.text);
  tokenizer.end();
  scanner.finish();
}

function unescaped(sequence: string): string {
  const code = Number.parseInt(sequence.replace(/[^0-9a-f]/gi, ''), 16);
  return Number.isNaN(code) || code > 0x10ffff ? '/' : String.fromCodePoint(code);
}
