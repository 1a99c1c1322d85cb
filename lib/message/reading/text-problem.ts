/**
 * Finds texts that programs read in different ways although their charset is an ordinary one. The reason is something that contradicts
 * the label: a byte order mark, a page's own declaration, or escape sequences.
 */
import { isAscii } from 'node:buffer';
import { asBuffer } from '../../formats/byte-scan.ts';
import { isDosCharset } from '../../formats/charsets/dos-charsets.ts';
import { encodingOf, isUnsaid, markedEncoding } from '../../formats/charsets/labels.ts';
import { hidesAscii, isUtf7 } from '../../formats/charsets/utf7.ts';

export interface LabelledText {
  /** The charset of its Content-Type. Null when there is none. */
  readonly label: string | null;
  readonly isPage: boolean;
  /** False for a file. A program that opens a file sees no label. */
  readonly isBody: boolean;
}

const UTF16 = /^utf-16/;
/** Labels of UTF-16 that say the order of its bytes. */
const ORDERED_UTF16 = /^utf-16(?:le|be)$/i;
const JAPANESE = 'iso-2022-jp';
/** Sequences that switch to another charset, as ISO-2022-JP does. */
const ESCAPES = ['\x1b$', '\x1b('].map((sequence) => Buffer.from(sequence));
/** Bytes of a page in which declarations are looked for. */
const HEAD_BYTES = 64 * 1024;
const DECLARATION = /<meta[^>]{0,500}charset\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_:.-]{1,40})/gi;

/**
 * Returns the reason why programs read these bytes in different ways, in plain words. Returns null when they read them alike. Linear. Never
 * throws.
 */
export function textProblem(bytes: Uint8Array, text: LabelledText): string | null {
  return (
    utf7Problem(bytes, text) ?? dosProblem(text) ?? utf16Problem(bytes, text) ?? escapeProblem(asBuffer(bytes), text)
  );
}

/**
 * Returns the problem of a text with this label, which old programs use. A body without ASCII letters in its shifted runs hides no link and
 * no markup. It is delivered as the text that was read, in UTF-8. A file keeps its bytes, and the program that opens it sees no label.
 */
function utf7Problem(bytes: Uint8Array, { label, isBody, isPage }: LabelledText): string | null {
  const isPlain = isAscii(bytes) && !bytes.includes(0x1b) && !hidesAscii(bytes);
  if (!isUtf7(label) || (isBody && !isPage && isPlain)) return null;
  return 'a charset that programs read in different ways';
}

/** A body is delivered as the text that was read, in UTF-8. A file keeps its bytes, and programs read other letters in it. */
function dosProblem({ label, isBody }: LabelledText): string | null {
  return isDosCharset(label) && !isBody ? 'a charset that programs read in different ways' : null;
}

function utf16Problem(bytes: Uint8Array, { label, isPage, isBody }: LabelledText): string | null {
  const mark = markedEncoding(bytes);
  const isMarked = mark !== null && UTF16.test(mark);
  const isLabelled = UTF16.test(encodingOf(label ?? '') ?? '');
  // Without a mark, programs guess the order of the bytes. Letters in one order are ideographs in the other.
  if (isLabelled && mark === null && (!isBody || !ORDERED_UTF16.test(label ?? '')))
    return 'UTF-16 without the byte order mark that tells what it is';
  const isContrary =
    isMarked && !(isLabelled && (encodingOf(label ?? '') === mark || !ORDERED_UTF16.test(label ?? '')));
  // Only bodies count: programs save texts as UTF-16, and the mail program that attaches one may label it differently.
  if (isContrary && isBody) return 'a byte order mark that its charset contradicts';
  // Programs drop a NUL, end the text there, or take the text for UTF-16.
  return (isBody || isPage) && !isMarked && !isLabelled && bytes.includes(0) ? 'NUL in a text' : null;
}

/** Escape sequences can hide a link: in ASCII they cut it, and in ISO-2022-JP they join it or turn other letters into it. */
function escapeProblem(bytes: Buffer, { label, isPage, isBody }: LabelledText): string | null {
  if (!(isBody || isPage) || !ESCAPES.some((sequence) => bytes.includes(sequence))) return null;
  const said = isUnsaid(label) ? null : encodingOf(label ?? '');
  const declared = isPage ? declaredEncodings(bytes) : [];
  const isAgreed = declared.every((encoding) => (encoding === JAPANESE) === (said === JAPANESE));
  // Without a label, some programs follow these sequences and some do not.
  const isSaid = isBody ? said !== null : declared.length > 0;
  return isSaid && isAgreed ? null : 'escape sequences of a charset that is not declared, or not everywhere';
}

function declaredEncodings(bytes: Buffer): (string | null)[] {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  return [...head.matchAll(DECLARATION)].map((match) => encodingOf(match[1] ?? ''));
}
