/** Writes the charset of a text into its bytes, for programs that see the bytes without the header of the part. */

import { decodeText } from '../../formats/charsets/decode-text.ts';
import { encodingOf, isUnsaid, markedEncoding } from '../../formats/charsets/labels.ts';
import { declaredEncodings, inOneReading } from './one-reading.ts';

/** Most encodings of one page that are compared. Each costs a reading of all its bytes, and a hostile page may declare every encoding. */
const MAX_ENCODINGS = 2;
const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf]);

/**
 * Returns the text in UTF-8 behind a byte order mark, which outranks every declaration of a page (WHATWG HTML §13.2.3.2). It is delivered
 * when programs do not read the bytes alike. Returns null when the bytes without their header are the same text, as for most pages.
 */
export function markedText(bytes: Uint8Array, charset: string | null, isPage: boolean): Uint8Array | null {
  const judged = inOneReading(bytes, { charset, isPage });
  if (judged !== null) return Buffer.concat([BYTE_ORDER_MARK, judged]);
  const encoding = charset === null || isUnsaid(charset) ? null : encodingOf(charset);
  if (encoding === null || markedEncoding(bytes) !== null) return null;
  const text = decodeText(bytes, charset);
  // A program that sees only the page follows one of its declarations, or guesses when there is none.
  const declared = declaredEncodings(bytes);
  const own = declared.length === 0 ? [null] : declared;
  const isPlain =
    own.length <= MAX_ENCODINGS && own.every((each) => each === encoding || decodeText(bytes, each) === text);
  if (isPlain) return null;
  return new TextEncoder().encode(`\ufeff${text}`);
}
