/** Bytes of a text part to a string, the way mail programs do it: never fails, so that hostile bytes are always looked at. */
import { isUtf8 } from 'node:buffer';
import { encodingOf, isUnsaid, markedEncoding } from './charset-labels.ts';
import { decodeCharset } from './decode-charset.ts';
import { decodeUtf7, isUtf7 } from './utf7.ts';

/**
 * Decodes the bytes of a text part. A byte order mark wins over `charset`; one that is missing, 7-bit or not among those
 * that programs agree on means UTF-8 when the bytes are valid UTF-8, else windows-1252. The mark is not part of the result; bytes that mean nothing become
 * U+FFFD. Never throws.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  const mark = markedEncoding(bytes);
  // Programs do not agree on it, and the reader says so; its links are looked for all the same.
  if (mark === null && isUtf7(charset)) return decodeUtf7(bytes);
  // us-ascii is an alias of windows-1252 to WHATWG, but mail labelled so by default is often UTF-8.
  const declared = charset === null || isUnsaid(charset) ? null : encodingOf(charset);
  const isLabelled = (mark ?? declared) !== null && !isFalseUtf8(bytes, mark ?? declared);
  return decodeCharset(bytes, isLabelled ? (mark ?? declared ?? 'utf-8') : isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

/** A text that says UTF-8 and holds no letter of it is in what its sender's machine uses: mail programs write such labels unasked. */
function isFalseUtf8(bytes: Uint8Array, encoding: string | null): boolean {
  if (encoding !== 'utf-8' || isUtf8(bytes)) return false;
  return !/[^\0-\x7f\ufffd]/.test(new TextDecoder().decode(bytes));
}
