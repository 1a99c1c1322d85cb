/** Summaries of repeated measurements, and time spans. */

/** The smallest value that at least `share` (0 to 1) of all values do not exceed. Throws RangeError when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (found === undefined) throw new RangeError('no measurements');
  return found;
}

/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (upper === undefined) throw new RangeError('no measurements');
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return (lower + upper) / 2;
}

/** Milliseconds that the work took. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A span of time, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The same time as spans that neither touch nor overlap, in order. */
export function union(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else merged.push(span);
  }
  return merged;
}

/** Milliseconds that the spans cover together. */
export function covered(spans: readonly Span[]): number {
  return union(spans).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Milliseconds of `spans` that none of `others` covers. */
export function uncovered(spans: readonly Span[], others: readonly Span[]): number {
  return covered([...spans, ...others]) - covered(others);
}
