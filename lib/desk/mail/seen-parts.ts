/**
 * The sides of the parts of a mail for a page that is a file: pictures and the beginnings of texts, as they came and as they are delivered.
 */
import type { Drawn, DrawnKind } from '../../formats/drawn/draw-request.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { RunWords } from '../../pipeline/runs/sentence.ts';
import type { SeenSide } from './part-page.tsx';
import { type PartSides, type Side, sidesOf } from './part-sides.ts';

/** Limits of such a page, with the attack each stops. */
export const SEEN_LIMITS = {
  /** A mail with a thousand pictures. Parts that are shown. */
  parts: 8,
  /** Pictures that keep their reader busy, one after the other. Milliseconds of processor time after which no further side is drawn. */
  workMs: 20_000,
  /** A file of a hundred megabytes for every mail. Bytes of all pictures. */
  pictureBytes: 3_000_000,
} as const;

/**
 * Has a side drawn small. `page` is the picture (from 1) whose bytes are needed; the others may be empty. Null when it is stored nowhere
 * any more.
 */
export type DrawSmall = (side: Side, kind: DrawnKind, page: number) => Promise<Drawn | null>;

/** A drawer for the sides of one page. */
export interface SmallDrawing {
  readonly draw: DrawSmall;
  /** Returns true when it has taken as long as it may. */
  readonly isOver: () => boolean;
}

/** A part with what is seen of it. */
export interface SeenPart {
  readonly sides: PartSides;
  readonly before: SeenSide;
  /** `same` when it is delivered unchanged. */
  readonly after: SeenSide | 'same';
}

/** The parts of a mail that are seen. */
export interface SeenParts {
  readonly parts: readonly SeenPart[];
  /** The number of others that could be shown, and are not. */
  readonly left: number;
}

export const NOTHING_SEEN: SeenParts = { parts: [], left: 0 };

/** Has the parts of a mail drawn, one after the other in the order of the message. */
export async function seenPartsOf(ledger: Ledger, words: RunWords, { draw, isOver }: SmallDrawing): Promise<SeenParts> {
  const shown = ledger.parts.flatMap((part) => {
    const sides = sidesOf(ledger, part.path, words);
    return sides !== null && sides.before.kind !== null ? [sides] : [];
  });
  const parts: SeenPart[] = [];
  let left: number = SEEN_LIMITS.pictureBytes;
  for (const sides of shown.slice(0, SEEN_LIMITS.parts)) {
    if (isOver()) break;
    const { before, after } = sides;
    const isSame = after?.stored.sha256 === before.stored.sha256;
    const seen = {
      sides,
      before: await seenOf(draw, before),
      after: isSame ? 'same' : await seenOf(draw, after),
    } as const;
    left -= bytesOf(seen.before) + bytesOf(seen.after);
    if (left < 0) break;
    parts.push(seen);
  }
  return { parts, left: shown.length - parts.length };
}

async function seenOf(draw: DrawSmall, side: Side | null): Promise<SeenSide> {
  if (side === null) return null;
  const { kind } = side;
  if (kind === null) return 'unknown';
  const first = await draw(side, kind, 1);
  if (first === null) return 'gone';
  const pictures: Uint8Array[] = [];
  for (const [at, drawn] of first.pictures.entries()) {
    const picture = drawn.length > 0 ? drawn : (await draw(side, kind, at + 1))?.pictures[at];
    // A picture that cannot be had any more is like a page that is not drawn.
    if (picture === undefined || picture.length === 0) return { ...first, outcome: 'partly', pictures };
    pictures.push(picture);
  }
  return { ...first, pictures };
}

const bytesOf = (side: SeenSide | 'same') =>
  side === null || typeof side === 'string' ? 0 : side.pictures.reduce((sum, { length }) => sum + length, 0);
