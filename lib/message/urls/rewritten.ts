/** Replaces a pattern in a mapped text, and keeps the way back to where each character came from. */
import { type MappedText, type Span, type Stretch, within } from './html/mapped.ts';

/**
 * Rewrites a mapped text by a global regular expression. `decode` is given a match and its index, and returns the text that the match
 * encodes. The pattern must be linear: it has no nested quantifiers, and it matches no empty text. It has no capturing groups either: a
 * flood of matches would copy them all.
 */
export function rewritten(
  source: MappedText,
  pattern: RegExp,
  decode: (match: string, index: number) => string,
): MappedText {
  const changes: Changes = { starts: [], ends: [], outStarts: [], outEnds: [] };
  const text = new TextBuilder();
  let [at, shift] = [0, 0];
  pattern.lastIndex = 0;
  // A loop, because a call of `replace` with a function holds all matches at once.
  for (let found = pattern.exec(source.text); found !== null; found = pattern.exec(source.text)) {
    const { 0: match, index } = found;
    const decoded = decode(match, index);
    if (decoded === match) continue;
    changes.starts.push(index);
    changes.ends.push(index + match.length);
    changes.outStarts.push(index + shift);
    shift += decoded.length - match.length;
    changes.outEnds.push(index + match.length + shift);
    text.add(source.text.slice(at, index), decoded);
    at = index + match.length;
  }
  if (changes.starts.length === 0) return source;
  text.add(source.text.slice(at), '');
  return within(source, new ChangedText(text.toString(), source.text.length, changes));
}

/** Pieces of a text that are joined now and then, because a million small ones cost more than the text. */
class TextBuilder {
  private readonly joined: string[] = [];
  private pieces: string[] = [];

  add(one: string, other: string): void {
    this.pieces.push(one, other);
    if (this.pieces.length > MAX_PIECES) this.join();
  }

  toString(): string {
    this.join();
    return this.joined.join('');
  }

  private join(): void {
    this.joined.push(this.pieces.join(''));
    this.pieces = [];
  }
}

const MAX_PIECES = 4_096;

/** The places of all changes, in the source and in the text. It holds only numbers, because a flood may make a million changes. */
interface Changes {
  readonly starts: number[];
  readonly ends: number[];
  readonly outStarts: number[];
  readonly outEnds: number[];
}

class ChangedText implements MappedText {
  constructor(
    readonly text: string,
    private readonly sourceLength: number,
    private readonly changes: Changes,
  ) {}

  spanOf(start: number, end: number): Span {
    const tail = this.pieceAt(Math.max(start, end - 1));
    const head = this.pieceAt(start);
    return {
      start: head.isVerbatim ? head.start + start - head.outStart : head.start,
      end: tail.isVerbatim ? tail.start + end - tail.outStart : tail.end,
    };
  }

  stretchesOf(start: number, end: number): Stretch[] {
    const stretches: Stretch[] = [];
    for (let at = start; ; ) {
      const piece = this.pieceAt(at);
      const to = Math.min(end, piece.outEnd);
      const span = piece.isVerbatim
        ? { start: piece.start + at - piece.outStart, end: piece.start + to - piece.outStart }
        : { start: piece.start, end: piece.end };
      stretches.push({ ...span, text: this.text.slice(at, to), isVerbatim: piece.isVerbatim });
      if (to >= end || to <= at) return stretches;
      at = to;
    }
  }

  isCut(): boolean {
    return false;
  }

  /** Returns the change around `position`, or the stretch of source between two changes. */
  private pieceAt(position: number) {
    const { starts, ends, outStarts, outEnds } = this.changes;
    let [low, high] = [-1, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((outStarts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    const [outStart, outEnd] = [outStarts[low] ?? 0, outEnds[low] ?? 0];
    const [start, end] = [starts[low] ?? 0, ends[low] ?? 0];
    const isLast = low === starts.length - 1 && end === this.sourceLength;
    if (low >= 0 && (position < outEnd || isLast)) return { isVerbatim: false, start, end, outStart, outEnd };
    const next = low + 1;
    return {
      isVerbatim: true,
      start: end,
      end: starts[next] ?? this.sourceLength,
      outStart: outEnd,
      outEnd: outStarts[next] ?? this.text.length,
    };
  }
}
