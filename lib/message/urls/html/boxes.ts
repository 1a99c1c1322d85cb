/** Puts the boxes of a page in the order in which a person sees their texts. */
import type { Layout } from './layout.ts';
import { type Run, turned } from './text-runs.ts';

/** The end of a line. */
export const BREAK = null;
type Seen = Run | typeof BREAK;
export type Item = Box | Seen;

/** An element. */
export interface Box {
  readonly tag: string;
  readonly layout: Layout;
  /** It begins on its own line. */
  readonly isApart: boolean;
  /** It is laid out as one thing: no blank inside its edges is seen. */
  readonly isAtomic: boolean;
  readonly items: Item[];
}

/** Pieces whose tops differ by less stand in one line: pixels. */
const LINE = 8;

/** Returns the texts of a box in the order in which they are seen. */
export function seenIn(box: Box): Seen[] {
  return contentOf(box, { isRightToLeft: false, isOverridden: false });
}

interface Direction {
  readonly isRightToLeft: boolean;
  readonly isOverridden: boolean;
}

/** Returns true for an element that stands at a place of its own. Without a place it stays where it is written. */
export const hasPlace = ({ isPlaced, left, top }: Layout) =>
  isPlaced === true && (left !== undefined || top !== undefined);

const isBlank = (item: Item) => item !== BREAK && !('items' in item) && item.pieces.length === 0;
const isBox = (item: Item): item is Box => item !== null && 'items' in item;

function contentOf({ layout, items, isAtomic }: Box, outer: Direction): Seen[] {
  const { isRightToLeft = outer.isRightToLeft, isOverridden = outer.isOverridden } = layout;
  const direction = { isRightToLeft, isOverridden };
  const isTurned = isRightToLeft && isOverridden;
  const seenOf = (item: Item): Seen[] => {
    if (isBox(item)) return contentOf(item, direction);
    return [item !== null && isTurned ? turned(item) : item];
  };
  const placed = items.filter((item): item is Box => isBox(item) && hasPlace(item.layout));
  const rest = placed.length === 0 ? items : items.filter((item) => !isBox(item) || !hasPlace(item.layout));
  const seenAlone = (item: Item) => withoutOuterBlanks(seenOf(item));
  const isRow = layout.isRow === true;
  const seen = isRow ? inRow(rest, layout, isRightToLeft).flatMap(seenAlone) : inLines(rest, direction, seenOf);
  for (const run of inPlaces(placed, seenOf)) seen.push(run);
  return isAtomic ? withoutOuterBlanks(seen) : seen;
}

function inRow(items: readonly Item[], layout: Layout, isRightToLeft: boolean): Item[] {
  const placeOf = (item: Item) => (isBox(item) ? (item.layout.order ?? 0) : 0);
  const columnOf = (item: Item) => (isBox(item) ? (item.layout.column ?? 0) : 0);
  const row = items.filter((item) => item !== BREAK && !isBlank(item));
  row.sort((left, right) => placeOf(left) - placeOf(right) || columnOf(left) - columnOf(right));
  const isReversed = layout.isReversed === true;
  return isReversed === isRightToLeft ? row : row.reverse();
}

/** Floats go to the edges of their line. Those in front of a block stand beside its first line. */
function inLines(items: readonly Item[], direction: Direction, seenOf: (item: Item) => Seen[]): Seen[] {
  const lines = new Lines(direction, seenOf);
  for (const item of items) {
    const float = isBox(item) ? item.layout.float : undefined;
    if (float !== undefined) lines.float(item, float);
    else if (item === BREAK) lines.end();
    else if (isBox(item) && item.isApart) lines.putApart(item);
    else lines.put(item);
  }
  return lines.all();
}

/** The lines of one element. */
class Lines {
  private readonly seen: Seen[] = [];
  private lefts: Item[] = [];
  private middle: Item[] = [];
  private rights: Item[] = [];

  constructor(
    private readonly direction: Direction,
    private readonly seenOf: (item: Item) => Seen[],
  ) {}

  put(item: Item): void {
    this.middle.push(item);
  }
  float(item: Item, side: 'left' | 'right'): void {
    (side === 'left' ? this.lefts : this.rights).push(item);
  }
  putApart(block: Item): void {
    const isBesideFloats = this.middle.every(isBlank) && this.lefts.length + this.rights.length > 0;
    if (!isBesideFloats) this.end();
    this.middle.push(block);
    this.end();
  }
  end(): void {
    this.takeLine();
    this.seen.push(BREAK);
  }
  all(): Seen[] {
    this.takeLine();
    return this.seen;
  }

  private takeLine(): void {
    const { lefts, middle, rights, seen, seenOf } = this;
    const { isRightToLeft, isOverridden } = this.direction;
    const areAtoms = middle.length > 1 && middle.every((item) => isBlank(item) || (isBox(item) && item.isAtomic));
    if (isRightToLeft && (isOverridden || areAtoms)) middle.reverse();
    for (const item of lefts) for (const run of withoutOuterBlanks(seenOf(item))) seen.push(run);
    for (const item of middle) for (const run of seenOf(item)) seen.push(run);
    for (const item of rights.reverse()) for (const run of withoutOuterBlanks(seenOf(item))) seen.push(run);
    [this.lefts, this.middle, this.rights] = [[], [], []];
  }
}

/** Pieces with a place of their own stand from left to right in lines from top to bottom. */
function inPlaces(placed: Box[], seenOf: (item: Item) => Seen[]): Seen[] {
  const topOf = (box: Box) => box.layout.top ?? 0;
  const leftOf = (box: Box) => box.layout.left ?? 0;
  const seen: Seen[] = [];
  placed.sort((one, other) => topOf(one) - topOf(other));
  for (let from = 0; from < placed.length; ) {
    let to = from + 1;
    while (to < placed.length && topOf(placed[to] as Box) - topOf(placed[from] as Box) < LINE) to++;
    const line = placed.slice(from, to).sort((one, other) => leftOf(one) - leftOf(other));
    if (from > 0) seen.push(BREAK);
    for (const box of line) for (const run of withoutOuterBlanks(seenOf(box))) seen.push(run);
    from = to;
  }
  return seen;
}

function withoutOuterBlanks(seen: readonly Seen[]): Seen[] {
  const first = seen.findIndex((run) => run !== BREAK && !isBlank(run));
  const last = seen.findLastIndex((run) => run !== BREAK && !isBlank(run));
  if (first < 0) return [];
  return seen.slice(first, last + 1).map((run, index, all) => {
    if (run === BREAK || (index > 0 && index < all.length - 1)) return run;
    return {
      ...run,
      isApartBefore: run.isApartBefore && index > 0,
      isApartAfter: run.isApartAfter && index < all.length - 1,
    };
  });
}
