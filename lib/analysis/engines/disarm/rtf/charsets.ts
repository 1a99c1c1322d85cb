/** The character sets of RTF: which code page a font's charset means, and the text of bytes in it. */
import { windows1252 } from '../../../../unpacking/decode-charset.ts';

/** \fcharset numbers to Windows code pages; 2 is Symbol, whose bytes are glyph numbers and no characters. */
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

const LABELS: Readonly<Record<number, string>> = {
  874: 'windows-874',
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  28592: 'iso-8859-2',
  65001: 'utf-8',
};

/** The DOS code pages, which TextDecoder does not know: characters 0x80 to 0xff. */
const DOS_LETTERS = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿ';
const DOS_FRAMES = '└┴┬├─┼';
const DOS_PAGES: Readonly<Record<number, string>> = {
  437: `${DOS_LETTERS}ÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐${DOS_FRAMES}╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0`,
  850: `${DOS_LETTERS}ÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐${DOS_FRAMES}ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0`,
};

export const SYMBOL_CHARSET = 2;

/** Charsets that may be named in the output. */
export function isKnownCharset(charset: number): boolean {
  return charset === 1 || charset === SYMBOL_CHARSET || Object.hasOwn(CODE_PAGES, charset);
}

/** The code page of a font, given that of the document. */
export function codePageOf(charset: number | undefined, documentCodePage: number): number {
  return charset === undefined ? documentCodePage : (CODE_PAGES[charset] ?? documentCodePage);
}

const decoders = new Map<number, { decode(bytes: Uint8Array): string }>();

/** The text of bytes (as characters 0 to 255). Bytes without a meaning become U+FFFD; an unknown code page is read as 1252. */
export function decodeBytes(raw: string, codePage: number): string {
  const page = DOS_PAGES[codePage];
  if (page !== undefined) return raw.replace(/[\x80-\xff]/g, (byte) => page[byte.charCodeAt(0) - 0x80] ?? '\ufffd');
  const isWindows = codePage >= 1250 && codePage <= 1258;
  const label = LABELS[codePage] ?? (isWindows ? `windows-${codePage}` : 'windows-1252');
  if (label === 'windows-1252') return windows1252(raw);
  let decoder = decoders.get(codePage);
  if (decoder === undefined) {
    decoder = new TextDecoder(label);
    decoders.set(codePage, decoder);
  }
  return decoder.decode(Buffer.from(raw, 'latin1'));
}
