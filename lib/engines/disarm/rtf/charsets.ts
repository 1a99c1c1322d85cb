/** The code page of each character set of RTF's fonts. */

/** Windows code pages by the number behind \fcharset. Number 2 is Symbol, whose bytes are numbers of glyphs and not characters. */
const CODE_PAGES: Readonly<Record<number, number>> = {
  0: 1252,
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};

export const SYMBOL_CHARSET = 2;

/** Returns true for a charset that may be named in the output. */
export function isKnownCharset(charset: number): boolean {
  return charset === 1 || charset === SYMBOL_CHARSET || Object.hasOwn(CODE_PAGES, charset);
}

/** Returns the code page of a font. If the font names no known charset, it is the code page of the document. */
export function codePageOf(charset: number | undefined, documentCodePage: number): number {
  return charset === undefined ? documentCodePage : (CODE_PAGES[charset] ?? documentCodePage);
}
