/**
 * Reads the text of a page as style lays it out: side by side, in another order, from right to left, at places of their own, and with text
 * that style makes or that stands in fields. It reports words whose pieces stand apart in the page. Widths, lines that are full, and
 * lengths that are computed are not followed.
 */
import { type Box, BREAK, hasPlace, type Item, seenIn } from './boxes.ts';
import type { Generated, Layout } from './layout.ts';
import type { Piece } from './mapped.ts';
import { AddressWord } from './one-address.ts';
import { isApartElement, isCell, isRow } from './text-flows.ts';
import { runsOf } from './text-runs.ts';
import { isVoidElement } from './visible.ts';

/** The most boxes in one another. Each is written into the ones around it, so a tag costs no more. */
const MAX_DEPTH = 64;
/** The most elements and texts that are laid out together, so that a page of megabytes is never held as objects. */
const MAX_ITEMS = 4_000;
/**
 * The most elements and texts of a page that are laid out. A page of ten megabytes has millions, and each costs several times as much as
 * in the other readings. The rest of the page has the other readings.
 */
const MAX_LAID_OUT = 250_000;
const MAX_WORD_PIECES = 10_000;
/** The most characters of a page that style makes. A rule can put the same text into each of a million elements. */
const MAX_GENERATED = 1024 * 1024;
/** An element ends those that are open around it. */
const ENDED_BY: ReadonlyMap<string, RegExp> = new Map([
  ['p', /^p$/],
  ['li', /^li$/],
  ['td', /^t[dh]$/],
  ['th', /^t[dh]$/],
  ['tr', /^t[dhr]$/],
  ['option', /^option$/],
]);
const ORDINARY: Layout = {};

/** An element at the end of its start tag. */
export interface Opened {
  readonly tag: string;
  readonly layout: Layout | null;
  /** Its style puts it into the line of its neighbours. */
  readonly joins: boolean;
  readonly isHidden: boolean;
  /** The text that it shows without content: of a field or a picture. */
  readonly shown: readonly Piece[] | null;
  readonly attributes: ReadonlyMap<string, readonly Piece[]>;
}

const NOTHING = { layout: null, joins: false, isHidden: false, shown: null, attributes: new Map() } as const;

/** Follows the tags of one document from the first element on that is laid out in another way than written. */
export class LaidOutText {
  private readonly open: Box[] = [];
  private root: Box = boxOf('', ORDINARY, true, false);
  private items = 0;
  private left = MAX_LAID_OUT;
  private generated = 0;
  /** True when a float or a place of its own waits for more text outside of all boxes. */
  private isWaiting = false;
  private hiding = '';
  private hidingDepth = 0;

  /** `before`: the word in front of the first element. `cell`: the name of the cell that it stands in. */
  constructor(
    private readonly html: string,
    before: readonly Piece[],
    cell: string | null,
    private readonly onCutWord: (pieces: readonly Piece[]) => void,
  ) {
    if (cell !== null) this.beginShown({ ...NOTHING, tag: cell });
    if (before.length > 0) this.add(before);
  }

  /** True when as much was laid out as is laid out of one page. */
  get isOver(): boolean {
    return this.left <= 0;
  }

  /** Handles the end of a start tag. */
  begin(opened: Opened): void {
    const { tag } = opened;
    if (this.left <= 0) return;
    if (this.hiding !== '') {
      if (tag === this.hiding) this.hidingDepth++;
    } else if (opened.isHidden) this.hide(tag);
    else if (tag === 'br' || tag === 'hr') this.put(BREAK);
    else this.beginShown(opened);
  }

  /** Handles an end tag. */
  close(tag: string): void {
    if (this.left <= 0) return;
    if (this.hiding !== '') {
      if (tag === this.hiding && --this.hidingDepth === 0) this.hiding = '';
      return;
    }
    const at = this.open.findLastIndex((box) => box.tag === tag);
    if (at >= 0) while (this.open.length > at) this.end();
    else if (isApartElement(tag) || isRow(tag)) this.put(BREAK);
  }

  /** Handles a run of text. */
  add(pieces: readonly Piece[]): void {
    if (this.hiding !== '' || this.left <= 0) return;
    const isWhole = this.open.some(({ layout }) => layout.isOverridden === true);
    for (const run of runsOf(this.html, pieces, isWhole))
      if (run.pieces.length > 0 || !this.isBetweenCells()) this.put(run);
  }

