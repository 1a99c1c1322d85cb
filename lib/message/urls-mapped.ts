/**
 * Text that was decoded from a stretch of source text, with the way back: where in the source each character came from.
 * URLs are searched in the decoded form and reported where they stand.
 */

/** Source [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface MappedText {
  readonly text: string;
  /** The source span that characters [start, end) of the text came from. */
  spanOf(start: number, end: number): Span;
}

/** Text that stands in the source as it is, from `offset` on. */
export function verbatim(text: string, offset: number): MappedText {
  return { text, spanOf: (start, end) => ({ start: offset + start, end: offset + end }) };
}

/** Text whose every character stands for the whole of one source span: what was decoded too deeply to be told apart. */
export function collapsed(text: string, span: Span): MappedText {
  return { text, spanOf: () => span };
}

/** A piece of source and what it decodes to; null when it stands for itself. */
export interface Piece {
  readonly start: number;
  end: number;
  readonly text: string | null;
}

/** Adds a stretch of source that stands for itself, to the piece before it where it can: floods of pieces cost gigabytes. */
export function addVerbatim(pieces: Piece[], start: number, end: number): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.text === null && last.end === start) last.end = end;
  else pieces.push({ start, end, text: null });
}

/** Joins pieces of `source` in order. Within a piece that does not stand for itself, the span of any character is the whole. */
export function joined(source: string, pieces: readonly Piece[]): MappedText {
  const first = pieces[0];
  if (first === undefined) return verbatim('', 0);
  if (pieces.length === 1 && first.text === null) return verbatim(source.slice(first.start, first.end), first.start);
  const starts = new Float64Array(pieces.length);
  const texts: string[] = [];
  let length = 0;
  for (const [index, piece] of pieces.entries()) {
    const text = piece.text ?? source.slice(piece.start, piece.end);
    starts[index] = length;
    texts.push(text);
    length += text.length;
  }
  const pieceAt = (position: number): number => {
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    text: texts.join(''),
    spanOf: (start, end) => {
      const from = pieceAt(start);
      const to = pieceAt(Math.max(start, end - 1));
      const head = pieces[from] ?? first;
      const tail = pieces[to] ?? first;
      return {
        start: head.text === null ? head.start + start - (starts[from] ?? 0) : head.start,
        end: tail.text === null ? tail.start + end - (starts[to] ?? 0) : tail.end,
      };
    },
  };
}

/**
 * Rewrites a mapped text by a global regular expression, keeping the way back. `decode` gives what a match stands for. The
 * pattern must be linear: no nested quantifiers.
 */
export function rewritten(source: MappedText, pattern: RegExp, decode: (match: string) => string): MappedText {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of source.text.matchAll(pattern)) {
    if (match.index > at) addVerbatim(pieces, at, match.index);
    at = match.index + match[0].length;
    pieces.push({ start: match.index, end: at, text: decode(match[0]) });
  }
  if (pieces.length === 0) return source;
  if (at < source.text.length) addVerbatim(pieces, at, source.text.length);
  return within(source, joined(source.text, pieces));
}

/** A text that was taken from `source`, and whose spans are positions in it, mapped back to where `source` came from. */
export function within(source: MappedText, inner: MappedText): MappedText {
  return {
    text: inner.text,
    spanOf: (start, end) => {
      const span = inner.spanOf(start, end);
      return source.spanOf(span.start, span.end);
    },
  };
}
