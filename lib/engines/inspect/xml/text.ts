/** Joins the text of each element that a scan reports, also when comments, CDATA and other elements cut it. */
import { withoutEntities } from '../word-tally.ts';

export interface TextSink {
  readonly text?: (element: string, text: string) => void;
  /** Returns true when a text in one piece, as UTF-8, does not have to be reported. This spares the strings of a million formulas. */
  readonly isSafe?: (element: string, bytes: Uint8Array, from: number, to: number) => boolean;
}

/** Returns whether a name with or without prefix, and white space behind it, is `local`, in any case. Makes no string. */
export function isLocalName(bytes: Uint8Array, from: number, to: number, local: string): boolean {
  let end = to;
  while (end > from && (bytes[end - 1] as number) <= 0x20) end--;
  const start = end - local.length;
  if (start < from || (start > from && bytes[start - 1] !== 0x3a)) return false;
  for (let at = start; at < end; at++) {
    if (((bytes[at] as number) | 0x20) !== (local.charCodeAt(at - start) | 0x20)) return false;
  }
  return true;
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns text or a value with its references read, and a space for those that XML does not know. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  const named = text.replace(/&(lt|gt|quot|apos);/g, (_, name: string) => NAMED[name] ?? '');
  return withoutEntities(named.replaceAll('&amp;', '&#38;'));
}

/** The text of the open element, if there is one. */
export class XmlText {
  isOpen = false;
  /** The outermost element, and elements inside of it whose text is requested, too. */
  private names: string[] = [];
  private depth = 0;
  /** The only piece so far; -1 for none. */
  private from = -1;
  private to = -1;
  /** Pieces before that were put together. */
  private pieces = '';

  constructor(
    private readonly bytes: Buffer,
    private readonly sink: TextSink,
  ) {}

  open(name: string): void {
    if (!this.isOpen) {
      this.isOpen = true;
      this.names = [name];
      this.depth = 1;
    } else if (name === this.names[0]) this.depth++;
    else if (!this.names.includes(name)) this.names.push(name);
  }

  add(from: number, to: number): void {
    this.join();
    this.from = from;
    this.to = to;
  }

  /** Ends an element. Its name is between the two offsets. */
  close(from: number, to: number): void {
    const [name = ''] = this.names;
    if (!isLocalName(this.bytes, from, to, name)) return;
    this.depth--;
    if (this.depth === 0) this.end();
  }

  /** Reports the text, also at the end of a document that closes nothing. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const { names, sink, bytes, from, to } = this;
    const [name = ''] = names;
    const isOnePiece = this.pieces === '' && names.length === 1;
    if (!(isOnePiece && (from === -1 || sink.isSafe?.(name, bytes, from, to) === true))) {
      this.join();
      for (const each of names) sink.text?.(each, this.pieces);
    }
    this.from = -1;
    this.pieces = '';
  }

  private join(): void {
    if (this.from !== -1) this.pieces += decodeXml(this.bytes.toString('utf8', this.from, this.to));
    this.from = -1;
  }
}
