/**
 * Checks the raw bytes before mailparser reads them, because some small mails would cost it minutes or gigabytes. The check counts
 * everything that any reading could take for headers or quoted-printable, so it does not depend on the structure of the message.
 */
import { lineEndAfter, nonBlankRange, SPACE, seekDashedLine, TAB, withoutLineBreak } from '../../formats/byte-scan.ts';
import { STEP_BYTES, type Steps } from '../../formats/steps.ts';
import type { ReadingLimits } from '../model.ts';

/** The limits are this many times those of the reader, because text after a line that only looks like a boundary counts as header, too. */
const HEADER_LINES_FACTOR = 20;
const HEADER_BYTES_FACTOR = 4;
/** mailparser reads a header of a million commas as a million addresses, at a kilobyte each. */
const HEADER_SEPARATORS = 100_000;
const SEPARATORS = new Set([...',;:<>()"'].map((char) => char.charCodeAt(0)));
/**
 * The limit of the sum of the squares of all runs of white space. mailparser strips white space at line ends with a regular expression
 * that takes quadratic time: 200 KB of spaces in a quoted-printable part take minutes.
 */
const BLANK_RUN_COST = 200_000_000;
/** Lines that end in blanks. Each costs that expression a match: eight million of them take two seconds and 700 MB. */
const PADDED_LINES = 1_000_000;
/** Lines. mailparser handles each by itself: 40 million of them take four seconds. */
const LINES = 5_000_000;
/**
 * `=` signs. mailparser makes a string of each escape of quoted-printable, and 13 million take 0.9 GB. In base64 each starts a new
 * decoding.
 */
const ESCAPES = 3_000_000;
const HEADERS_PER_STEP = 5_000;
const NOT_QUOTED_PRINTABLE = /^content-transfer-encoding[ \t]*:[ \t]*(?:7bit|8bit|binary|base64)[ \t]*\r?\n$/i;
const TRANSFER_ENCODING = 'content-transfer-encoding';

/** The header lines, bytes and separators that one email may still have, over all its parts and the messages inside it. */
export interface HeadBudget {
  lines: number;
  bytes: number;
  separators: number;
}

export function headBudgetOf(limits: ReadingLimits): HeadBudget {
  return {
    lines: limits.headerLines * HEADER_LINES_FACTOR,
    bytes: limits.headerBytes * HEADER_BYTES_FACTOR,
    separators: HEADER_SEPARATORS,
  };
}

/**
 * Returns the reason why mailparser must not read these bytes, in plain words. Returns null when it may read them. Linear. It spends the
 * budget.
 */
export function* refusalSteps(email: Buffer, budget: HeadBudget): Steps<string | null> {
  if (!(yield* areHeadersBounded(email, budget)))
    return 'read in one way only: so much in it could be header that mailparser might take minutes';
  const start = yield* quotedPrintableStart(email);
  if (start >= 0 && !(yield* isQuotedPrintableBounded(email.subarray(start))))
    return 'read in one way only: its quoted-printable text is made so that mailparser might take minutes';
  if (!(yield* areBytesBounded(email)))
    return 'read in one way only: it has so many lines or equals signs that mailparser might take minutes';
  return null;
}

/** Counts the header of a nested message as its bytes come in. Returns false when the budget is spent. */
export type HeadCounter = (chunk: Uint8Array) => boolean;

/** Returns a counter for one message. It stops counting at the first blank line. */
export function createHeadCounter(budget: HeadBudget): HeadCounter {
  let isInHead = true;
  let lineLength = 0;
  return (chunk) => {
    for (let at = 0; isInHead && at < chunk.length; at++) {
      const byte = chunk[at] as number;
      budget.bytes--;
      if (byte === 0x0a) {
        budget.lines--;
        isInHead = lineLength > 0;
        lineLength = 0;
      } else if (byte !== 0x0d) lineLength++;
      if (SEPARATORS.has(byte)) budget.separators--;
      if (budget.bytes < 0) return false;
    }
    return budget.lines >= 0 && budget.separators >= 0;
  };
}

/** Counts the lines from the start, and from every line that begins with `--`, up to the next blank line. */
function* areHeadersBounded(email: Buffer, budget: HeadBudget): Steps<boolean> {
  const search = { at: 0, isAfterBareCr: false };
  for (let seen = 1; ; seen++) {
    const end = headEnd(email, search.at, budget);
    if (!createHeadCounter(budget)(email.subarray(search.at, end))) return false;
    search.at = end;
    let state = seekDashedLine(email, search);
    for (; state === 'pause'; state = seekDashedLine(email, search)) yield;
    if (state === 'end') return true;
    if (seen % HEADERS_PER_STEP === 0) yield;
  }
}

