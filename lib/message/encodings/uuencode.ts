/** Reads uuencoded files (IEEE 1003.1 uuencode, also its base64 form), alone in a body or written into a text. */
import { afterLineBreak, asBuffer, lineBreakAt, lineStartingWith } from '../../formats/byte-scan.ts';
import { STEP_BYTES, type Steps } from '../../formats/steps.ts';

/** A file found in a text. */
export interface TextFile {
  /** As the text spells it. Untrusted. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Its place in the text. */
  readonly start: number;
  readonly end: number;
}

const BEGIN_WORD = Buffer.from('begin');
const BEGIN_UPPER = Buffer.from('BEGIN');
const BEGIN = /^begin(-base64\S*)?[ \t]+[0-7]{3,7}[ \t]+(\S.*)$/i;
/**
 * A first line without a mode or a name, which some programs accept. Sentences of people may begin like this, so the data must be beyond
 * doubt.
 */
const ODD_BEGIN = /^begin(-base64\S*)?(?:[ \t]+(.*))?$/i;
/** A name with an extension. Sentences of people hardly name a file behind `begin` and a mode. */
const FILE_NAME = /\.[^\s.]{1,20}$/;
const END = /^(?:end|====)[ \t]*$/i;
/** Bytes of the longest data line, including its last group. */
const UU_LINE = 66;
const END_LENGTH = 20;
/** Bytes of every line but the last. */
const FULL_LINE = 45;
/** Most `begin` lines that are tried, and most files that are taken from one text. */
export const MAX_BEGINS = 10_000;
export const MAX_FILES = 100;
const BEGINS_PER_STEP = 500;
/**
 * The most lines in a row inside a file that may be no data. Some programs stop there and others skip them. With more such lines the file
 * has ended.
 */
const DAMAGED_LINES = 10;
/** The most blank lines between `begin` and the data. */
const BLANK_LINES = 3;
/**
 * Bytes by which a file may be longer than its text, because a line that lost its spaces encodes up to 63 bytes. At more the file ends
 * there; the message is held for any file in a text.
 */
const MAX_GROWTH = 16 * 1024 * 1024;
/** Lines among which one must be as long as it says. */
const FIRST_LINES = 100;
/** Characters of a line in which names and marks are looked for. */
const LINE_START = 1_000;

/**
 * Returns the files written into a text. A damaged file is given twice: up to the damage, and without the damaged lines. Linear, because a
 * file is not searched for others.
 */
export function* uuencodedSteps(bytes: Uint8Array): Steps<TextFile[]> {
  const text = asBuffer(bytes);
  return [...(yield* beginningSteps(text, BEGIN_WORD)), ...(yield* beginningSteps(text, BEGIN_UPPER))];
}

function* beginningSteps(text: Buffer, word: Buffer): Steps<TextFile[]> {
  const files: TextFile[] = [];
  let at = yield* lineStartingWith(text, word, 0);
  let taken = 0;
  for (let seen = 0; at >= 0 && seen < MAX_BEGINS && taken < MAX_FILES; seen++) {
    const found = yield* fileSteps(text, at);
    if (seen % BEGINS_PER_STEP === BEGINS_PER_STEP - 1) yield;
    files.push(...found);
    if (found.length > 0) taken++;
    at = yield* lineStartingWith(text, word, found[0]?.end ?? at + word.length);
  }
  return files;
}

/** Tells what begins at `start`: a file, a line that only looks like the first line of one, or neither. Cheap. */
export function uuencodedAt(text: Buffer, start: number): 'file' | 'line' | null {
  const head = headAt(text, start);
  if (head === null) return null;
  const isFile = head.isBase64 || readingsOf(head).some((decodeLine) => isDataAt(text, head.data, decodeLine));
  return isFile ? 'file' : 'line';
}

const isDataAt = (text: Buffer, start: number, decodeLine: DecodeLine) =>
  wholeLineFrom(text, start, isWhole, decodeLine) >= 0;

/**
 * Finds the first data line that is as long as it says, in front of the first line that is no data. Each line in front of it may have lost
 * spaces at its end. A shorter line counts when the end mark follows the data. Returns its offset, or -1. Sentences such as "begin 2027 and
 * end", with a year in the next line, have none.
 */
function wholeLineFrom(
  text: Buffer,
  start: number,
  isLongEnough: (length: number, count: number) => boolean,
  decodeLine: DecodeLine,
): number {
  let last = -1;
  let at = start;
  for (let line = 0; line < FIRST_LINES && at < text.length; line++) {
    const end = lineBreakAt(text, at, text.length);
    if (last >= 0 && isEndMark(text, at, end)) return last;
    const size = lineSizeAt(text, at, decodeLine);
    if (size < 0 || (size === 0 && last < 0 && line >= BLANK_LINES)) return -1;
    if (size > 0 && isLongEnough(end - at, size)) return at;
    if (size > 0) last = at;
    at = afterLineBreak(text, end);
  }
  return -1;
}

