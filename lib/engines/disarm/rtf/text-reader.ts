/** The text of an RTF document: bytes and escapes under the character set in force, and the fallbacks of \u that nobody reads. */
import { decodeCodePage } from '../../../formats/charsets/code-pages.ts';
import { codePageOf, SYMBOL_CHARSET } from './charsets.ts';

/** Formatting that decides what bytes mean; groups inherit it. */
export interface TextState {
  font: number;
  /** How many characters of fallback follow each \u. */
  fallback: number;
}

/** Fallbacks longer than this are an attempt to hide text from one reader and show it to the next. */
const MAX_FALLBACK = 64;

export class TextReader {
  private codePage = 1252;
  private pending = '';
  private toSkip = 0;

  constructor(private readonly charsetOf: (font: number) => number | undefined) {}

  /** The code page of the document, for fonts that name none. */
  setCodePage(codePage: number | null | undefined): void {
    if (codePage !== undefined && codePage !== null && codePage > 0) this.codePage = codePage;
  }

  /** Bytes as characters 0 to 255. */
  add(raw: string): void {
    if (this.toSkip >= raw.length) {
      this.toSkip -= raw.length;
      return;
    }
    this.pending += this.toSkip === 0 ? raw : raw.slice(this.toSkip);
    this.toSkip = 0;
  }

  /** Call behind a \u. */
  startFallback({ fallback }: TextState): void {
    this.toSkip = Math.min(fallback, MAX_FALLBACK);
  }

  /** Whether a control word or symbol is fallback of the \u before it, and thus to be ignored. */
  isFallback(): boolean {
    if (this.toSkip === 0) return false;
    this.toSkip -= 1;
    return true;
  }

  /** A brace ends the fallback. */
  endFallback(): void {
    this.toSkip = 0;
  }

  /** The bytes since the last call, undecoded. */
  takeRaw(): string {
    const raw = this.pending;
    this.pending = '';
    return raw;
  }

  /** Whether bytes in this font are numbers of glyphs and no characters. */
  isSymbol({ font }: TextState): boolean {
    return this.charsetOf(font) === SYMBOL_CHARSET;
  }

  /** The text of bytes in the font in force; `charset` overrules it. */
  decode(raw: string, { font }: TextState, charset = this.charsetOf(font)): string {
    return !/[^\x20-\x7e]/.test(raw) ? raw : decodeCodePage(raw, codePageOf(charset, this.codePage));
  }
}

/** Glyph numbers from 0x80 on look like control characters; those below space are none. */
export function glyphsOf(raw: string): string {
  return raw.replace(/\p{Cc}/gu, (character) => (character < '\x20' || character === '\x7f' ? '' : character));
}
