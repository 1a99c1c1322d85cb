/** A page with its charset in its bytes, for those who see the bytes and not the header of the part. */
import { encodingOf, isUnsaid, markedEncoding } from './charsets.ts';
import { decodeText } from './text.ts';

/** Where mail programs look for what a page says of its own charset. */
const DECLARATION_BYTES = 64 * 1024;
/** A page that declares itself to be in every encoding there is: each costs a reading of all its bytes. */
const MOST_ENCODINGS = 2;
const DECLARATION = /(?:charset|encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_:.-]{1,40})/gi;

/**
 * The text of a page in UTF-8 behind a byte order mark, which outranks all that the page says of itself (WHATWG HTML §13.2.3.2);
 * null when the page alone reads as it does under the charset of its header, as most pages do.
 */
export function markedText(bytes: Uint8Array, charset: string | null): Uint8Array | null {
  const encoding = charset === null || isUnsaid(charset) ? null : encodingOf(charset);
  if (encoding === null || markedEncoding(bytes) !== null) return null;
  const text = decodeText(bytes, charset);
  // Whoever sees only the page follows one of its declarations, or guesses when there is none.
  const own = declaredBy(bytes);
  const isPlain =
    own.length <= MOST_ENCODINGS && own.every((each) => each === encoding || decodeText(bytes, each) === text);
  if (isPlain) return null;
  return new TextEncoder().encode(`\ufeff${text}`);
}

/** What a page says that it is in. Null stands for a guess: there is no declaration, or one that names nothing. */
function declaredBy(bytes: Uint8Array): (string | null)[] {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, DECLARATION_BYTES)).toString(
    'latin1',
  );
  const labels = new Set(Array.from(head.matchAll(DECLARATION), (match) => (match[1] ?? '').toLowerCase()));
  const encodings = new Set(Array.from(labels, encodingOf));
  return encodings.size === 0 ? [null] : [...encodings];
}
