/** Bytes in a named charset to text, as the WHATWG Encoding Standard has it. */

/** Characters 0x80 to 0x9f of windows-1252 (WHATWG Encoding §9). */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes bytes in a charset that `TextDecoder` knows; a byte order mark is not part of the text. Some versions of Node read
 * windows-1252 as ISO 8859-1, which turns quotes, dashes and euro signs into control characters: here they are what they are.
 * Throws RangeError for a charset that nobody knows and, with `fatal`, TypeError for bytes that mean nothing in it; else those become
 * U+FFFD.
 */
export function decodeCharset(bytes: Uint8Array, charset: string, { fatal = false } = {}): string {
  const decoder = new TextDecoder(charset, { fatal });
  const text = decoder.decode(bytes);
  return decoder.encoding === 'windows-1252' ? windows1252(text) : text;
}

/** The text of windows-1252 bytes that were read as ISO 8859-1, each a character of its own number. */
export function windows1252(latin1: string): string {
  return latin1.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}
