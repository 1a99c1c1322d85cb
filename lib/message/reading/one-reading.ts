/**
 * Decides whether every program reads a text alike. Programs differ over bytes without a meaning in their charset, and over the declaration
 * of the charset that counts. Such bytes are never delivered, because somebody may see another text than the judged one. The judged text is
 * delivered instead, in UTF-8.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { asBuffer } from '../../formats/byte-scan.ts';
import { decodeCharset } from '../../formats/charsets/decode-charset.ts';
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { encodingOf, isUnsaid, markedEncoding } from '../../formats/charsets/labels.ts';
import { deliveredText } from '../../formats/charsets/stained-text.ts';
import { hidesAscii } from '../../formats/charsets/utf7.ts';

/** How a text is labelled. */
export interface TextLabel {
  /** The charset of its Content-Type; null when there is none. */
  readonly charset: string | null;
  readonly isPage: boolean;
}

/** Programs look for the charset that a page declares in this many bytes. */
const DECLARATION_BYTES = 64 * 1024;
const DECLARATION = /(?:charset|encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_:.-]{1,40})/gi;
/** The same inside the tags that declare a charset, so that words of the text do not match. */
const DECLARING_TAG =
  /(<meta\b[^>]{0,1000}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}|<\?xml\b[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']?\s{0,9})([a-z0-9_:.-]{1,40})/gi;
/** Charsets in which bytes of ASCII can mean something else. A program that does not follow them may see markup in their letters. */
const NOT_ASCII = /^(?:utf-16|iso-2022)/;
/** Sequences that switch to another charset in ISO-2022. Other escape sequences are colours of a terminal. */
const ESCAPES = ['$', '(', '&', '.'].map((letter) => `\x1b${letter}`);
/** Bytes of windows-1252 that are no letters. */
const UNDEFINED_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** Returns the encodings that a page declares. Null means a label that names no encoding. */
export function declaredEncodings(bytes: Uint8Array): (string | null)[] {
  const head = asBuffer(bytes).toString('latin1', 0, DECLARATION_BYTES);
  const labels = new Set(Array.from(head.matchAll(DECLARATION), (match) => (match[1] ?? '').toLowerCase()));
  return [...new Set(Array.from(labels, encodingOf))];
}

/**
 * Returns true when all programs read the same text, whether they follow a label, a byte order mark or their own default. Linear. Never
 * throws.
 */
export function isReadAlike(bytes: Uint8Array, { charset, isPage }: TextLabel): boolean {
  // Programs show a control byte, leave it out, or end the text there.
  if (!isPage && deliveredText(bytes) !== null) return false;
  const declared = isPage ? declaredEncodings(bytes) : [];
  const said = isUnsaid(charset) ? null : encodingOf(charset ?? '');
  // Programs differ in how they treat a label that names no encoding.
  if (!isUnsaid(charset) && said === null) return false;
  // Some programs do not follow a label of UTF-16, and a declaration that is written in ASCII contradicts it.
  if ([said, ...declared].some((encoding) => encoding !== null && /^utf-16/.test(encoding))) return false;
  if (hasEscapes(bytes)) return false;
  if (isAscii(bytes)) return said !== null || declared.length > 0 || !hidesAscii(bytes);
  const mark = markedEncoding(bytes);
  if (mark !== null && mark !== 'utf-8') return false;
  // Without a label a text is ASCII (RFC 2045 §5.2). Some programs follow that rule and others what the page declares.
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
 * Returns the charset under which a text is judged. A page without a charset in its header may declare one itself, and that one counts if
 * it is the only one.
 */
export function judgedCharset(bytes: Uint8Array, { charset, isPage }: TextLabel): string | null {
  if (!isPage || !isUnsaid(charset) || isUtf8(bytes)) return charset;
  const declared = declaredEncodings(bytes).filter((encoding) => encoding !== null && !NOT_ASCII.test(encoding));
  return declared.length === 1 ? (declared[0] ?? null) : charset;
}

/**
 * Returns the judged text, with spaces for a few control bytes. If its bytes cannot be delivered, also returns the text to deliver, with all declarations of a page set to
 * UTF-8.
 */
export function judgedText(bytes: Uint8Array, label: TextLabel): string {
  const read = (label.isPage ? null : deliveredText(bytes)) ?? bytes;
  // The sequences left in a text of another charset are broken, so that no program follows them.
  const text = ESCAPES.reduce(
    (left, sequence) => left.replaceAll(sequence, `\ufffd${sequence.slice(1)}`),
    decodeText(read, judgedCharset(read, label)),
  );
  return label.isPage ? text.replace(DECLARING_TAG, '$1utf-8') : text;
}

/** Returns the same text as bytes in UTF-8. Returns null when the bytes can stay as they are. */
export function inOneReading(bytes: Uint8Array, label: TextLabel): Uint8Array | null {
  return isReadAlike(bytes, label) ? null : new TextEncoder().encode(judgedText(bytes, label));
}
