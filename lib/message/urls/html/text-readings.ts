/**
 * Reads the text of a page in three ways: with the text that style may hide, as a program shows it that follows the style of the page,
 * and without all text that may be out of sight. A person may see any of them.
 */
import type { Piece } from './mapped.ts';
import { bothEffects, effectOfStyle, NO_EFFECT, type StyleEffect } from './style-declarations.ts';
import { ANY_ELEMENT, type SheetEffects, sheetEffects } from './style-effects.ts';
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

/** Follows the tags of one document, and reports words that tags cut in pieces, of every reading. */
export class TextReadings {
  private readonly visible: VisibleText;
  /** The text as style shows it. It is followed from the first element on that is shown in another way than without style. */
  private styled: VisibleText | null = null;
  /** The text without what may be out of sight. It is followed from the first such element on. */
  private withoutUnseen: VisibleText | null = null;
  private readonly sheets: SheetEffects;
  private readonly mayAnyHide: boolean;
  private readonly keptStyles = new Map<string, StyleEffect>();
  /** The effect of the attributes of the element itself. */
  private own = NO_EFFECT;
  /** The effect that sheets have on the element. */
  private sheet = NO_EFFECT;

  constructor(html: string, onCutWord: (pieces: readonly Piece[]) => void) {
    this.visible = new VisibleText(onCutWord);
    this.sheets = sheetEffects(html);
    this.mayAnyHide = this.sheets.get(ANY_ELEMENT)?.mayHide ?? false;
  }

  /** Handles the name of a start tag. Its attributes follow. */
  begin(): void {
    this.own = NO_EFFECT;
    this.sheet = NO_EFFECT;
  }

  /** Handles the name of an attribute, in lower case. */
  takeName(attribute: string): void {
    const effect = HIDING_ATTRIBUTES.get(attribute);
    if (effect !== undefined) this.own = bothEffects(effect, this.own);
    if (this.sheets.size > 0) this.takeSheet(`[${attribute}`);
  }

  /** Handles the value of an attribute. */
  takeValue(attribute: string, value: string): void {
    if (attribute === 'style') this.own = bothEffects(this.own, this.styleEffect(value));
    else if (this.sheets.size > 0 && (attribute === 'class' || attribute === 'id')) {
      const mark = attribute === 'id' ? '#' : '.';
      for (const name of value.toLowerCase().split(/\s+/)) this.takeSheet(`${mark}${name}`);
    }
  }

  /** Handles the end of a start tag. `link` takes the text of the element that a person sees. */
  open(tag: string, link: LinkText | null): void {
    if (this.sheets.size > 0) this.takeSheet(tag);
    const isUnseen = UNSEEN_ELEMENTS.has(tag);
    const edges = this.own.edges ?? this.sheet.edges ?? (isUnseen ? 'hides' : null);
    const isBlank = this.own.isBlank || this.own.edges === 'hides';
    // A sheet for any element is no reason to join lines.
    const isAnyHiding = this.mayAnyHide && tag !== 'br' && tag !== 'hr';
    const mayHide = isUnseen || isAnyHiding || this.own.mayHide || this.sheet.mayHide;
    if (edges !== null || this.sheet.isBlank) this.styled ??= this.visible.copy();
    if (mayHide) this.withoutUnseen ??= (this.styled ?? this.visible).copy();
    this.visible.open(tag, isBlank);
    this.styled?.open(tag, isBlank || this.sheet.isBlank, edges);
    if (mayHide) this.withoutUnseen?.openAside(tag, edges);
    else this.withoutUnseen?.open(tag, false, edges);
    if (link !== null) this.visible.openLink(link);
  }

  close(tag: string): void {
    this.visible.close(tag);
    this.styled?.close(tag);
    this.withoutUnseen?.close(tag);
  }

  /** Handles a run of text between two tags, with its entities decoded. */
  add(pieces: readonly Piece[], value: string): void {
    this.visible.add(pieces, value);
    this.styled?.add(pieces, value);
    this.withoutUnseen?.add(pieces, value);
  }

  /** Ends every word, so that no following text continues one. */
  endWord(): void {
    this.visible.endWord();
    this.styled?.endWord();
    this.withoutUnseen?.endWord();
  }

  private takeSheet(key: string): void {
    const effect = this.sheets.get(key);
    if (effect !== undefined) this.sheet = bothEffects(effect, this.sheet);
  }

  private styleEffect(style: string): StyleEffect {
    const kept = this.keptStyles.get(style);
    if (kept !== undefined) return kept;
    const effect = effectOfStyle(style);
    if (style.length <= MAX_KEPT_LENGTH && this.keptStyles.size < MAX_KEPT_STYLES) this.keptStyles.set(style, effect);
    return effect;
  }
}
