/** A page with its charset in its bytes, for those who see the bytes and not the header of the part. */
import { encodingOf, isUnsaid, markedEncoding } from '../../formats/charsets/charset-labels.ts';
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { declaredEncodings, inOneReading } from './one-reading.ts';

/** A page that declares itself to be in every encoding there is: each costs a reading of all its bytes. */
const MOST_ENCODINGS = 2;

/**
 * The text of a page, or of another text with a charset of its own, in UTF-8 behind a byte order mark, which outranks all that the page
 * says of itself (WHATWG HTML §13.2.3.2). It is the text that is delivered when programs do not read the bytes alike. Null when the bytes
 * alone read as they do under the charset of their header, as most pages do.
 */
export function markedText(bytes: Uint8Array, charset: string | null, isPage: boolean): Uint8Array | null {
  const judged = inOneReading(bytes, { charset, isPage });
  if (judged !== null) return Buffer.concat([BYTE_ORDER_MARK, judged]);
  const encoding = charset === null || isUnsaid(charset) ? null : encodingOf(charset);
  if (encoding === null || markedEncoding(bytes) !== null) return null;
  const text = decodeText(bytes, charset);
  // Whoever sees only the page follows one of its declarations, or guesses when there is none.
  const declared = declaredEncodings(bytes);
  const own = declared.length === 0 ? [null] : declared;
  const isPlain =
    own.length <= MOST_ENCODINGS && own.every((each) => each === encoding || decodeText(bytes, each) === text);
  if (isPlain) return null;
  return new TextEncoder().encode(`\ufeff${text}`);
}

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf]);
