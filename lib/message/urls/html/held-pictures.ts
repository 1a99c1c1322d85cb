/** Decides about the pictures of other servers in a disarmed page. Our own attributes mark their places. */
import type { QuoteType } from 'htmlparser2';
import { HELD_PICTURES, HELD_SOURCE, HELD_WORD, HELD_WORDS } from '../../../formats/pictures/held-picture.ts';
import { applied, type Edit } from './edits.ts';
import { HtmlWalk, walked } from './html-walk.ts';
import type { Span } from './mapped.ts';

/** The decisions about them. */
export type PictureChoice =
  /** Pictures with an address are loaded when the page is shown. All others keep only their texts. */
  | { readonly kind: 'keep'; readonly addressOf: (digest: string) => string | null }
  /** A note replaces each of them. It contains nothing that needs an escape in HTML. */
  | { readonly kind: 'note'; readonly note: string }
  /** Only their texts stay. */
  | { readonly kind: 'remove' };

/**
 * Returns the page with its pictures of other servers shown, noted or removed. The text of a picture becomes running text with its note, so
 * the links of the page must be searched afterwards. Linear in the length of the page. Never throws.
 */
export function withPictures(html: string, choice: PictureChoice): string {
  if (!html.includes(HELD_WORD)) return html;
  return applied(html, walked(html, new PictureWalker(html, choice)).edits);
}

interface Attribute extends Span {
  readonly name: string;
  readonly nameEnd: number;
}

/** A picture with this few points only counts who opens the page, and nobody misses it. */
const COUNTER_SIZE = 3;
const NAME_LENGTH = 40;

/** An address that stays one string in style, in every program. */
const IN_STYLE = /^https?:\/\/[^\s"\\<>`]+$/;

const escaped = (address: string) =>
  address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

class PictureWalker extends HtmlWalk {
  readonly edits: Edit[] = [];
  private tagStart = 0;
  private attributes: Attribute[] = [];
  private nameStart = 0;
  private nameEnd = 0;
  private isInSheet = false;

  constructor(
    private readonly html: string,
    private readonly choice: PictureChoice,
  ) {
    super();
  }

  override onopentagname(start: number, end: number): void {
    this.isInSheet = this.html.slice(start, end).toLowerCase() === 'style';
    this.tagStart = start - 1;
    this.attributes = [];
  }
  override onattribname(start: number, end: number): void {
    this.nameStart = start;
    this.nameEnd = end;
  }
  override onattribend(_: QuoteType, end: number): void {
    const { nameStart: start, nameEnd } = this;
    const name = this.html.slice(start, Math.min(nameEnd, start + NAME_LENGTH)).toLowerCase();
    this.attributes.push({ name, start, nameEnd, end });
  }
  override onclosetag(): void {
    this.isInSheet = false;
  }
  override ontext(start: number, end: number): void {
    if (this.isInSheet) this.edits.push(...this.styleEdits({ start, end }, (text) => text));
  }
  override onopentagend(end: number): void {
    const held = this.attributes.filter(({ name }) => HELD_PICTURES.has(name));
    const picture = held.find(({ name }) => name === HELD_SOURCE);
    if (picture !== undefined && this.choice.kind === 'note' && !this.isShownAnyhow())
      this.edits.push({
        start: this.tagStart,
        end: end + 1,
        replacement: this.isCounter() ? '' : this.noteOf(this.choice.note),
      });
    else for (const attribute of this.attributes) this.edits.push(...this.editsOf(attribute));
  }

  private editsOf(attribute: Attribute): Edit[] {
    if (attribute.name === 'style') return this.styleEdits(attribute, escaped);
    return HELD_PICTURES.has(attribute.name) ? [this.editOf(attribute)] : [];
  }
  private editOf({ name, start, end }: Attribute): Edit {
    const { choice } = this;
    const shown = HELD_PICTURES.get(name);
    const address = choice.kind === 'keep' ? choice.addressOf(this.attributeValue(name) ?? '') : null;
    if (address !== null) return { start, end, replacement: `${shown}="${escaped(address)}"` };
    const isBlankBefore = this.html.charAt(start - 1) === ' ';
    return { start: isBlankBefore ? start - 1 : start, end, replacement: '' };
  }
  /** Replaces each word that marks a picture by its address. Style has no room for a note. */
  private styleEdits({ start, end }: Span, inPlace: (text: string) => string): Edit[] {
    const { choice } = this;
    return [...this.html.slice(start, end).matchAll(HELD_WORDS)].map(({ index, 0: word, 1: digest = '' }) => {
      const address = choice.kind === 'keep' ? choice.addressOf(digest) : null;
      const picture = address !== null && IN_STYLE.test(address) ? inPlace(`url("${address}")`) : 'none';
      return { start: start + index, end: start + index + word.length, replacement: picture };
    });
  }
  private isShownAnyhow(): boolean {
    return this.attributes.some(({ name }) => name === 'src');
  }
  private isCounter(): boolean {
    return ['width', 'height'].some((side) => {
      const value = this.attributeValue(side);
      return value !== null && Number.parseFloat(value) <= COUNTER_SIZE;
    });
  }
  /** Returns the note with the text of the picture as the page has it, with its entities. */
  private noteOf(note: string): string {
    const text = (this.attributeValue('alt') ?? '').trim().replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return text === '' ? `[${note}]` : `[${note}: ${text}]`;
  }
  private attributeValue(wanted: string): string | null {
    const attribute = this.attributes.find(({ name }) => name === wanted);
    if (attribute === undefined) return null;
    return this.html.slice(attribute.nameEnd, attribute.end).replace(/^\s*=\s*["']?|["']$/g, '');
  }
}
