/** Decodes code pages of Windows, DOS and the Macintosh. */
import { windows1252 } from './decode-charset.ts';

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

/** The characters 0x80 to 0xff of DOS code pages, which TextDecoder does not know. */
const DOS_LETTERS = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿ';
const DOS_FRAMES = '└┴┬├─┼';
const DOS_PAGES: Readonly<Record<number, string>> = {
  437: `${DOS_LETTERS}ÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐${DOS_FRAMES}╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0`,
  850: `${DOS_LETTERS}ÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐${DOS_FRAMES}ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0`,
};

const decoders = new Map<number, { decode(bytes: Uint8Array): string }>();

/** Returns the text of bytes (as characters 0 to 255). Bytes without a meaning become U+FFFD. An unknown code page is read as 1252. */
export function decodeCodePage(raw: string, codePage: number): string {
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
