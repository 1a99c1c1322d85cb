/**
 * Decodes Content-Transfer-Encodings (RFC 2045 §6) as mail programs do, and says when the text is not well formed. Programs read malformed
 * text differently, so somebody may see other bytes than the judged ones.
 */
import { CR, LF, SPACE, TAB } from '../../formats/byte-scan.ts';
import { runSync, STEP_BYTES, type Steps } from '../../formats/steps.ts';
import type { TransferEncoding } from '../model.ts';
import { base64Steps, type Decoded } from './base64.ts';
import { decodeUuencodedSteps } from './uuencode.ts';

const EQUALS = 0x3d;
const NONE = -1;

/** Decodes a body. For 7bit, 8bit, binary and unknown encodings the result is the same bytes, not a copy. */
export function decodeBody(body: Buffer, encoding: TransferEncoding): Decoded {
  return runSync(decodeSteps(body, encoding));
}

/** Does the same in pieces. */
export function* decodeSteps(body: Buffer, encoding: TransferEncoding): Steps<Decoded> {
  if (encoding === 'base64') return yield* base64Steps(body);
  if (encoding === 'quoted-printable') return yield* quotedPrintableSteps(body);
  if (encoding === 'uuencode') return { bytes: yield* decodeUuencodedSteps(body), isWellFormed: false };
  return { bytes: body, isWellFormed: true };
}

/**
 * Decodes quoted-printable (RFC 2045 §6.7). White space at line ends is dropped, `=` and a line break join lines, and any other `=`
 * stays.
 */
function* quotedPrintableSteps(body: Buffer): Steps<Decoded> {
  const first = yield* firstChangeSteps(body);
  if (first === body.length) return { bytes: body, isWellFormed: true };
  const bytes = Buffer.allocUnsafe(body.length);
  body.copy(bytes, 0, 0, first);
  const copy: Copy = { body, bytes, written: first, blanks: NONE, equals: NONE, isWellFormed: true };
  for (let at = first; at < body.length; ) {
    const pause = Math.min(at + STEP_BYTES, body.length);
    at = copyPiece(copy, at, pause);
    if (at < body.length) yield;
  }
  const end = copy.equals !== NONE ? copy.equals : copy.blanks !== NONE ? copy.blanks : copy.written;
  return { bytes: bytes.subarray(0, end), isWellFormed: copy.isWellFormed };
}

/** Returns the offset of the first `=` or white space that decoding may take away. The length of the body when there is none. */
function* firstChangeSteps(body: Buffer): Steps<number> {
  const equals = body.indexOf(EQUALS);
  const limit = equals < 0 ? body.length : equals;
  const state = { blanks: NONE };
  for (let from = 0; from < limit; from += STEP_BYTES) {
    if (from > 0) yield;
    if (isPadded(body, from, Math.min(from + STEP_BYTES, limit), state)) return state.blanks;
  }
  return equals < 0 && state.blanks !== NONE ? state.blanks : limit;
}

/** Returns true when a line ends in blanks. `state.blanks` is where they begin. */
function isPadded(body: Buffer, from: number, to: number, state: { blanks: number }): boolean {
  for (let at = from; at < to; at++) {
    const byte = body[at];
    if (byte === SPACE || byte === TAB) {
      if (state.blanks === NONE) state.blanks = at;
    } else if (state.blanks !== NONE) {
      if (byte === LF || byte === CR) return true;
      state.blanks = NONE;
    }
  }
  return false;
}

/**
 * The state of a copy. Blanks and `=` are copied at once, and taken back when a line ends behind them, so that no run of them is
 * read twice.
 */
interface Copy {
  readonly body: Buffer;
  readonly bytes: Buffer;
  written: number;
  /** The start of the blanks at the end of the written bytes. */
  blanks: number;
  /** The place of a written `=` that only blanks follow. It is a soft line break if the line ends here. */
  equals: number;
  isWellFormed: boolean;
}

/** Decodes up to `pause` or a few bytes beyond, and returns where to continue. */
function copyPiece(copy: Copy, from: number, pause: number): number {
  const { body, bytes } = copy;
  let at = from;
  while (at < pause) {
    const byte = body[at] as number;
    if (byte === LF || byte === CR) at = copyBreak(copy, at);
    else if (byte === EQUALS) at = copyEquals(copy, at);
    else {
      if (byte !== SPACE && byte !== TAB) endBlanks(copy);
      else if (copy.blanks === NONE) copy.blanks = copy.written;
      bytes[copy.written++] = byte;
      at++;
    }
  }
  return at;
}

/** Keeps the blanks, and an `=` in front of them, because another character follows on the line. */
function endBlanks(copy: Copy): void {
  copy.blanks = NONE;
  if (copy.equals === NONE) return;
  copy.equals = NONE;
  copy.isWellFormed = false;
}

function copyEquals(copy: Copy, at: number): number {
  endBlanks(copy);
  const value = escapedByte(copy.body, at);
  if (value === NONE) copy.equals = copy.written;
  copy.bytes[copy.written++] = value === NONE ? EQUALS : value;
  return value === NONE ? at + 1 : at + 3;
}

function copyBreak(copy: Copy, at: number): number {
  const { body, bytes, blanks, equals } = copy;
  copy.blanks = NONE;
  copy.equals = NONE;
  if (equals === NONE) {
    if (blanks !== NONE) copy.written = blanks;
    bytes[copy.written++] = body[at] as number;
    return at + 1;
  }
  copy.written = equals;
  if (body[at] === LF) return at + 1;
  if (body[at + 1] === LF) return at + 2;
  // A bare CR ends the line only for some programs.
  copy.isWellFormed = false;
  return at + 1;
}

function escapedByte(body: Buffer, at: number): number {
  const high = hexValue(body[at + 1]);
  const low = high < 0 ? NONE : hexValue(body[at + 2]);
  return low < 0 ? NONE : high * 16 + low;
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
