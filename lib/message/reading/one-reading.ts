/**
 * Whether every program reads a text alike. One that decodes bytes which mean nothing in their charset, or takes another declaration for
 * the charset, sees another text than was judged: such bytes are never delivered, but the reading that was judged, in UTF-8.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { asBuffer } from '../../formats/byte-scan.ts';
import { encodingOf, isUnsaid, markedEncoding } from '../../formats/charsets/charset-labels.ts';
import { decodeCharset } from '../../formats/charsets/decode-charset.ts';
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { hidesAscii } from '../../formats/charsets/utf7.ts';

/** How a text is labelled. */
export interface TextLabel {
  /** The charset of its Content-Type; null when there is none. */
  readonly charset: string | null;
  readonly isPage: boolean;
}

/** Where programs look for what a page says of its own charset. */
const DECLARATION_BYTES = 64 * 1024;
const DECLARATION = /(?:charset|encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_:.-]{1,40})/gi;
/** The same where it is one, and no word of the text. */
const DECLARING_TAG =
  /(<meta\b[^>]{0,1000}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}|<\?xml\b[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']?\s{0,9})([a-z0-9_:.-]{1,40})/gi;
/** Charsets in which ASCII is not ASCII: a program that does not know them, or does not look, sees markup in their letters. */
const NOT_ASCII = /^(?:utf-16|iso-2022)/;
/** They switch to another charset in ISO-2022; what else begins with an escape are colours of a terminal. */
const ESCAPES = ['$', '(', '&', '.'].map((letter) => `\x1b${letter}`);
/** Bytes of windows-1252 that are no letters. */
const UNDEFINED_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** What a page says that it is in. Null stands for a label that names nothing. */
export function declaredEncodings(bytes: Uint8Array): (string | null)[] {
  const head = asBuffer(bytes).toString('latin1', 0, DECLARATION_BYTES);
  const labels = new Set(Array.from(head.matchAll(DECLARATION), (match) => (match[1] ?? '').toLowerCase()));
  return [...new Set(Array.from(labels, encodingOf))];
}

/** True when no program that follows a label, a byte order mark or its own default reads another text. Linear; never throws. */
export function isReadAlike(bytes: Uint8Array, { charset, isPage }: TextLabel): boolean {
  const declared = isPage ? declaredEncodings(bytes) : [];
  const said = isUnsaid(charset) ? null : encodingOf(charset ?? '');
  // A label that names nothing is for each program something else; and a page can say that it is in what no ASCII is in.
  if (!isUnsaid(charset) && said === null) return false;
  if ([said, ...declared].some((encoding) => encoding !== null && /^utf-16/.test(encoding))) return false;
  if (hasEscapes(bytes)) return false;
  if (isAscii(bytes)) return said !== null || declared.length > 0 || !hidesAscii(bytes);
  const mark = markedEncoding(bytes);
  if (mark !== null && mark !== 'utf-8') return false;
  // Without a label a text is ASCII (RFC 2045 §5.2), whatever a page says of itself: programs go by the one or by the other.
  if (said === null || declared.some((each) => each !== said)) return false;
  return (mark ?? said) === said && isValid(bytes, said);
}

const hasEscapes = (bytes: Uint8Array) =>
  bytes.includes(0x1b) && ESCAPES.some((sequence) => asBuffer(bytes).includes(sequence));

function isValid(bytes: Uint8Array, encoding: string): boolean {
  if (NOT_ASCII.test(encoding)) return false;
  if (encoding === 'windows-1252') return !UNDEFINED_1252.some((byte) => bytes.includes(byte));
  try {
    decodeCharset(bytes, encoding, { fatal: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The charset under which a text is judged. Whoever wrote none into the header of a page, or one that cannot be true, may have written it
 * into the page.
 */
export function judgedCharset(bytes: Uint8Array, { charset, isPage }: TextLabel): string | null {
  if (!isPage || !isUnsaid(charset) || isUtf8(bytes)) return charset;
  const declared = declaredEncodings(bytes).filter((encoding) => encoding !== null && !NOT_ASCII.test(encoding));
  return declared.length === 1 ? (declared[0] ?? null) : charset;
}

/** The text as it is judged, and delivered when its bytes cannot be: a page declares UTF-8 wherever it declares anything. */
export function judgedText(bytes: Uint8Array, label: TextLabel): string {
  // What is left of such a sequence, in a text of another charset, must not be one to anybody.
  const text = ESCAPES.reduce(
    (left, sequence) => left.replaceAll(sequence, `\ufffd${sequence.slice(1)}`),
    decodeText(bytes, judgedCharset(bytes, label)),
  );
  return label.isPage ? text.replace(DECLARING_TAG, '$1utf-8') : text;
}

/** That text as bytes; null when the bytes can stay as they are. */
export function inOneReading(bytes: Uint8Array, label: TextLabel): Uint8Array | null {
  return isReadAlike(bytes, label) ? null : new TextEncoder().encode(judgedText(bytes, label));
}
