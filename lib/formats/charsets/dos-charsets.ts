/**
 * Decodes code pages 437 and 850 of DOS, which cash desks, old accounting programs and machines still write. The WHATWG standard lacks them, so
 * many programs read another charset instead. They are a superset of ASCII, so that a misreading only shows other letters.
 */
import { asBuffer } from '../byte-scan.ts';

/** Characters 0x80 to 0xff. They are those of the Unicode Consortium's mapping tables of both code pages. */
const CODE_PAGES = {
  437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
  850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
} as const;

const LABEL = /^(?:ibm|cp)?(437|850)$/i;

/** Returns true for a label of code page 437 or 850, such as `ibm850`. */
export function isDosCharset(label: string | null): boolean {
  return LABEL.test(label ?? '');
}

/**
 * Decodes bytes under a label for which `isDosCharset` is true. Control characters stay control characters. Never fails, because every byte
 * has a meaning.
 *
 * @example
 * ```ts
 * decodeDos(Buffer.from('Gr\x81\xe1e', 'latin1'), 'cp850'); // => 'Grüße'
 * ```
 */
export function decodeDos(bytes: Uint8Array, label: string): string {
  const page = CODE_PAGES[LABEL.exec(label)?.[1] === '437' ? 437 : 850];
  const latin1 = asBuffer(bytes).toString('latin1');
  return latin1.replace(/[\x80-\xff]/g, (letter) => page.charAt(letter.charCodeAt(0) - 0x80));
}
