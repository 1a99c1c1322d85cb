/**
 * Reads the text of a page in four ways: with the text that style may hide, as a program shows it that follows the style of the page,
 * without all text that may be out of sight, and in the order in which style lays it out. A person may see any of them.
 */
import { LaidOutText } from './laid-out.ts';
import { bothLayouts, type Layout, layoutOfStyle } from './layout.ts';
import type { Piece } from './mapped.ts';
import { endsWithPiece, layoutOfElement, mayBePiece, SHOWN_ATTRIBUTES, shownPieces } from './shown-pieces.ts';
import { bothEffects, effectOfStyle, NO_EFFECT, type StyleEffect } from './style-declarations.ts';
import { ANY_ELEMENT, type Sheets, sheetsOf } from './style-effects.ts';
import { isCell } from './text-flows.ts';
import { type LinkText, VisibleText } from './visible.ts';

/** Elements that browsers do not show, or only while they are open, or only to programs that know no better. */
// biome-ignore format: one element a line makes the list hard to read
const UNSEEN_ELEMENTS = new Set([
  'template', 'datalist', 'audio', 'video', 'canvas', 'object', 'applet', 'rp', 'details', 'dialog', 'noframes',
  'head', 'frameset', 'meter', 'progress', 'annotation', 'annotation-xml', 'defs', 'desc', 'metadata', 'symbol',
  'clippath', 'mask',
]);
/** Attributes that hide their element, or may do so. */
const HIDING_ATTRIBUTES: ReadonlyMap<string, StyleEffect> = new Map([
  ['hidden', { edges: 'hides', isBlank: true, mayHide: true }],
  ['popover', { edges: null, isBlank: false, mayHide: true }],
]);
/** The most style attributes whose effects are kept, and the length of each. Pages repeat theirs. */
const MAX_KEPT_STYLES = 1_000;
const MAX_KEPT_LENGTH = 500;
/** The style of an element. */
interface Style {
  readonly effect: StyleEffect;
  readonly layout: Layout | null;
}

/** Follows the tags of one document, and reports words that tags cut in pieces, of every reading. */
export class TextReadings {
  private readonly visible: VisibleText;
  /** The text as style shows it. It is followed from the first element on that is shown in another way than without style. */
  private styled: VisibleText | null = null;
  /** The text without what may be out of sight. It is followed from the first such element on. */
  private withoutUnseen: VisibleText | null = null;
  /** The text in the order of its layout. It is followed from the first element on that has one. */
  private laidOut: LaidOutText | null = null;
  private readonly sheets: Sheets;
  private readonly mayAnyHide: boolean;
  private readonly keptStyles = new Map<string, Style>();
  /** The effect of the attributes of the element itself. */
  private own = NO_EFFECT;
  /** The effect that sheets have on the element. */
  private sheet = NO_EFFECT;
  private ownLayout: Layout | null = null;
  private sheetLayout: Layout | null = null;
  private type = '';
  private lastText = '';
  private alignment = '';
  private attributes: Map<string, readonly Piece[]> | null = null;

  constructor(
    private readonly html: string,
    private readonly onCutWord: (pieces: readonly Piece[]) => void,
  ) {
    this.visible = new VisibleText(onCutWord);
    this.sheets = sheetsOf(html);
    this.mayAnyHide = this.sheets.effects.get(ANY_ELEMENT)?.mayHide ?? false;
  }

  /** Handles the name of a start tag. Its attributes follow. */
  begin(): void {
    this.own = NO_EFFECT;
    this.sheet = NO_EFFECT;
    this.ownLayout = null;
    this.sheetLayout = null;
    this.type = '';
    this.alignment = '';
    this.attributes = null;
  }

  /** Handles the name of an attribute, in lower case. */
  takeName(attribute: string): void {
    const effect = HIDING_ATTRIBUTES.get(attribute);
    if (effect !== undefined) this.own = bothEffects(effect, this.own);
    if (this.hasSheets) this.takeSheet(`[${attribute}`);
  }

  /** Handles the value of an attribute. `pieces`: the places of its text, or null when it stands in the page as it is, from `start` on. */
  takeValue(attribute: string, value: string, start: number, pieces: readonly Piece[] | null): void {
    if (attribute === 'style') {
      const { effect, layout } = this.styleOf(value);
      this.own = bothEffects(this.own, effect);
      this.ownLayout = bothLayouts(this.ownLayout, layout);
    } else if (attribute === 'class' || attribute === 'id') {
      if (!this.hasSheets) return;
      const mark = attribute === 'id' ? '#' : '.';
      for (const name of value.toLowerCase().split(/\s+/)) this.takeSheet(`${mark}${name}`);
    } else if (attribute === 'dir') this.takeDirection(value);
    else if (attribute === 'align' && /^(?:left|right)$/i.test(value)) this.alignment = value.toLowerCase();
    else if (attribute === 'type') this.type = value;
    if (this.laidOut?.isOver === true) return;
    if (SHOWN_ATTRIBUTES.has(attribute) || this.sheets.layouts.size > 0) {
      this.attributes ??= new Map();
      const places = pieces ?? [{ start, end: start + value.length, text: null }];
      if (!this.attributes.has(attribute)) this.attributes.set(attribute, places);
    }
  }

