/**
 * Text that was decoded from a stretch of source text. It knows the place in the source of each of its characters. URLs are searched in the
 * decoded form and reported with their places in the source.
 */

/** Source [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A URL in a text. `url` has a scheme and is not normalised yet. */
export interface TextMatch extends Span {
  readonly url: string;
}

export interface MappedText {
  readonly text: string;
  /** Returns the source range of characters [start, end) of the text. */
  spanOf(start: number, end: number): Span;
  /** Returns the same, stretch by stretch. A tag or anything else between two stretches is not part of the text. */
  stretchesOf(start: number, end: number): Stretch[];
  /** Returns true when markup is between two of these stretches. */
  isCut(start: number, end: number): boolean;
}

/** A stretch of source and the text that was made of it. */
export interface Stretch extends Span {
  readonly text: string;
  /** Each character of the text is the character of the source at its place. */
  readonly isVerbatim: boolean;
}

/** Returns text that equals the source, from `offset` on. */
export function verbatim(text: string, offset: number): MappedText {
  return new VerbatimText(text, offset);
}

/** A class, because a large page has a hundred thousand of these. Objects of a class share their methods; closures would be copied. */
class VerbatimText implements MappedText {
  readonly text: string;
  readonly offset: number;
  constructor(text: string, offset: number) {
    this.text = text;
    this.offset = offset;
  }
  spanOf(start: number, end: number): Span {
    return { start: this.offset + start, end: this.offset + end };
  }
  stretchesOf(start: number, end: number): Stretch[] {
    return [{ ...this.spanOf(start, end), text: this.text.slice(start, end), isVerbatim: true }];
  }
  isCut(): boolean {
    return false;
  }
}

/** Returns text in which every character belongs to one whole source range, because the decoding gives no finer places. */
export function collapsed(text: string, span: Span): MappedText {
  return {
    text,
    spanOf: () => span,
    stretchesOf: (start, end) => [{ ...span, text: text.slice(start, end), isVerbatim: false }],
    isCut: () => false,
  };
}

/** A piece of source and its decoded text. `text` is null when both are equal. */
export interface Piece {
  readonly start: number;
  end: number;
  readonly text: string | null;
}

/** Adds a stretch of source that decodes to itself. It extends the last piece where possible, because floods of pieces cost gigabytes. */
export function addVerbatim(pieces: Piece[], start: number, end: number): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.text === null && last.end === start) last.end = end;
  else pieces.push({ start, end, text: null });
}

/** Joins pieces of `source` in order. In a piece whose text differs from its source, the range of any character is the whole piece. */
export function joined(source: string, pieces: readonly Piece[]): MappedText {
  const first = pieces[0];
  if (first === undefined) return verbatim('', 0);
  if (pieces.length === 1 && first.text === null) return verbatim(source.slice(first.start, first.end), first.start);
  const starts: number[] = [];
  let length = 0;
  const texts = pieces.map((piece) => {
    const text = piece.text ?? source.slice(piece.start, piece.end);
    starts.push(length);
    length += text.length;
    return text;
  });
  return new JoinedText(texts.join(''), pieces, starts);
}

class JoinedText implements MappedText {
  constructor(
    readonly text: string,
    private readonly pieces: readonly Piece[],
    private readonly starts: readonly number[],
  ) {}

  spanOf(start: number, end: number): Span {
    const head = this.edgeAt(this.pieceAt(start), start);
    const tail = this.edgeAt(this.pieceAt(Math.max(start, end - 1)), end);
    if (head.start < tail.end) return { start: head.start, end: tail.end };
    // Pieces that style puts in another order.
    const stretches = this.stretchesOf(start, end);
    const first = stretches.reduce((least, stretch) => Math.min(least, stretch.start), head.start);
    return { start: first, end: stretches.reduce((most, stretch) => Math.max(most, stretch.end), tail.end) };
  }

  stretchesOf(start: number, end: number): Stretch[] {
    const stretches: Stretch[] = [];
    const last = this.pieceAt(Math.max(start, end - 1));
    for (let index = this.pieceAt(start); index <= last; index++) {
      const from = Math.max(start, this.starts[index] ?? 0);
      const to = Math.min(end, this.starts[index + 1] ?? this.text.length);
      const isVerbatim = this.pieces[index]?.text === null;
      const span = { start: this.edgeAt(index, from).start, end: this.edgeAt(index, to).end };
      stretches.push({ ...span, text: this.text.slice(from, to), isVerbatim });
    }
    return stretches;
  }

