/** Says what an element shows without content, and how its attributes lay it out. */
import { bothLayouts, type Layout } from './layout.ts';
import type { Piece } from './mapped.ts';

/** Attributes whose text a field or a picture shows. */
export const SHOWN_ATTRIBUTES: ReadonlySet<string> = new Set(['value', 'placeholder', 'alt']);
/** Fields that show no value. */
const WITHOUT_TEXT = /^\s*(?:hidden|checkbox|radio|password|file|image|color|range)\s*$/i;
/** A text in the place of a picture that may be a piece of an address. Pictures of newsletters have many others. */
const MAY_BE_PIECE = /^\s*(?:h|ht|htt|https?|w{1,3})\s*$|[:/@]|www\./i;

/** The end of a text in a cell that may be a piece of an address. */
const ENDS_WITH_PIECE = /(?:^|\s)(?:h|ht|htt|https?|w{1,3})$|(?::|\/\/|www\.)\S*$/i;
const END_LENGTH = 100;

/** Returns true for a text of a cell with which an address may begin that goes on in the next cell. */
export function endsWithPiece(text: string): boolean {
  return ENDS_WITH_PIECE.test(text.slice(-END_LENGTH));
}

/** Returns the text of a field, or the one in the place of a picture, or null for an element that shows none of its attributes. */
export function shownPieces(
  tag: string,
  type: string,
  attributes: ReadonlyMap<string, readonly Piece[]>,
): readonly Piece[] | null {
  if (tag === 'img') return attributes.get('alt') ?? null;
  if (tag !== 'input' || WITHOUT_TEXT.test(type)) return null;
  return attributes.get('value') ?? attributes.get('placeholder') ?? null;
}

/** Returns true for a text that looks like a piece of an address. */
export function mayBePiece(html: string, pieces: readonly Piece[]): boolean {
  return pieces.some(({ start, end, text }) => MAY_BE_PIECE.test(text ?? html.slice(start, end)));
}

/** Returns the layout that an element has without a sheet. A table or a picture with `align` floats. `own`: what its style says. */
export function layoutOfElement(tag: string, own: Layout | null, alignment: string): Layout | null {
  const base: Layout | null = tag === 'bdo' ? { isOverridden: true } : null;
  const floats = alignment !== '' && (tag === 'table' || tag === 'img');
  const float = alignment === 'right' ? 'right' : 'left';
  return bothLayouts(floats ? { ...base, float } : base, own);
}
