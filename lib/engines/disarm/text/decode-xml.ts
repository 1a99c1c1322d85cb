/** XML bytes as text, for readers that accept UTF-8, UTF-16 and the Latin charsets, and nothing else. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { EngineError } from '../../engine.ts';

/** Charsets with one byte per character that keep ASCII. Markup cannot hide in them. */
const LATIN = /^(?:iso-8859-(?:[1-9]|1[0-6])|windows-125[0-8])$/;

/**
 * Decodes a document by its byte order mark, its first characters and its declaration. Anything else throws EngineError `unreadable`,
 * because encoding tricks (UTF-7, EBCDIC, overlong UTF-8, a false declaration) show different elements to different programs.
 */
export function decodeStrictXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c);
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const isWide = isBig || isLittle;
  const head = decode(bytes.subarray(0, 400), isBig ? 'utf-16be' : isLittle ? 'utf-16le' : 'windows-1252', false);
  const declared = /<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.-]{1,40})["']/i.exec(head)?.[1]?.toLowerCase() ?? null;
  if (!isWide && declared !== null && LATIN.test(declared)) return decode(bytes, declared, true);
  const fits = declared === null || (isWide ? /^utf-16(?:le|be)?$/ : /^(?:utf-8|us-ascii)$/).test(declared);
  if (!fits) throw new EngineError('unreadable', 'the document declares an encoding other than the one it is in');
  return decode(bytes, isBig ? 'utf-16be' : isLittle ? 'utf-16le' : 'utf-8', true);
}

function decode(bytes: Uint8Array, encoding: string, fatal: boolean): string {
  try {
    return decodeCharset(bytes, encoding, { fatal });
  } catch {
    throw new EngineError('unreadable', 'the document is not text in an encoding that is read here');
  }
}
