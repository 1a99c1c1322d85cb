/**
 * A look at the raw bytes before mailparser reads them: some small mails cost it minutes or gigabytes. It counts what any
 * reading of these bytes could take for headers or quoted-printable, so it needs no structure and trusts none.
 */
import { inkOf, lineEndAfter, SPACE, TAB, withoutLineBreak } from './byte-scan.ts';
import type { ReadingLimits } from './model.ts';

/** Text after a line that only looks like a boundary counts as header here, so these are wider than the reader's limits. */
const HEADER_LINES_FACTOR = 20;
const HEADER_BYTES_FACTOR = 4;
/** A header of a million commas is a million addresses to mailparser, at a kilobyte each. */
const HEADER_SEPARATORS = 100_000;
const SEPARATORS = new Set([...',;:<>()"'].map((char) => char.charCodeAt(0)));
/**
 * mailparser strips white space at line ends with a regular expression that is quadratic in runs of white space: 200 KB of
 * spaces in a quoted-printable part take minutes. The sum of the squares of all runs.
 */
const BLANK_RUN_COST = 1_000_000_000;
const SHORT_BLANK_RUN = 64;
/** mailparser lists every `=` escape as a string of its own: 13 million of them take 0.9 GB. */
const ESCAPES = 3_000_000;
const NOT_QUOTED_PRINTABLE = /^content-transfer-encoding[ \t]*:[ \t]*(?:7bit|8bit|binary|base64)[ \t]*\r?\n$/i;
const TRANSFER_ENCODING = 'content-transfer-encoding';

/** What one email may still spend on headers, over all its parts and the messages inside it. */
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

/** Why mailparser must not read these bytes, in plain words; null when it may. Linear; spends of the budget. */
export function refusalOf(email: Buffer, budget: HeadBudget): string | null {
  if (!areHeadersBounded(email, budget)) return 'too much that could be header for the stream reading';
  const start = quotedPrintableStart(email);
  if (start >= 0 && !isQuotedPrintableBounded(email.subarray(start)))
    return 'quoted-printable too costly for the stream reading';
  return null;
}

/** Counts a nested message, whose header no `--` announces, as its bytes come in. False when the budget is used up. */
export type HeadCounter = (chunk: Uint8Array) => boolean;

/** A counter for one message; it stops counting at the first blank line. */
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

/** Counts from the start, and from every line that begins with `--`, up to the next blank line. */
function areHeadersBounded(email: Buffer, budget: HeadBudget): boolean {
  for (let at = 0; at < email.length; ) {
    const end = headEnd(email, at, at + budget.bytes);
    if (!createHeadCounter(budget)(email.subarray(at, end))) return false;
    at = nextDashes(email, end);
  }
  return true;
}

/** After the first blank line at or behind `start`, or after the line that reaches `limit`. */
function headEnd(email: Buffer, start: number, limit: number): number {
  let at = start;
  while (at < email.length && at <= limit) {
    const end = lineEndAfter(email, at);
    if (withoutLineBreak(email, at, end) === at) return end;
    at = end;
  }
  return at;
}

function nextDashes(email: Buffer, from: number): number {
  if (email[from] === 0x2d && email[from + 1] === 0x2d) return from;
  const at = email.indexOf('\n--', from);
  return at < 0 ? email.length : at + 1;
}

/** Where the first header stands that could announce quoted-printable, or -1. */
function quotedPrintableStart(email: Buffer): number {
  for (let at = 0; at < email.length; ) {
    const hit = indexOfTransferEncoding(email, at);
    if (hit < 0) return -1;
    const end = lineEndAfter(email, hit);
    const isLong = end - hit > 200;
    if (isLong || !NOT_QUOTED_PRINTABLE.test(email.toString('latin1', hit, end)) || isContinued(email, end)) return hit;
    at = end;
  }
  return -1;
}

function isContinued(email: Buffer, at: number): boolean {
  return (email[at] === SPACE || email[at] === TAB) && inkOf(email, at, lineEndAfter(email, at)).start < email.length;
}

/** The next `Content-Transfer-Encoding` in any case: found by its first hyphen, then compared byte by byte. */
function indexOfTransferEncoding(email: Buffer, from: number): number {
  for (let dash = email.indexOf('-', from); dash >= 0; dash = email.indexOf('-', dash + 1)) {
    const start = dash - 'content'.length;
    if (start >= from && isTransferEncodingAt(email, start)) return start;
  }
  return -1;
}

function isTransferEncodingAt(email: Buffer, start: number): boolean {
  for (let index = 0; index < TRANSFER_ENCODING.length; index++)
    if (((email[start + index] ?? 0) | 0x20) !== (TRANSFER_ENCODING.charCodeAt(index) | 0x20)) return false;
  return true;
}

function isQuotedPrintableBounded(bytes: Buffer): boolean {
  let cost = 0;
  let run = 0;
  let escapes = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === SPACE || byte === TAB) {
      run++;
      continue;
    }
    if (run > SHORT_BLANK_RUN) cost += run * run;
    run = 0;
    if (byte === 0x3d) escapes++;
  }
  return cost <= BLANK_RUN_COST && escapes <= ESCAPES;
}