/** Returns true for a line of `length` bytes that has the digits for `count` bytes. Some programs leave out the last padding. */
function isWhole(length: number, count: number): boolean {
  return length >= digitsFor(count) - 3;
}

/** Returns true for a line that has neither more nor fewer digits than `count` bytes have, but for one checksum character. */
function isExact(length: number, count: number): boolean {
  return Math.abs(length - 1 - digitsFor(count)) <= 1;
}

function digitsFor(count: number): number {
  return Math.ceil(count / 3) * 4;
}

/** Returns how many bytes the line at `start` encodes, or -1 when it is no data. */
function lineSizeAt(text: Buffer, start: number, decodeLine: DecodeLine): number {
  return decodeLine(text, start, lineBreakAt(text, start, text.length), Buffer.alloc(UU_LINE), 0);
}

interface Head {
  readonly name: string;
  readonly isBase64: boolean;
  /** The start of the first data line. */
  readonly data: number;
}

function headAt(text: Buffer, start: number): Head | null {
  const end = lineBreakAt(text, start, text.length);
  const line = text.toString('latin1', start, Math.min(end, start + LINE_START));
  const data = afterLineBreak(text, end);
  const match = BEGIN.exec(line);
  if (match !== null) return { name: (match[2] ?? '').trimEnd(), isBase64: match[1] !== undefined, data };
  const odd = ODD_BEGIN.exec(line);
  if (odd === null || !isBeyondDoubt(text, data, odd[1] !== undefined)) return null;
  return { name: (odd[2] ?? '').replace(/^[^a-z]*(?=\S)/i, '').trim(), isBase64: odd[1] !== undefined, data };
}

