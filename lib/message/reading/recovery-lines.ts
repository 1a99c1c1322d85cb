/**
 * Lists the lines that may be boundaries, for the search through the bytes: every line that starts with two dashes, after any end of the
 * line before it. No header is asked for the boundary, so no header can mislead the search.
 */
import { afterLineBreak, lineBreakAt, seekDashedLine } from '../../formats/byte-scan.ts';
import type { Steps } from '../../formats/steps.ts';

export interface DashedLine {
  readonly start: number;
  /** The offset after its line break. */
  readonly end: number;
  /** The text behind the dashes in lower case, without blanks, NULs and closing dashes. */
  readonly token: string;
}

export interface DashedLines {
  readonly lines: readonly DashedLine[];
  /** Where the search stopped. It is the length of the bytes unless the limit was reached. */
  readonly end: number;
}

/** Most lines, against a message of nothing but dashed lines. */
const LINES = 20_000;
const LINES_PER_STEP = 2_000;
const TOKEN_LENGTH = 200;

/** Returns the dashed lines, up to the limit. Linear. */
export function* dashedLineSteps(bytes: Buffer): Steps<DashedLines> {
  const lines: DashedLine[] = [];
  const search = { at: 0, isAfterBareCr: true };
  for (;;) {
    const state = seekDashedLine(bytes, search);
    if (state === 'end') return { lines, end: bytes.length };
    if (state === 'pause' || lines.length % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    if (state === 'pause') continue;
    if (lines.length >= LINES) return { lines, end: search.at };
    const line = lineAt(bytes, search.at);
    lines.push(line);
    search.at = Math.max(line.end, search.at + 1);
  }
}

function lineAt(bytes: Buffer, start: number): DashedLine {
  const end = lineBreakAt(bytes, start, bytes.length);
  const text = bytes.toString('latin1', start + 2, Math.min(end, start + TOKEN_LENGTH));
  return { start, end: afterLineBreak(bytes, end), token: tokenOf(text) };
}

function tokenOf(text: string): string {
  const bare = text.replace(/[\0\s]+/g, '').toLowerCase();
  let end = bare.length;
  while (end > 0 && bare[end - 1] === '-') end--;
  return bare.slice(0, end);
}
