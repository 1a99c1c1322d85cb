/** Finds lines in bytes. Offsets are into the given bytes, which are never copied. */
import { STEP_BYTES, type Steps } from './steps.ts';

export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const TAB = 0x09;

/** Returns the bytes as a Buffer over the same memory, for its native searches. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * The number of bytes that are searched as one text. A string of megabytes costs more than the search in it, because its memory is new each
 * time.
 */
const WINDOW_BYTES = 32 * 1024;

/**
 * Returns true when the pattern matches anywhere in these bytes, each read as one character. Its matches may not be longer than `longest`,
 * and may not depend on the text before or after.
 */
export function holdsMatch(bytes: Uint8Array, pattern: RegExp, longest: number): boolean {
  const all = asBuffer(bytes);
  for (let start = 0; start < all.length; start += WINDOW_BYTES)
    if (pattern.test(all.toString('latin1', start, Math.min(all.length, start + WINDOW_BYTES + longest - 1))))
      return true;
  return false;
}

/** Returns the end of the line that starts at `start`: the offset after its LF, or the end of the bytes. */
export function lineEndAfter(email: Buffer, start: number): number {
  const at = email.indexOf(LF, start);
  return at < 0 ? email.length : at + 1;
}

/** Most lines are shorter than this. For them a loop over the bytes costs less than a native search. */
const SHORT_LINE = 200;

/**
 * Returns the offset of the first CR or LF at or after `start`, or `limit`. Long lines are searched natively, in windows that grow, so that
 * the search for a CR that no line has does not cost more than the line.
 */
export function lineBreakAt(bytes: Buffer, start: number, limit: number): number {
  let at = start;
  const near = Math.min(limit, start + SHORT_LINE);
  for (; at < near; at++) if (bytes[at] === LF || bytes[at] === CR) return at;
  for (let size = SHORT_LINE; at < limit; size *= 2) {
    const window = bytes.subarray(at, Math.min(limit, at + size));
    const feed = window.indexOf(LF);
    const found = (feed < 0 ? window : window.subarray(0, feed)).indexOf(CR);
    if (found >= 0 || feed >= 0) return at + (found >= 0 ? found : feed);
    at += window.length;
  }
  return Math.max(start, limit);
}

/** Returns the offset after the line break of any kind at `at`, but not past the end of the bytes. */
export function afterLineBreak(bytes: Buffer, at: number): number {
  return Math.min(bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1, bytes.length);
}

const DASHES = Buffer.from('--');

/** A search for lines that begin with two dashes. It continues at `at`. */
export interface DashSearch {
  at: number;
  /** True when a bare CR ends a line, too. */
  readonly isAfterBareCr: boolean;
}

/** Dashes after which a search pauses. */
export const DASHES_PER_STEP = 50_000;

/**
 * Moves `search.at` on to the start of the next line that begins with two dashes. It searches for dashes, because they are rarer than
 * line breaks, and passes a run of them at once. `pause` means that many dashes were read and that other work may run.
 */
export function seekDashedLine(bytes: Buffer, search: DashSearch): 'found' | 'pause' | 'end' {
  let seen = 0;
  for (let at = nextDashes(bytes, search.at); at >= 0; at = nextDashes(bytes, search.at)) {
    const before = at === 0 ? LF : bytes[at - 1];
    if (before === LF || (search.isAfterBareCr && before === CR)) {
      search.at = at;
      return 'found';
    }
    search.at = afterDashes(bytes, at);
    if (++seen === DASHES_PER_STEP) return 'pause';
  }
  search.at = bytes.length;
  return 'end';
}

/** Returns the start of the next line that begins with this word, after a line break of any kind. -1 when there is none. In pieces. */
export function* lineStartingWith(bytes: Buffer, word: Buffer, from: number): Steps<number> {
  for (let start = from; start < bytes.length; start += STEP_BYTES) {
    if (start > from) yield;
    const window = bytes.subarray(0, start + STEP_BYTES + word.length - 1);
    for (let at = window.indexOf(word, start); at >= 0; at = window.indexOf(word, at + word.length))
      if (at === 0 || bytes[at - 1] === LF || bytes[at - 1] === CR) return at;
  }
  return -1;
}

/** Bytes that are read in a loop first. A native search costs as much as reading this many, and a flood of dashes would need many. */
const NEARBY_BYTES = 128;

/** Returns the next two dashes at or after `from`, or -1. */
export function nextDashes(bytes: Buffer, from: number): number {
  const nearby = Math.min(from + NEARBY_BYTES, bytes.length - 1);
  for (let at = from; at < nearby; at++) if (bytes[at] === 0x2d && bytes[at + 1] === 0x2d) return at;
  return from < nearby ? bytes.indexOf(DASHES, nearby) : -1;
}

/** Returns the offset after the run of dashes at `at`. Trying each of millions of them would take seconds. */
export function afterDashes(bytes: Buffer, at: number): number {
  let end = at + 2;
  while (bytes[end] === 0x2d) end++;
  return end;
}

/** Returns true when the bytes at `at` are these. It is a loop, because a call of the native comparison for each line costs more. */
export function standsAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  if (at + wanted.length > bytes.length) return false;
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/** Moves `end` back over one LF or CR LF, but not past `floor`. */
export function withoutLineBreak(email: Buffer, floor: number, end: number): number {
  let cut = end;
  if (cut > floor && email[cut - 1] === LF) {
    cut--;
    if (cut > floor && email[cut - 1] === CR) cut--;
  }
  return cut;
}

/** Moves `end` back over spaces and tabs, but not past `floor`. */
export function withoutPadding(email: Buffer, floor: number, end: number): number {
  let cut = end;
  while (cut > floor && (email[cut - 1] === SPACE || email[cut - 1] === TAB)) cut--;
  return cut;
}

/** Returns the offset of the first header line, after the "From " line that mbox files put before a message. */
export function skipMboxLine(email: Buffer): number {
  return email.toString('latin1', 0, 5) === 'From ' ? lineEndAfter(email, 0) : 0;
}

/** A UTF-8 byte order mark. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const FIELD_START = /^[!-9;-~]{1,100}[ \t]*:/;

/**
 * Returns the offset of a header after a byte order mark or blank lines. Strict programs take such a message for text without a header.
 * Returns 0 when none of these come first, or when no header follows.
 */
export function skipBlankStart(email: Buffer): number {
  let at = email.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  for (let end = lineEndAfter(email, at); at < email.length; end = lineEndAfter(email, at)) {
    const text = nonBlankRange(email, at, end);
    if (text.end > text.start) break;
    at = end;
  }
  const isHeader = FIELD_START.test(email.toString('latin1', at, at + 200));
  return isHeader ? at : 0;
}

/** Returns the part of [start, end) without the white space and line breaks at both ends. */
export function nonBlankRange(
  email: Buffer,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } {
  let from = start;
  let to = end;
  while (from < to && isBlank(email[from])) from++;
  while (to > from && isBlank(email[to - 1])) to--;
  return { start: from, end: to };
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CR || byte === LF;
}
