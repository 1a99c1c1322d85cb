/**
 * Bytes that are one text to one program and another to the next although the charset they are said to be in is an ordinary
 * one: what stands beside the label (a byte order mark, a page's own declaration, escape sequences) says something else.
 */
import { asBuffer } from '../../formats/byte-scan.ts';
import { encodingOf, isUnsaid, markedEncoding } from '../../formats/charsets/charset-labels.ts';

export interface LabelledText {
  /** The charset of its Content-Type; null when there is none. */
  readonly label: string | null;
  readonly isPage: boolean;
  /** False for a file: whoever opens it sees no label. */
  readonly isBody: boolean;
}

const UTF16 = /^utf-16/;
/** The labels of UTF-16 that say in which order its bytes are. */
const ORDERED_UTF16 = /^utf-16(?:le|be)$/i;
const JAPANESE = 'iso-2022-jp';
/** The sequences that switch to another charset, and the whole of ISO-2022-JP is made of. */
const ESCAPES = ['\x1b$', '\x1b('].map((sequence) => Buffer.from(sequence));
/** Declarations are looked for in this much of a page. */
const HEAD_BYTES = 64 * 1024;
const DECLARATION = /<meta[^>]{0,500}charset\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_:.-]{1,40})/gi;

/** What makes programs read these bytes in different ways, in plain words; null when nothing does. Linear; never throws. */
export function textProblem(bytes: Uint8Array, text: LabelledText): string | null {
  return utf16Problem(bytes, text) ?? escapeProblem(asBuffer(bytes), text);
}

function utf16Problem(bytes: Uint8Array, { label, isPage, isBody }: LabelledText): string | null {
  const mark = markedEncoding(bytes);
  const isMarked = mark !== null && UTF16.test(mark);
  const isLabelled = UTF16.test(encodingOf(label ?? '') ?? '');
  // `http` in one order is four ideographs in the other, and in ASCII two.
  if (isLabelled && mark === null && (!isBody || !ORDERED_UTF16.test(label ?? '')))
    return 'UTF-16 without the byte order mark that tells what it is';
  const isContrary =
    isMarked && !(isLabelled && (encodingOf(label ?? '') === mark || !ORDERED_UTF16.test(label ?? '')));
  // A file in UTF-16 is what programs save texts as, whatever the mail program that sends it takes it for.
  if (isContrary && isBody) return 'a byte order mark that its charset contradicts';
  // Programs drop it, end there, or take the text for UTF-16.
  return (isBody || isPage) && !isMarked && !isLabelled && bytes.includes(0) ? 'NUL in a text' : null;
}

/** What escape sequences break up in ASCII is whole in ISO-2022-JP, and what they turn into ideographs there is a link here. */
function escapeProblem(bytes: Buffer, { label, isPage, isBody }: LabelledText): string | null {
  if (!(isBody || isPage) || !ESCAPES.some((sequence) => bytes.includes(sequence))) return null;
  const said = isUnsaid(label) ? null : encodingOf(label ?? '');
  const declared = isPage ? declaredEncodings(bytes) : [];
  const isAgreed = declared.every((encoding) => (encoding === JAPANESE) === (said === JAPANESE));
  // Without a label, a program that shows a text or opens a file looks for these sequences, or does not.
  const isSaid = isBody ? said !== null : declared.length > 0;
  return isSaid && isAgreed ? null : 'escape sequences of a charset that is not declared, or not everywhere';
}

function declaredEncodings(bytes: Buffer): (string | null)[] {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  return [...head.matchAll(DECLARATION)].map((match) => encodingOf(match[1] ?? ''));
}