/** Returns true when a data line follows that is full, or exactly as long as it says and followed by the end of the file. */
function isBeyondDoubt(text: Buffer, start: number, isBase64: boolean): boolean {
  if (isBase64) {
    const end = lineBreakAt(text, start, text.length);
    return /^[A-Za-z0-9+/]{16,}={0,2}$/.test(
      text.toString('latin1', start, Math.min(end, start + LINE_START)).trimEnd(),
    );
  }
  const at = wholeLineFrom(text, start, isExact, uuLine);
  if (at < 0) return false;
  const next = afterLineBreak(text, lineBreakAt(text, at, text.length));
  const following = text.toString('latin1', next, Math.min(text.length, next + END_LENGTH));
  return lineSizeAt(text, at, uuLine) === FULL_LINE || /^(?:[ `]?[ \t]*\r?\n)?end\b/i.test(following);
}

/** Returns the file whose `begin` line is at `start`, twice when it is damaged. None when no data line follows. */
function* fileSteps(text: Buffer, start: number): Steps<TextFile[]> {
  const head = headAt(text, start);
  if (head === null) return [];
  for (const decodeLine of readingsOf(head)) {
    const { bytes, undamaged, end } = yield* lineSteps(text, head.data, decodeLine);
    if (bytes.length === 0) continue;
    const place = { name: head.name, start, end };
    return undamaged === null
      ? [{ ...place, bytes }]
      : [
          { ...place, bytes: undamaged },
          { ...place, bytes },
        ];
  }
  return [];
}

/**
 * Returns the ways to read the lines of a file, the strict one first. Programs take any character for a digit, or leave it out. The lines of a
 * file that only they can read are read as they do.
 */
function readingsOf({ name, isBase64 }: Head): readonly DecodeLine[] {
  const [strict, tolerant] = isBase64 ? [base64Line, anyBase64Line] : [uuLine, anyUuLine];
  return FILE_NAME.test(name) ? [strict, tolerant] : [strict];
}

interface Lines {
  readonly bytes: Buffer;
  /** The bytes in front of the first damaged line. Null when no line is damaged. */
  readonly undamaged: Buffer | null;
  readonly end: number;
}

/** How many lines in a row are no data, and where the first of them starts. */
interface Damage {
  readonly at: number;
  readonly lines: number;
}

const NO_DAMAGE: Damage = { at: -1, lines: 0 };

/** Returns the damage after the line at `at`, which encodes `size` bytes. Blank lines are neither damage nor data. */
function damageAfter(damage: Damage, at: number, size: number): Damage {
  if (size === 0) return damage;
  if (size > 0) return NO_DAMAGE;
  return { at: damage.lines === 0 ? at : damage.at, lines: damage.lines + 1 };
}

/** Decodes data lines up to the end mark, or up to too many lines that are no data. */
function* lineSteps(text: Buffer, start: number, decodeLine: DecodeLine): Steps<Lines> {
  const isUu = decodeLine === uuLine || decodeLine === anyUuLine;
  if (isUu && !isDataAt(text, start, decodeLine)) return { bytes: Buffer.alloc(0), undamaged: null, end: start };
  const room = text.length - start;
  const into = Buffer.allocUnsafe(Math.min(room * UU_LINE, room + MAX_GROWTH) + UU_LINE);
  let written = 0;
  let undamaged: Buffer | null = null;
  let damage = NO_DAMAGE;
  let pause = start + STEP_BYTES;
  for (let at = start; at < text.length; ) {
    if (written + UU_LINE > into.length) return { bytes: exactly(into, written), undamaged, end: at };
    if (at > pause) {
      yield;
      pause = at + STEP_BYTES;
    }
    const end = lineBreakAt(text, at, text.length);
    if (isEndMark(text, at, end)) return { bytes: exactly(into, written), undamaged, end: afterLineBreak(text, end) };
    const size = decodeLine(text, at, end, into, written);
    if (size > 0 && damage.lines > 0) undamaged ??= exactly(into, written);
    damage = damageAfter(damage, at, size);
    if (damage.lines > DAMAGED_LINES) break;
    written += Math.max(0, size);
    at = afterLineBreak(text, end);
  }
  return { bytes: exactly(into, written), undamaged, end: damage.lines > 0 ? damage.at : text.length };
}

/** Returns a copy of the first bytes. A slice would keep the whole buffer in memory. */
function exactly(bytes: Buffer, length: number): Buffer {
  return length === bytes.length ? bytes : Buffer.from(bytes.subarray(0, length));
}

/**
 * Returns true for the end mark. The first character is checked first, because making a string of each of millions of lines would take
 * seconds.
 */
function isEndMark(text: Buffer, start: number, end: number): boolean {
  const first = text[start];
  const canBe = first === 0x65 || first === 0x45 || first === 0x3d;
  return canBe && end - start <= END_LENGTH && END.test(text.toString('latin1', start, end));
}

/** Decodes one data line. Returns the number of bytes written: 0 for a blank line or one of no bytes, -1 for a line that is no data. */
type DecodeLine = (text: Buffer, start: number, end: number, into: Buffer, at: number) => number;

function uuLine(text: Buffer, start: number, end: number, into: Buffer, at: number): number {
  const last = Math.min(end, start + 1 + digitsFor(((text[start] ?? 0x20) - 0x20) & 0x3f));
  for (let place = start; place < last; place++)
    if ((text[place] as number) < 0x20 || (text[place] as number) > 0x60) return -1;
  return anyUuLine(text, start, end, into, at);
}

/** Reads each character by its last six bits. */
function anyUuLine(text: Buffer, start: number, end: number, into: Buffer, at: number): number {
  if (end === start) return 0;
  const count = ((text[start] as number) - 0x20) & 0x3f;
  // A space means six zero bits, as `\`` does. Spaces at the end of a line get lost in mail, and programs put them back. They pass over
  // whatever follows the digits, such as a checksum. A line of no bytes has at most two characters more.
  if (count === 0 && end - start > 3) return -1;
  for (let group = 0; group * 3 < count; group++) {
    let value = 0;
    for (let index = start + 1 + group * 4; index < start + 5 + group * 4; index++)
      value = (value << 6) | ((index < end ? (text[index] as number) - 0x20 : 0) & 0x3f);
    into[at + group * 3] = value >> 16;
    into[at + group * 3 + 1] = value >> 8;
    into[at + group * 3 + 2] = value;
  }
  return count;
}

function base64Line(text: Buffer, start: number, end: number, into: Buffer, at: number): number {
  const line = text.toString('latin1', start, end);
  return /^[A-Za-z0-9+/]*={0,2}[ \t]*$/.test(line) ? into.write(line, at, 'base64') : -1;
}

/** Leaves out every character that is no digit. */
function anyBase64Line(text: Buffer, start: number, end: number, into: Buffer, at: number): number {
  return into.write(text.toString('latin1', start, end).replace(/[^A-Za-z0-9+/]/g, ''), at, 'base64');
}

/** Decodes a body under a uuencode Content-Transfer-Encoding: its first file, or its lines when it has no `begin` line. */
export function* decodeUuencodedSteps(body: Buffer): Steps<Uint8Array> {
  const [file] = yield* uuencodedSteps(body);
  if (file !== undefined) return file.bytes;
  const { bytes } = yield* lineSteps(body, 0, uuLine);
  return bytes.length > 0 ? bytes : body;
}
