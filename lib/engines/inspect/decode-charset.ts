/** Decodes bytes in a named charset. The second look has its own decoder. */

/** Characters 0x80 to 0x9f of windows-1252 (WHATWG Encoding §9), which some versions of Node read as ISO 8859-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes bytes. Bytes without a meaning become U+FFFD. Throws RangeError for an unknown charset. */
export function decodeCharset(bytes: Uint8Array, charset: string): string {
  const decoder = new TextDecoder(charset);
  const text = decoder.decode(bytes);
  if (decoder.encoding !== 'windows-1252') return text;
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}
