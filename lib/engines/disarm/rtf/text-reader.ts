/** Decodes the text of an RTF document: bytes and escapes in the current character set. The fallbacks behind \u are skipped. */
import { decodeCodePage } from '../../../formats/charsets/code-pages.ts';
import { codePageOf, SYMBOL_CHARSET } from './charsets.ts';

/** The formatting that decides the meaning of bytes. A group inherits it. */
export interface TextState {
  font: number;
  /** The number of fallback characters after each \u. */
  fallback: number;
}

/** The longest fallback that is skipped. A longer one tries to hide text from some readers and show it to others. */
const MAX_FALLBACK = 64;

export class TextReader {
  private codePage = 1252;
  private pending = '';
  private toSkip = 0;

  constructor(private readonly charsetOf: (font: number) => number | undefined) {}

  /** Sets the code page of the document, which counts for fonts without one. */
  setCodePage(codePage: number | null | undefined): void {
    if (codePage !== undefined && codePage !== null && codePage > 0) this.codePage = codePage;
  }

  /** Adds bytes, as characters from 0 to 255. */
  add(raw: string): void {
    if (this.toSkip >= raw.length) {
      this.toSkip -= raw.length;
      return;
    }
    this.pending += this.toSkip === 0 ? raw : raw.slice(this.toSkip);
    this.toSkip = 0;
  }

  /** Must be called after each \u. */
  startFallback({ fallback }: TextState): void {
    this.toSkip = Math.min(fallback, MAX_FALLBACK);
  }

  /** Returns true when the next control word or symbol belongs to the fallback of a \u, and must be ignored. Counts it. */
  isFallback(): boolean {
    if (this.toSkip === 0) return false;
    this.toSkip -= 1;
    return true;
  }

  /** Must be called at each brace, which ends a fallback. */
  endFallback(): void {
    this.toSkip = 0;
  }

  /** Returns the bytes that were added since the last call, without decoding. */
  takeRaw(): string {
    const raw = this.pending;
    this.pending = '';
    return raw;
  }

  /** Returns true when bytes in this font are numbers of glyphs and not characters. */
  isSymbol({ font }: TextState): boolean {
    return this.charsetOf(font) === SYMBOL_CHARSET;
  }

  /** Decodes bytes in the charset of the current font, or in `charset`. */
  decode(raw: string, { font }: TextState, charset = this.charsetOf(font)): string {
    return !/[^\x20-\x7e]/.test(raw) ? raw : decodeCodePage(raw, codePageOf(charset, this.codePage));
  }
}

/** Returns the bytes that are numbers of glyphs. Bytes below space are no such numbers, and are left out. */
export function glyphsOf(raw: string): string {
  return raw.replace(/\p{Cc}/gu, (character) => (character < '\x20' || character === '\x7f' ? '' : character));
}
