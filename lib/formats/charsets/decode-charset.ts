/** Decodes bytes in a named charset by the WHATWG Encoding Standard, and in UTF-32, which the standard lacks. */
import { decodeUtf32 } from './utf32.ts';

/** Characters 0x80 to 0x9f of windows-1252 (WHATWG Encoding §9). */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes bytes in a charset that `TextDecoder` knows, or in `utf-32le` or `utf-32be`. A byte order mark is not part of the text. Some versions of Node read windows-1252
 * as ISO 8859-1, which turns quotes, dashes and euro signs into control characters. This is corrected. Bytes without a meaning become
 * U+FFFD.
 *
 * @throws RangeError for an unknown charset.
 * @throws TypeError with `fatal`, for bytes without a meaning.
 */
export function decodeCharset(bytes: Uint8Array, charset: string, { fatal = false } = {}): string {
  if (charset === 'utf-32le' || charset === 'utf-32be') return decodeUtf32(bytes, charset === 'utf-32le' ? 'le' : 'be');
  const decoder = new TextDecoder(charset, { fatal });
  const text = decoder.decode(bytes);
  return decoder.encoding === 'windows-1252' ? windows1252(text) : text;
}

/** Returns the text of windows-1252 bytes that were read as ISO 8859-1, one character per byte. */
export function windows1252(latin1: string): string {
  return latin1.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}