  isCut(start: number, end: number): boolean {
    const last = this.pieceAt(Math.max(start, end - 1));
    for (let index = this.pieceAt(start) + 1; index <= last; index++)
      if (this.pieces[index - 1]?.end !== this.pieces[index]?.start) return true;
    return false;
  }

  /** Returns the place of `position` in the source, once as a start and once as an end. */
  private edgeAt(index: number, position: number): Span {
    const piece = this.pieces[index] ?? { start: 0, end: 0, text: '' };
    if (piece.text !== null) return piece;
    const at = piece.start + position - (this.starts[index] ?? 0);
    return { start: at, end: at };
  }

  private pieceAt(position: number): number {
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * Returns the text without the matches of a pattern, with the way back. It takes four bytes for each character, so that floods of matches
 * are cheap.
 */
export function without(source: MappedText, pattern: RegExp): MappedText {
  // Every text of a page is asked, and nearly none has a match.
  if (source.text.search(pattern) < 0) return source;
  const { text } = source;
  // The text is not put together from pieces, because a flood of matches makes millions of them.
  const codes = new Uint16Array(text.length);
  const origins = new Uint32Array(text.length);
  let [length, at] = [0, 0];
  const keep = (to: number) => {
    for (; at < to; at++, length++) {
      codes[length] = text.charCodeAt(at);
      origins[length] = at;
    }
  };
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    keep(match.index);
    at = pattern.lastIndex;
  }
  keep(text.length);
  const kept = Buffer.from(codes.buffer, 0, length * 2).toString('utf16le');
  return within(source, new ThinnedText(kept, origins));
}

/** Returns the characters of these places of a text, in this order. */
export function reordered(source: MappedText, places: Uint32Array): MappedText {
  const codes = new Uint16Array(places.length);
  for (let index = 0; index < places.length; index++) codes[index] = source.text.charCodeAt(places[index] ?? 0);
  const text = Buffer.from(codes.buffer, 0, codes.length * 2).toString('utf16le');
  return within(source, new ReorderedText(text, places));
}

/** The range of some of its characters is the shortest one that encloses all of them. */
class ReorderedText implements MappedText {
  constructor(
    readonly text: string,
    private readonly places: Uint32Array,
  ) {}
  spanOf(start: number, end: number): Span {
    let [first, last] = [this.places[start] ?? 0, this.places[start] ?? 0];
    for (let at = start + 1; at < end; at++) {
      const place = this.places[at] ?? first;
      first = Math.min(first, place);
      last = Math.max(last, place);
    }
    return { start: first, end: end > start ? last + 1 : first };
  }
  stretchesOf(start: number, end: number): Stretch[] {
    return [{ ...this.spanOf(start, end), text: this.text.slice(start, end), isVerbatim: false }];
  }
  isCut(): boolean {
    return false;
  }
}

class ThinnedText implements MappedText {
  readonly text: string;
  private readonly origins: Uint32Array;
  constructor(text: string, origins: Uint32Array) {
    this.text = text;
    this.origins = origins;
  }
  spanOf(start: number, end: number): Span {
    const first = this.origins[start] ?? 0;
    return { start: first, end: end > start ? (this.origins[end - 1] ?? first) + 1 : first };
  }
  stretchesOf(start: number, end: number): Stretch[] {
    return [{ ...this.spanOf(start, end), text: this.text.slice(start, end), isVerbatim: false }];
  }
  isCut(): boolean {
    return false;
  }
}

/** Maps `inner`, whose ranges are positions in `source`, back to the origin of `source`. */
export function within(source: MappedText, inner: MappedText): MappedText {
  if (source instanceof VerbatimText) {
    if (inner instanceof VerbatimText) return new VerbatimText(inner.text, source.offset + inner.offset);
    if (source.offset === 0) return inner;
  }
  return new TextWithin(source, inner);
}

class TextWithin implements MappedText {
  readonly text: string;
  constructor(
    private readonly source: MappedText,
    private readonly inner: MappedText,
  ) {
    this.text = inner.text;
  }

  spanOf(start: number, end: number): Span {
    const span = this.inner.spanOf(start, end);
    return this.source.spanOf(span.start, span.end);
  }

  stretchesOf(start: number, end: number): Stretch[] {
    return this.inner.stretchesOf(start, end).flatMap((stretch) => {
      if (stretch.isVerbatim) return this.source.stretchesOf(stretch.start, stretch.end);
      return [{ ...this.source.spanOf(stretch.start, stretch.end), text: stretch.text, isVerbatim: false }];
    });
  }

  isCut(start: number, end: number): boolean {
    const stretches = this.stretchesOf(start, end);
    return stretches.some((stretch, index) => index > 0 && stretches[index - 1]?.end !== stretch.start);
  }
}