  /** Reports everything that was not reported yet. */
  finish(): void {
    while (this.open.length > 0) this.end();
    this.report();
  }

  private isBetweenCells(): boolean {
    const last = (this.open.at(-1) ?? this.root).items.at(-1);
    return last !== null && last !== undefined && 'items' in last && isCell(last.tag);
  }

  private readonly after = new Map<Box, () => void>();

  private beginShown({ tag, layout, joins, shown, attributes }: Opened): void {
    const ended = ENDED_BY.get(tag);
    while (ended?.test(this.open.at(-1)?.tag ?? '')) this.end();
    const isPlaced = layout?.isPlaced === true;
    const isApart = (isApartElement(tag) || isRow(tag)) && !joins && !isPlaced;
    const isVoid = isVoidElement(tag);
    if (!isVoid && this.open.length >= MAX_DEPTH) {
      if (isApart) this.put(BREAK);
      return;
    }
    const box = boxOf(tag, layout ?? ORDINARY, isApart, joins || isPlaced || isVoid || isCell(tag));
    const origin = hasPlace(box.layout) ? this.open.findLast((around) => around.layout.isOrigin) : this.open.at(-1);
    this.put(box, origin ?? this.root);
    this.open.push(box);
    this.generate(layout?.before, attributes);
    if (shown !== null) this.add(shown);
    if (isVoid) this.end();
    else if (layout?.after !== undefined) this.after.set(box, () => this.generate(layout.after, attributes));
  }

  private hide(tag: string): void {
    if (isVoidElement(tag)) return;
    this.hiding = tag;
    this.hidingDepth = 1;
  }

  private put(item: Item, target = this.open.at(-1) ?? this.root): void {
    target.items.push(item);
    if (target === this.root && isWaiting(item)) this.isWaiting = true;
    this.items += 1;
    this.left -= 1;
    // Text outside of all boxes ends with its line, unless a float or a place waits for more.
    if (item === BREAK && target === this.root && !this.isWaiting) this.report();
    else if (this.items > MAX_ITEMS || this.left === 0) this.finish();
  }

  private end(): void {
    const box = this.open.at(-1);
    if (box === undefined) return;
    const generateAfter = this.after.get(box);
    this.after.delete(box);
    generateAfter?.();
    this.open.pop();
    if (box.isApart && this.open.length === 0 && !this.isWaiting) this.report();
  }

  private generate(texts: readonly Generated[] | undefined, attributes: Opened['attributes']): void {
    if (texts === undefined) return;
    const pieces = texts.flatMap((text) => ('attribute' in text ? (attributes.get(text.attribute) ?? []) : [text]));
    for (const { start, end, text } of pieces) this.generated += text?.length ?? end - start;
    if (pieces.length > 0 && this.generated <= MAX_GENERATED) this.add(pieces);
  }

  private report(): void {
    const { root } = this;
    this.root = boxOf('', ORDINARY, true, false);
    this.items = 0;
    this.isWaiting = false;
    let word: Piece[] = [];
    let runs = 0;
    let address = new AddressWord();
    let isApart = true;
    const endWord = () => {
      if (runs > 1 && address.mayBeAddress) this.onCutWord(word);
      if (runs > 0) [word, runs, address] = [[], 0, new AddressWord()];
    };
    for (const run of seenIn(root)) {
      const isNew = run === BREAK || isApart || run.isApartBefore || word.length > MAX_WORD_PIECES;
      if (isNew || !address.goesOnWith(run.text)) endWord();
      isApart = run === BREAK || run.isApartAfter;
      if (run === BREAK || run.pieces.length === 0) continue;
      for (const piece of run.pieces) word.push(piece);
      // A run that is turned around is cut in letters.
      runs += run.pieces.length > 1 ? 2 : 1;
      address.add(run.text);
    }
    endWord();
  }
}

const boxOf = (tag: string, layout: Layout, isApart: boolean, isAtomic: boolean): Box => ({
  tag,
  layout,
  isApart,
  isAtomic,
  items: [],
});

function isWaiting(item: Item): boolean {
  return item !== null && 'items' in item && (item.layout.float !== undefined || hasPlace(item.layout));
}
