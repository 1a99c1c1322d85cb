/** Counts how often mail was held in the last hour, day, week and 30 days, together and for each reason. */
import type { Runs } from '../ports.ts';
import type { HoldCount } from './hold.ts';

const HOUR_MS = 3_600_000;

/** The spans, and the hours of each. They end now. */
export const HELD_SPANS = { hour: 1, day: 24, week: 168, days30: 720 } as const;
export type HeldSpan = keyof typeof HELD_SPANS;
const SPANS = Object.keys(HELD_SPANS) as readonly HeldSpan[];

/** The number in each span. */
export type SpanCounts = Readonly<Record<HeldSpan, number>>;

export interface TimesHeld {
  /** A mail that is held for several reasons at once counts once. */
  readonly all: SpanCounts;
  /** The most frequent reason first. */
  readonly byReason: readonly (SpanCounts & { readonly code: string })[];
}

/** Counts holds, also of mail that was released or deleted since. `now` is in milliseconds since the epoch. */
export async function timesHeld(runs: Pick<Runs, 'holds'>, now: number): Promise<TimesHeld> {
  const found = await runs.holds(SPANS.map((span) => now - HELD_SPANS[span] * HOUR_MS));
  const codes = [...new Set(found.flatMap(({ reasons }) => reasons))];
  const rows = codes.map((code) => ({ code, ...together(found.filter(({ reasons }) => reasons.includes(code))) }));
  const byReason = rows.sort((one, other) => other.days30 - one.days30 || (one.code < other.code ? -1 : 1));
  return { all: together(found), byReason };
}

function together(counts: readonly HoldCount[]): SpanCounts {
  const sums = SPANS.map((span, at) => [span, counts.reduce((sum, { holds }) => sum + (holds[at] ?? 0), 0)]);
  return Object.fromEntries(sums) as SpanCounts;
}
