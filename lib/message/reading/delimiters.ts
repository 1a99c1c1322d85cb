/** Finds boundary delimiter lines (RFC 2046 §5.1.1). The boundaries of all open multiparts count, at any depth. */
import {
  afterDashes,
  CR,
  LF,
  lineEndAfter,
  nextDashes,
  standsAt,
  withoutLineBreak,
  withoutPadding,
} from '../../formats/byte-scan.ts';
import type { Steps } from '../../formats/steps.ts';

/** A multipart whose delimiters are looked for. */
export interface OpenBoundary {
  readonly boundary: Buffer;
}

export interface Delimiter<T> {
  readonly owner: T;
  readonly kind: 'next' | 'close';
  readonly lineStart: number;
  /** The offset after its text. White space may follow, which RFC 2046 allows as transport padding. */
  readonly textEnd: number;
  /** The offset after its line break. */
  readonly lineEnd: number;
}

export interface DelimiterSearch<T> {
  readonly found: Delimiter<T> | null;
  /** The owner of a boundary with which an earlier line begins, although other text follows it. */
  readonly resembled: T | null;
  /** The owner of a boundary that comes after a bare CR in front of the found one. */
  readonly behindBareCr: T | null;
}

interface LineMatch<T> {
  readonly found: Delimiter<T> | null;
  readonly resembled: T | null;
}

/** Lines with dashes per piece of work. */
const LINES_PER_STEP = 20_000;
const NO_MATCH: LineMatch<never> = { found: null, resembled: null };
const DASHES = Buffer.from('--');

/** Returns the next delimiter of any of `open` (outermost first) at or after `from`, which must be the start of a line. */
export function* delimiterSteps<T extends OpenBoundary>(
  email: Buffer,
  from: number,
  open: readonly T[],
): Steps<DelimiterSearch<T>> {
  let resembled: T | null = null;
  let behindBareCr: T | null = null;
  if (open.length === 0) return { found: null, resembled, behindBareCr };
  let seen = 0;
  for (let at = nextDashes(email, from); at >= 0; at = nextDashes(email, afterDashes(email, at))) {
    if (++seen % LINES_PER_STEP === 0) yield;
    if (at === from || email[at - 1] === LF) {
      const match = matchDelimiter(email, at, open);
      if (match.found !== null) return { found: match.found, resembled, behindBareCr };
      resembled ??= match.resembled;
    } else if (behindBareCr === null && email[at - 1] === CR) behindBareCr = ownerAt(email, at, open);
  }
  return { found: null, resembled, behindBareCr };
}

/** Compares the line at `lineStart` with the boundaries of the open multiparts, innermost first. */
export function matchDelimiter<T extends OpenBoundary>(
  email: Buffer,
  lineStart: number,
  open: readonly T[],
): LineMatch<T> {
  let resembled: T | null = null;
  if (email[lineStart] !== 0x2d || email[lineStart + 1] !== 0x2d) return NO_MATCH;
  for (let index = open.length - 1; index >= 0; index--) {
    const owner = open[index] as T;
    const after = lineStart + 2 + owner.boundary.length;
    if (!standsAt(email, lineStart + 2, owner.boundary)) continue;
    const lineEnd = lineEndAfter(email, after);
    const textEnd = withoutPadding(email, after, withoutLineBreak(email, after, lineEnd));
    if (textEnd === after) return { found: { owner, kind: 'next', lineStart, textEnd, lineEnd }, resembled };
    if (textEnd === after + 2 && standsAt(email, after, DASHES))
      return { found: { owner, kind: 'close', lineStart, textEnd, lineEnd }, resembled };
    resembled ??= owner;
  }
  return resembled === null ? NO_MATCH : { found: null, resembled };
}

/** Returns the owner of the delimiter at `at`. Only programs that treat a bare CR as a line end see this delimiter. */
function ownerAt<T extends OpenBoundary>(email: Buffer, at: number, open: readonly T[]): T | null {
  return open.find(({ boundary }) => standsAt(email, at + 2, boundary)) ?? null;
}
