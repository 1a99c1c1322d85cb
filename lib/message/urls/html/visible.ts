/**
 * Follows the text of a page as a person sees it, across tags. It finds words that tags cut in pieces (`https://<b>evil</b>.example`)
 * and the address that the text of a link shows.
 */
import type { Piece } from './mapped.ts';

/** Elements that begin on their own line or stand apart. A word does not continue over their edges. */
// biome-ignore format: one element a line makes the list hard to read
const APART = new Set([
  'p', 'div', 'br', 'hr', 'td', 'th', 'tr', 'table', 'tbody', 'thead', 'tfoot', 'li', 'ul', 'ol', 'dl', 'dt', 'dd',
  'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section', 'article', 'header', 'footer', 'main', 'nav', 'aside', 'blockquote',
  'pre', 'center', 'form', 'fieldset', 'figure', 'address', 'body', 'html', 'head', 'title', 'select', 'option',
  'script', 'style', 'textarea',
]);
// biome-ignore format: one element a line makes the list hard to read
const VOID = new Set([
  'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr',
]);
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0+(?:\.0+)?(?![.\d])|opacity\s*:\s*0(?![.\d])/i;
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

/** Follows the tags of one document, and reports words that tags cut in pieces. */
export class VisibleText {
  private word: Piece[] = [];
  private nodes = 0;
  private endsInWord = false;
  private hiding = '';
  private hidingDepth = 0;
  private link: LinkText | null = null;

  constructor(private readonly onCutWord: (pieces: readonly Piece[]) => void) {}

  /** Handles the start of an element. `isHidden`: its attributes hide its content. */
  open(tag: string, isHidden: boolean): void {
    if (this.hiding !== '') {
      if (tag === this.hiding) this.hidingDepth++;
      return;
    }
    if (APART.has(tag)) this.endWord();
    if (isHidden && !VOID.has(tag)) {
      this.hiding = tag;
      this.hidingDepth = 1;
    }
    if (tag === 'a') this.link = null;
  }

  close(tag: string): void {
    if (tag === this.hiding && --this.hidingDepth === 0) this.hiding = '';
    if (this.hiding === '' && APART.has(tag)) this.endWord();
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
    const continues = this.endsInWord && value.charCodeAt(0) > 0x20 && this.word.length < PIECES_PER_WORD;
    if (!continues) this.endWord();
    this.endsInWord = value.charCodeAt(value.length - 1) > 0x20;
    if (!this.endsInWord && !continues) return;
    const taken = pieces.length > PIECES_PER_WORD ? pieces.slice(0, PIECES_PER_WORD) : pieces;
    for (const piece of taken) this.word.push(piece);
    this.nodes++;
  }

  /** Ends the word, so that no following text continues it. */
  endWord(): void {
    if (this.nodes > 1) this.onCutWord(this.word);
    if (this.nodes > 0) this.word = [];
    this.nodes = 0;
    this.endsInWord = false;
  }
}

/** True when a style hides its element. */
export function hidesText(style: string): boolean {
  return HIDING.test(style);
}