/** Returns the offset after the first blank line at or behind `start`, or after the line that exceeds the budget. */
function headEnd(email: Buffer, start: number, { bytes, lines }: HeadBudget): number {
  let at = start;
  for (let seen = 0; at < email.length && at - start <= bytes && seen <= lines; seen++) {
    const end = lineEndAfter(email, at);
    if (withoutLineBreak(email, at, end) === at) return end;
    at = end;
  }
  return at;
}

/** Returns the offset of the first header that could announce quoted-printable, or -1. */
function* quotedPrintableStart(email: Buffer): Steps<number> {
  for (let at = 0, seen = 1; at < email.length; seen++) {
    if (seen % HEADERS_PER_STEP === 0) yield;
    const hit = yield* indexOfTransferEncoding(email, at);
    if (hit < 0) return -1;
    const end = lineEndAfter(email, hit);
    const isLong = end - hit > 200;
    if (isLong || !NOT_QUOTED_PRINTABLE.test(email.toString('latin1', hit, end)) || isContinued(email, end)) return hit;
    at = end;
  }
  return -1;
}

function isContinued(email: Buffer, at: number): boolean {
  return (
    (email[at] === SPACE || email[at] === TAB) && nonBlankRange(email, at, lineEndAfter(email, at)).start < email.length
  );
}

/**
 * Returns the offset of the next `Content-Transfer-Encoding`, in any case. It is found by its first hyphen and then compared byte by byte.
 */
function* indexOfTransferEncoding(email: Buffer, from: number): Steps<number> {
  for (let at = from + 'content'.length; at < email.length; at += STEP_BYTES) {
    const dash = transferEncodingIn(email, at, Math.min(at + STEP_BYTES, email.length));
    if (dash >= 0) return dash - 'content'.length;
    yield;
  }
  return -1;
}

/**
 * Dashes for each of which the native search is called. In a flood of dashes that would take seconds, so the others are looked for in a
 * loop.
 */
const SEARCHED_DASHES = 1_000;

function transferEncodingIn(email: Buffer, from: number, to: number): number {
  const piece = email.subarray(0, to);
  let dash = from;
  for (let seen = 0; seen < SEARCHED_DASHES; seen++) {
    dash = piece.indexOf(0x2d, dash);
    if (dash < 0 || isTransferEncodingAt(email, dash - 'content'.length)) return dash;
    dash++;
  }
  for (; dash < to; dash++)
    if (email[dash] === 0x2d && isTransferEncodingAt(email, dash - 'content'.length)) return dash;
  return -1;
}

function isTransferEncodingAt(email: Buffer, start: number): boolean {
  for (let index = 0; index < TRANSFER_ENCODING.length; index++)
    if (((email[start + index] ?? 0) | 0x20) !== (TRANSFER_ENCODING.charCodeAt(index) | 0x20)) return false;
  return true;
}

function* areBytesBounded(email: Buffer): Steps<boolean> {
  if (email.length <= Math.min(LINES, ESCAPES)) return true;
  const counts = { lines: 0, equals: 0 };
  for (let at = 0; at < email.length && counts.lines <= LINES && counts.equals <= ESCAPES; at += STEP_BYTES) {
    countIn(email.subarray(at, at + STEP_BYTES), counts);
    yield;
  }
  return counts.lines <= LINES && counts.equals <= ESCAPES;
}

function countIn(bytes: Uint8Array, counts: { lines: number; equals: number }): void {
  let { lines, equals } = counts;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x0a) lines++;
    else if (byte === 0x3d) equals++;
  }
  Object.assign(counts, { lines, equals });
}

/** Returns how many line feeds these bytes have. */
export function lineCount(bytes: Uint8Array): number {
  const counts = { lines: 0, equals: 0 };
  countIn(bytes, counts);
  return counts.lines;
}

interface QuotedPrintableCost {
  blankRuns: number;
  run: number;
  escapes: number;
  padded: number;
}

function* isQuotedPrintableBounded(bytes: Buffer): Steps<boolean> {
  const cost: QuotedPrintableCost = { blankRuns: 0, run: 0, escapes: 0, padded: 0 };
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    addCost(bytes.subarray(at, at + STEP_BYTES), cost);
    const blanks = cost.blankRuns + cost.run * cost.run;
    if (blanks > BLANK_RUN_COST || cost.escapes > ESCAPES || cost.padded > PADDED_LINES) return false;
    yield;
  }
  return true;
}

function addCost(bytes: Buffer, cost: QuotedPrintableCost): void {
  let { blankRuns, run, escapes, padded } = cost;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === SPACE || byte === TAB) {
      run++;
      continue;
    }
    if (run > 1) blankRuns += run * run;
    if (run > 0 && (byte === 0x0a || byte === 0x0d)) padded++;
    run = 0;
    if (byte === 0x3d) escapes++;
  }
  Object.assign(cost, { blankRuns, run, escapes, padded });
}
