/**
 * Finds programs, scripts, shortcuts and archives that a text has in base64 or hexadecimal digits, without a line that says so: in a data
 * URL, in a text for `base64 -d`, in a MIME part that stands in an attached text. Other files in such digits are the content of ordinary
 * texts: pictures of pages, documents in invoices, keys and tokens. Linear: a file is not searched for others.
 */
import { asBuffer, holdsMatch } from '../../formats/byte-scan.ts';
import type { Steps } from '../../formats/steps.ts';
import { begunFileSteps } from './beginnings.ts';
import { BASE64, type Digits, digitRun, HEX } from './digit-runs.ts';
import { BASE64_STARTS, HEX_STARTS, isProgramHead, startsProgram } from './program-starts.ts';
import type { TextFile } from './uuencode.ts';

const BASE64_WORDS = BASE64_STARTS.map((word) => Buffer.from(word));
const HEX_WORD = new RegExp(HEX_STARTS.join('|'), 'i');
/** The answers by bytes. They are kept because several questions about one text need them. */
const answers = new WeakMap<Uint8Array, boolean>();
/** Base64 may use two digits of either alphabet, so `/` has another form. */
const BEGIN = new RegExp(
  `(?<![A-Za-z0-9+/])(?<base64>${BASE64_STARTS.join('|')})|(?<![0-9a-f])(?:${HEX_STARTS.map(anyCase).join('|')})`,
  'g',
);
const MAX_WORD_LENGTH = 8;
const HEAD_BYTES = 64;

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Returns false when no such file can be in these bytes. Ten times as fast as the search. */
export function mayHoldBareFile(bytes: Uint8Array): boolean {
  const known = answers.get(bytes);
  if (known !== undefined) return known;
  const text = asBuffer(bytes);
  const answer = BASE64_WORDS.some((word) => text.includes(word)) || holdsMatch(bytes, HEX_WORD, MAX_WORD_LENGTH);
  answers.set(bytes, answer);
  return answer;
}

/** Returns the files. The words within a file begin no other. */
export function* bareFileSteps(bytes: Uint8Array): Steps<TextFile[]> {
  if (!mayHoldBareFile(bytes)) return [];
  const text = asBuffer(bytes);
  let past = 0;
  return yield* begunFileSteps(text, BEGIN, MAX_WORD_LENGTH, ({ groups }, start) => {
    if (start < past) return null;
    const file = fileAt(text, start, groups?.base64 === undefined ? HEX : BASE64);
    past = file?.end ?? past;
    return file === null ? [] : [file];
  });
}

function fileAt(text: Buffer, start: number, digits: Digits): TextFile | null {
  if (!isProgramHead(digitRun(text, start, digits, HEAD_BYTES).bytes)) return null;
  const { bytes, end } = digitRun(text, start, digits);
  return startsProgram(bytes) ? { name: '', bytes, start, end } : null;
}
