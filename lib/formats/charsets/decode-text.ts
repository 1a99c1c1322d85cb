/** Decodes the bytes of a text part as mail programs do. It never fails, so that hostile bytes are always judged. */
import { isUtf8 } from 'node:buffer';
import { decodeCharset } from './decode-charset.ts';
import { decodeDos, isDosCharset } from './dos-charsets.ts';
import { encodingOf, isUnsaid, markedEncoding } from './labels.ts';
import { decodeUtf7, isUtf7 } from './utf7.ts';
import { decodeUtf32, utf32Order } from './utf32.ts';

/**
 * Decodes the bytes of a text part. A byte order mark outranks `charset`. Without a charset that programs agree on, and for ASCII, the text
 * is read as UTF-8 when the bytes are valid UTF-8, else as windows-1252. The mark is not part of the result. Bytes without a meaning become
 * U+FFFD. Bytes that are completely valid UTF-32 are read so, under any charset. Never throws.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  const wide = utf32Order(bytes);
  if (wide !== null) return decodeUtf32(bytes, wide);
  const mark = markedEncoding(bytes);
  // Not all programs read UTF-7. The reader warns of it, and its links are searched anyway.
  if (mark === null && isUtf7(charset)) return decodeUtf7(bytes);
  if (mark === null && charset !== null && isDosCharset(charset)) return decodeDos(bytes, charset);
  // WHATWG reads us-ascii as windows-1252, but mail with this default label is often UTF-8.
  const declared = charset === null || isUnsaid(charset) ? null : encodingOf(charset);
  const isLabelled = (mark ?? declared) !== null && !isFalseUtf8(bytes, mark ?? declared);
  return decodeCharset(bytes, isLabelled ? (mark ?? declared ?? 'utf-8') : isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

/**
 * Returns true for a text that is labelled UTF-8 but has no valid letter of it. Mail programs write this label by default, and the text is
 * in another charset.
 */
function isFalseUtf8(bytes: Uint8Array, encoding: string | null): boolean {
  if (encoding !== 'utf-8' || isUtf8(bytes)) return false;
  return !/[^\0-\x7f\ufffd]/.test(new TextDecoder().decode(bytes));
}
