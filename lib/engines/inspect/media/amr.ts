/** A second look at AMR: every byte belongs to a frame. */
import type { Findings } from '../fact.ts';

/** Bytes of the frames of all types with their first byte; 0 for a type that does not exist. */
const BYTES = {
  '#!AMR\n': [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1],
  '#!AMR-WB\n': [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1],
} as const;

/** Searches a recording from its first byte to its last. */
export function inspectAmr(view: Buffer, findings: Findings): void {
  const { count, end } = framesIn(view);
  if (count === 0) findings.add('media-empty', 'file');
  if (end !== view.length) findings.add('media-left-over', `byte ${end}`);
}

/** Returns the number of frames, and the end of the last one. */
export function framesIn(view: Buffer): { readonly count: number; readonly end: number } {
  const start = (['#!AMR-WB\n', '#!AMR\n'] as const).find((each) => view.toString('latin1', 0, each.length) === each);
  let [count, end] = [0, start?.length ?? 0];
  while (start !== undefined && end < view.length) {
    const first = view[end] as number;
    const length = (first & 0b1000_0011) === 0 ? (BYTES[start][first >> 3] as number) : 0;
    if (length === 0 || end + length > view.length) break;
    count += 1;
    end += length;
  }
  return { count, end };
}
