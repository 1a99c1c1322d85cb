/**
 * Follows the text of a page as a person sees it, across tags. It finds words that tags cut in pieces (`https://<b>evil</b>.example`)
 * and the address that the text of a link shows.
 */
import type { Piece } from './mapped.ts';
import type { StyleEffect } from './style-declarations.ts';
import { TextFlows } from './text-flows.ts';

// biome-ignore format: one element a line makes the list hard to read
const VOID = new Set([
  'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr',
]);
/** Returns true for an element without content. */
export const isVoidElement = (tag: string) => VOID.has(tag);
/**
 * The most pieces of one word that are searched together. A page of megabytes can be one word, with a tag between any two letters. A longer
 * word is searched in parts.
 */
const PIECES_PER_WORD = 10_000;
/** Characters that are kept of a link's text. */
const SHOWN_LENGTH = 300;

/** The text of a link, filled while its element is open. */
export interface LinkText {
  text: string;
}

/** The pieces of a word so far. */
interface Word {
  pieces: Piece[];
  /** How many runs of text the pieces come from. */
  nodes: number;
  /** True when the last run ends without a blank, so that the next one may continue it. */
  isOpen: boolean;
}

type Edges = StyleEffect['edges'];

const newWord = (): Word => ({ pieces: [], nodes: 0, isOpen: false });

/** Follows the tags of one document, and reports words that tags cut in pieces. */
export class VisibleText {
  private flows = new TextFlows<Word>(newWord, (word) => this.end(word));
  private hiding = '';
  private hidingDepth = 0;
  /** True in an element that is hidden with its edges. */
  private isGone = false;
  private link: LinkText | null = null;

  constructor(private readonly onCutWord: (pieces: readonly Piece[]) => void) {}

  /** Returns the word that a next text without a blank in front would continue. */
  openWord(): readonly Piece[] {
    const { word } = this.flows;
    return word.isOpen ? word.pieces : [];
  }

  /** Returns another reading with the same text so far. It fills no text of a link. */
  copy(): VisibleText {
    const copied = new VisibleText(this.onCutWord);
    const copyWord = (word: Word) => ({ ...word, pieces: [...word.pieces] });
    copied.flows = this.flows.copy(newWord, copyWord, (word) => copied.end(word));
    copied.hiding = this.hiding;
    copied.hidingDepth = this.hidingDepth;
    copied.isGone = this.isGone;
    return copied;
  }

  /** Handles the start of an element that may be out of sight. The word in front of it continues behind it. */
  openAside(tag: string, edges: Edges): void {
    const isInWord = this.flows.word.isOpen;
    // A line break that is not shown leaves nothing.
    if (isInWord && VOID.has(tag)) return;
    if (!isInWord || !this.flows.openAside(tag)) this.open(tag, false, edges === 'hides' ? null : edges);
  }

  /** Handles the start of an element. `isHidden`: its attributes hide its content. `effect`: what its style does to its edges. */
  open(tag: string, isHidden: boolean, effect: Edges = null): void {
    if (this.hiding !== '') {
      if (tag === this.hiding) this.hidingDepth++;
      return;
    }
    if (effect !== 'hides') this.flows.open(tag, effect === 'joins');
    if ((isHidden || effect === 'hides') && !VOID.has(tag)) {
      this.hiding = tag;
      this.hidingDepth = 1;
      this.isGone = effect === 'hides';
    }
    if (tag === 'a') this.link = null;
  }

  close(tag: string): void {
    const isEnd = tag === this.hiding && --this.hidingDepth === 0;
    if (isEnd) this.hiding = '';
    if (this.hiding === '' && !(isEnd && this.isGone)) this.flows.close(tag);
    if (isEnd) this.isGone = false;
    if (tag === 'a') this.link = null;
  }

  /** From here to the end of the element, text belongs to a link. */
  openLink(link: LinkText): void {
    this.link = link;
  }

  /** Handles a run of text between two tags, with its entities decoded. */
  add(pieces: readonly Piece[], value: string): void {
    if (this.hiding !== '' || value === '') return;
    if (this.link !== null && this.link.text.length < SHOWN_LENGTH) this.link.text += value.slice(0, SHOWN_LENGTH);
    const { word } = this.flows;
    const continues = word.isOpen && value.charCodeAt(0) > 0x20 && word.pieces.length < PIECES_PER_WORD;
    if (!continues) this.end(word);
    word.isOpen = value.charCodeAt(value.length - 1) > 0x20;
    if (!word.isOpen && !continues) return;
    const taken = pieces.length > PIECES_PER_WORD ? pieces.slice(0, PIECES_PER_WORD) : pieces;
    for (const piece of taken) word.pieces.push(piece);
    word.nodes++;
  }

  /** Ends every word, so that no following text continues one. */
  endWord(): void {
    this.flows.endAll();
  }

  private end(word: Word): void {
    if (word.nodes > 1) this.onCutWord(word.pieces);
    if (word.nodes > 0) word.pieces = [];
    word.nodes = 0;
    word.isOpen = false;
  }
}
