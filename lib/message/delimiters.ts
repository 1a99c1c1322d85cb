/** Boundary delimiter lines, RFC 2046 §5.1.1. Every open multipart's boundary counts, at any depth. */
import { lineEndAfter, withoutLineBreak, withoutPadding } from './byte-scan.ts';

/** A multipart whose delimiters are looked for. */
export interface OpenBoundary {
  readonly boundary: Buffer;
}

export interface Delimiter<T> {
  readonly owner: T;
  readonly kind: 'next' | 'close';
  readonly lineStart: number;
  /** Where its text ends and its padding, if any, starts: white space that RFC 2046 allows in transport. */
  readonly textEnd: number;
  /** After its line break. */
  readonly lineEnd: number;
}

export interface DelimiterSearch<T> {
  readonly found: Delimiter<T> | null;
  /** The owner of a boundary that a line before the found one resembled: with text after it, or behind a bare CR. */
  readonly resembled: T | null;
}

const DASHES = Buffer.from('--');
const LINE_DASHES = Buffer.from('\n--');
const BARE_CR_DASHES = Buffer.from('\r--');

/** The next delimiter of any of `open` (outermost first) at or after `from`, which must be the start of a line. */
export function findDelimiter<T extends OpenBoundary>(
  email: Buffer,
  from: number,
  open: readonly T[],
): DelimiterSearch<T> {
  let resembled: T | null = null;
  if (open.length === 0) return { found: null, resembled };
  for (let at = firstCandidate(email, from); at >= 0; at = nextCandidate(email, at)) {
    const match = matchDelimiter(email, at, open);
    if (match.found !== null) return { found: match.found, resembled: resembled ?? bareCrOwner(email, from, at, open) };
    resembled ??= match.resembled;
  }
  return { found: null, resembled: resembled ?? bareCrOwner(email, from, email.length, open) };
}

function firstCandidate(email: Buffer, from: number): number {
  if (email[from] === 0x2d && email[from + 1] === 0x2d) return from;
  return nextCandidate(email, from);
}

function nextCandidate(email: Buffer, after: number): number {
  const at = email.indexOf(LINE_DASHES, after);
  return at < 0 ? -1 : at + 1;
}

/** What the line at `lineStart` is to the open multiparts, innermost first. */
export function matchDelimiter<T extends OpenBoundary>(
  email: Buffer,
  lineStart: number,
  open: readonly T[],
): DelimiterSearch<T> {
  let resembled: T | null = null;
  if (email[lineStart] !== 0x2d || email[lineStart + 1] !== 0x2d) return { found: null, resembled };
  for (let index = open.length - 1; index >= 0; index--) {
    const owner = open[index] as T;
    const after = lineStart + 2 + owner.boundary.length;
    if (!startsWith(email, lineStart + 2, owner.boundary)) continue;
    const lineEnd = lineEndAfter(email, after);
    const textEnd = withoutPadding(email, after, withoutLineBreak(email, after, lineEnd));
    if (textEnd === after) return { found: { owner, kind: 'next', lineStart, textEnd, lineEnd }, resembled };
    if (textEnd === after + 2 && startsWith(email, after, DASHES))
      return { found: { owner, kind: 'close', lineStart, textEnd, lineEnd }, resembled };
    resembled ??= owner;
  }
  return { found: null, resembled };
}

function startsWith(email: Buffer, at: number, bytes: Buffer): boolean {
  if (at + bytes.length > email.length || email[at] !== bytes[0]) return false;
  return email.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;
}

/** Programs that take a bare CR for a line end see a delimiter there. */
function bareCrOwner<T extends OpenBoundary>(email: Buffer, from: number, to: number, open: readonly T[]): T | null {
  // A view that ends at `to`: searching on to the end of the email for every part would be quadratic.
  const region = email.subarray(from, to);
  for (let at = region.indexOf(BARE_CR_DASHES); at >= 0; at = region.indexOf(BARE_CR_DASHES, at + 1)) {
    const owner = open.find(({ boundary }) => startsWith(region, at + 3, boundary));
    if (owner !== undefined) return owner;
  }
  return null;
}
