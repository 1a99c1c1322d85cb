/** Bytes of a text part to a string, the way mail programs do it: never fails, so that hostile bytes are always looked at. */
import { isUtf8 } from 'node:buffer';

/** Bytes per decoder call never grow with a charset name: names longer than this are not looked up. */
const CHARSET_NAME_LENGTH = 40;

/** Characters 0x80 to 0x9f of windows-1252 (WHATWG Encoding §9). */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The encoding a byte order mark announces, or null. It beats every declaration (WHATWG Encoding §6, decode). */
function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

interface Decoder {
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
}

function decoderFor(charset: string | null): Decoder | null {
  if (charset === null || charset.length > CHARSET_NAME_LENGTH) return null;
  try {
    return new TextDecoder(charset.trim());
  } catch {
    return null;
  }
}

/**
 * Decodes the bytes of a text part. A byte order mark wins over `charset`; an unknown, missing or 7-bit charset means UTF-8
 * when the bytes are valid UTF-8, else windows-1252. The mark is not part of the result; bytes that mean nothing become
 * U+FFFD. Never throws.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  const mark = byteOrderMark(bytes);
  // us-ascii is an alias of windows-1252 to WHATWG, but mail labelled so by default is often UTF-8.
  const isAscii = charset !== null && /^(?:us-)?ascii$/i.test(charset.trim());
  const decoder =
    decoderFor(mark ?? (isAscii ? null : charset)) ?? new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  const text = decoder.decode(bytes);
  if (decoder.encoding !== 'windows-1252') return text;
  // Some versions of Node decode this charset as ISO 8859-1, which turns euro signs and quotes into controls.
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}
