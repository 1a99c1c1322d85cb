/** A sample of the lines of a file: which of them get faults when a whole file takes too long. */
import { createHash } from 'node:crypto';

export interface Sample {
  /** Of a hundred lines, about so many are in it. */
  readonly percent: number;
  /** Another seed takes other lines. */
  readonly seed: number;
}

/** A fault is planted only where it fits into neighbouring windows of the sample: one that spans many lines is seldom in it. */
const WINDOW_LINES = 4;

/**
 * The ranges of lines that are in the sample, as `FILE:FIRST-LAST`. It depends on nothing but the path, the number of lines and the
 * sample.
 */
export function sampledRanges(file: string, lines: number, { percent, seed }: Sample): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (let first = 1; first <= lines; first += WINDOW_LINES) {
    if (!isIn(`${seed}:${file}:${(first - 1) / WINDOW_LINES}`, percent)) continue;
    const last = Math.min(first + WINDOW_LINES - 1, lines);
    const before = ranges.at(-1);
    if (before?.last === first - 1) before.last = last;
    else ranges.push({ first, last });
  }
  return ranges.map(({ first, last }) => `${file}:${first}-${last}`);
}

function isIn(window: string, percent: number): boolean {
  const drawn = createHash('sha256').update(window).digest().readUInt32BE(0) / 2 ** 32;
  return drawn < percent / 100;
}