  /** Handles the end of a start tag. `link` takes the text of the element that a person sees. */
  open(tag: string, link: LinkText | null): void {
    if (this.hasSheets) this.takeElement(tag);
    const isUnseen = UNSEEN_ELEMENTS.has(tag);
    const edges = this.own.edges ?? this.sheet.edges ?? (isUnseen ? 'hides' : null);
    const isBlank = this.own.isBlank || this.own.edges === 'hides';
    // A sheet for any element is no reason to join lines.
    const isAnyHiding = this.mayAnyHide && tag !== 'br' && tag !== 'hr';
    const mayHide = isUnseen || isAnyHiding || this.own.mayHide || this.sheet.mayHide;
    if (isCell(tag)) this.endCell();
    else if (tag === 'table') this.lastText = '';
    if (edges !== null || this.sheet.isBlank) this.styled ??= this.visible.copy();
    if (mayHide) this.withoutUnseen ??= (this.styled ?? this.visible).copy();
    this.visible.open(tag, isBlank);
    this.styled?.open(tag, isBlank || this.sheet.isBlank, edges);
    if (mayHide) this.withoutUnseen?.openAside(tag, edges);
    else this.withoutUnseen?.open(tag, false, edges);
    if (link !== null) this.visible.openLink(link);
    const isHidden = isBlank || this.sheet.isBlank || edges === 'hides';
    this.openLaidOut(tag, isHidden, edges === 'joins');
  }

  /** Handles an element for the reading in the order of layout, and begins this reading when it is the first with a layout. */
  private openLaidOut(tag: string, isHidden: boolean, joins: boolean): void {
    if (this.laidOut?.isOver === true) return;
    const layout = bothLayouts(this.sheetLayout, layoutOfElement(tag, this.ownLayout, this.alignment));
    const shown = this.attributes === null ? null : shownPieces(tag, this.type, this.attributes);
    const begins = layout !== null || (shown !== null && (tag !== 'img' || mayBePiece(this.html, shown)));
    if (begins && !isHidden) this.beginLaidOut(null);
    this.laidOut?.begin({ tag, layout, joins, isHidden, shown, attributes: this.attributes ?? NO_ATTRIBUTES });
  }

  private beginLaidOut(cell: string | null): void {
    const before = (this.styled ?? this.visible).openWord();
    this.laidOut ??= new LaidOutText(this.html, before, cell, this.onCutWord);
  }

  /** A cell stands beside the next one. */
  private endCell(): void {
    if (this.lastText !== '' && this.laidOut === null && endsWithPiece(this.lastText)) this.beginLaidOut('td');
    this.lastText = '';
  }

  close(tag: string): void {
    if (isCell(tag)) this.endCell();
    this.visible.close(tag);
    this.styled?.close(tag);
    this.withoutUnseen?.close(tag);
    this.laidOut?.close(tag);
  }

  /** Handles a run of text between two tags, with its entities decoded. */
  add(pieces: readonly Piece[], value: string): void {
    this.visible.add(pieces, value);
    this.styled?.add(pieces, value);
    this.withoutUnseen?.add(pieces, value);
    this.laidOut?.add(pieces);
    this.lastText = value;
  }

  /** Ends every word, so that no following text continues one. */
  endWord(): void {
    this.visible.endWord();
    this.styled?.endWord();
    this.withoutUnseen?.endWord();
    this.laidOut?.finish();
  }

  private get hasSheets(): boolean {
    return this.sheets.effects.size > 0 || this.sheets.layouts.size > 0;
  }

  private takeElement(tag: string): void {
    this.takeSheet(tag);
    const all = this.sheets.layouts.get(ANY_ELEMENT);
    if (all !== undefined) this.sheetLayout = bothLayouts(this.sheetLayout, all);
  }

  private takeSheet(key: string): void {
    const effect = this.sheets.effects.get(key);
    if (effect !== undefined) this.sheet = bothEffects(effect, this.sheet);
    const layout = this.sheets.layouts.get(key);
    if (layout !== undefined) this.sheetLayout = bothLayouts(layout, this.sheetLayout);
  }

  private takeDirection(value: string): void {
    const isRightToLeft = /^\s*rtl\s*$/i.test(value);
    if (isRightToLeft || this.laidOut !== null) this.ownLayout = bothLayouts({ isRightToLeft }, this.ownLayout);
  }

  private styleOf(style: string): Style {
    const kept = this.keptStyles.get(style);
    if (kept !== undefined) return kept;
    const read = { effect: effectOfStyle(style), layout: layoutOfStyle(style) };
    if (style.length <= MAX_KEPT_LENGTH && this.keptStyles.size < MAX_KEPT_STYLES) this.keptStyles.set(style, read);
    return read;
  }
}

const NO_ATTRIBUTES: ReadonlyMap<string, readonly Piece[]> = new Map();
