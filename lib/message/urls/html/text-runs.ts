/** Cuts runs of text at their blanks. */
import type { Piece } from './mapped.ts';

/** Pieces of a text, without blanks around them. A blank alone has no pieces. */
export interface Run {
  readonly pieces: readonly Piece[];
  readonly text: string;
  /** True when a blank separates it from the text in front or behind. */
  readonly isApartBefore: boolean;
  readonly isApartAfter: boolean;
}

/** Returns the words that can go on in the texts around: the first and the last one, or all as one run with `isWhole`. */
export function runsOf(html: string, pieces: readonly Piece[], isWhole: boolean): readonly Run[] {
  const words = isWhole ? null : outerWords(html, pieces);
  if (words !== null) return words;
  const text = pieces.map((piece) => textOf(html, piece)).join('');
  if (text.trim() === '') return [BLANK];
  return [
    {
      pieces: trimmedEnd(html, trimmedStart(html, pieces)),
      text: text.trim(),
      isApartBefore: text.trimStart() !== text,
      isApartAfter: text.trimEnd() !== text,
    },
  ];
}

const BLANK: Run = { pieces: [], text: '', isApartBefore: true, isApartAfter: true };

const textOf = (html: string, { start, end, text }: Piece) => text ?? html.slice(start, end);

/** Returns the outer words of a text that is one piece. */
function outerWords(html: string, pieces: readonly Piece[]): readonly Run[] | null {
  const [only] = pieces;
  if (only === undefined || only.text !== null || pieces.length > 1) return null;
  const { start, end } = only;
  let [from, to] = [start, end];
  while (from < end && html.charCodeAt(from) <= 0x20) from++;
  if (from === end) return [BLANK];
  while (html.charCodeAt(to - 1) <= 0x20) to--;
  let firstEnd = from;
  while (firstEnd < to && html.charCodeAt(firstEnd) > 0x20) firstEnd++;
  const first = { pieces: [{ start: from, end: firstEnd, text: null }], text: html.slice(from, firstEnd) };
  if (firstEnd === to) return [{ ...first, isApartBefore: from > start, isApartAfter: to < end }];
  let lastStart = to;
  while (html.charCodeAt(lastStart - 1) > 0x20) lastStart--;
  const last = { pieces: [{ start: lastStart, end: to, text: null }], text: html.slice(lastStart, to) };
  return [
    { ...first, isApartBefore: from > start, isApartAfter: true },
    { ...last, isApartBefore: true, isApartAfter: to < end },
  ];
}

function trimmedStart(html: string, pieces: readonly Piece[]): readonly Piece[] {
  let at = 0;
  while (at < pieces.length && textOf(html, pieces[at] as Piece).trim() === '') at++;
  const [first, ...rest] = pieces.slice(at);
  if (first === undefined || first.text !== null) return pieces.slice(at);
  const text = textOf(html, first);
  return [{ start: first.start + text.length - text.trimStart().length, end: first.end, text: null }, ...rest];
}

function trimmedEnd(html: string, pieces: readonly Piece[]): readonly Piece[] {
  let end = pieces.length;
  while (end > 0 && textOf(html, pieces[end - 1] as Piece).trim() === '') end--;
  const last = pieces[end - 1];
  if (last === undefined || last.text !== null) return pieces.slice(0, end);
  const text = textOf(html, last);
  const shorter = { start: last.start, end: last.end - text.length + text.trimEnd().length, text: null };
  return [...pieces.slice(0, end - 1), shorter];
}

/** The most characters of a piece that are turned around. Each becomes a piece of its own. */
const MAX_TURNED = 500;

/** Returns the run with its letters in the other direction. */
export function turned(run: Run): Run {
  const letters = run.pieces.flatMap((piece): readonly Piece[] => {
    const { start, end, text } = piece;
    if (text !== null) return [{ start, end, text: [...text].reverse().join('') }];
    if (end - start > MAX_TURNED) return [piece];
    return Array.from({ length: end - start }, (_, at) => ({ start: start + at, end: start + at + 1, text: null }));
  });
  return {
    pieces: letters.reverse(),
    text: [...run.text].reverse().join(''),
    isApartBefore: run.isApartAfter,
    isApartAfter: run.isApartBefore,
  };
}
