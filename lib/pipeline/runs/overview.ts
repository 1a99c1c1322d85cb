/** Figures from the index about the mail that came in during a span of time: for the desk and the command line. */
import { STAGE_NAMES, type StageName } from '../model.ts';
import type { Runs, TallySpan } from '../ports.ts';
import { PASSING_REASONS, REASON_CODES } from '../reason-codes.ts';
import { type FactKind, RUN_STATES, type RunRow, type RunState, type Spent, spentTogether } from './row.ts';
import { type TimesHeld, timesHeld } from './times-held.ts';

const HOUR_MS = 3_600_000;
/** The possible spans in days, and the hours of a slot of each. There are few enough slots for visible bars. */
export const OVERVIEW_SPANS = { 1: 1, 7: 6, 30: 24 } as const;
export type OverviewDays = keyof typeof OVERVIEW_SPANS;
export const OVERVIEW_DAYS: readonly OverviewDays[] = [1, 7, 30];
/** The number of runs whose stages are measured. Their rows are read one by one, and the percentile of a stage needs no more. */
const MEASURED = 1_000;

/** How many runs are in each state. */
export type StateCounts = Readonly<Record<RunState, number>>;

export interface CodeCount {
  readonly code: string;
  readonly runs: number;
}

export interface Overview {
  readonly days: OverviewDays;
  readonly slotHours: number;
  /** Milliseconds since the epoch. The last slot has not ended. */
  readonly since: number;
  readonly until: number;
  readonly states: StateCounts;
  readonly perHour: number;
  readonly slots: readonly { readonly at: number; readonly states: StateCounts }[];
  /** Reasons for which mail is held now, the most frequent first. Mail that was released or deleted is not counted. */
  readonly held: readonly CodeCount[];
  /** How often mail was held in spans of time that end now, with any later fate. */
  readonly timesHeld: TimesHeld;
  /** The number of runs that are held now because an analysis or a stage failed. */
  readonly failures: readonly CodeCount[];
  /** The stages of the newest ended runs. The waits between the calls of a stage are left out. */
  readonly stages: readonly { readonly stage: StageName; readonly p50Ms: number; readonly p95Ms: number }[];
  readonly measuredRuns: number;
  /** The analyses and the money that the same runs used together. */
  readonly spent: Spent;
  /** The unfinished run that began first, at any time; null when all have ended. */
  readonly oldestRunning: RunRow | null;
}

type Index = Pick<Runs, 'list' | 'tally' | 'oldest' | 'holds'>;

/** Returns the overview of the last days until now (milliseconds since the epoch). */
export async function overviewOf(runs: Index, days: OverviewDays, now: number): Promise<Overview> {
  const slotHours = OVERVIEW_SPANS[days];
  const slotMs = slotHours * HOUR_MS;
  const count = (days * 24) / slotHours;
  const span = { since: (Math.floor(now / slotMs) + 1 - count) * slotMs, until: now + 1, slotMs };
  const slots = await slotsOf(runs, span, count);
  const states = sumOf(slots.map((slot) => slot.states));
  const all = RUN_STATES.reduce((sum, state) => sum + states[state], 0);
  const held = await heldOf(runs, span);
  return {
    days,
    slotHours,
    since: span.since,
    until: now,
    states,
    perHour: all / Math.max(1, (now - span.since) / HOUR_MS),
    slots,
    held,
    timesHeld: await timesHeld(runs, now),
    failures: held.filter(({ code }) => PASSING_REASONS.some((failure) => failure === code)),
    ...(await stagesOf(runs, span)),
    oldestRunning: await runs.oldest({ kind: 'state', value: 'running' }),
  };
}

async function slotsOf(runs: Index, span: TallySpan, count: number): Promise<Overview['slots']> {
  const tallies = await Promise.all(
    RUN_STATES.map(async (state) => ({ state, tally: await tallyOf(runs, 'state', state, span) })),
  );
  return Array.from({ length: count }, (_, number) => {
    const at = span.since + number * span.slotMs;
    const counts = tallies.map(({ state, tally }) => [state, tally.find((slot) => slot.at === at)?.runs ?? 0]);
    return { at, states: Object.fromEntries(counts) as StateCounts };
  });
}

function sumOf(all: readonly StateCounts[]): StateCounts {
  const sums = RUN_STATES.map((state) => [state, all.reduce((sum, counts) => sum + counts[state], 0)]);
  return Object.fromEntries(sums) as StateCounts;
}

async function heldOf(runs: Index, { since, until }: TallySpan): Promise<CodeCount[]> {
  const span = { since, until, slotMs: until - since };
  const counts = await Promise.all(
    REASON_CODES.map(async (code) => ({ code, runs: (await tallyOf(runs, 'reason', code, span))[0]?.runs ?? 0 })),
  );
  return counts.filter((each) => each.runs > 0).sort((one, other) => other.runs - one.runs);
}

const tallyOf = (runs: Index, kind: FactKind, value: string, span: TallySpan) => runs.tally({ kind, value }, span);

async function stagesOf(
  runs: Index,
  { since, until }: TallySpan,
): Promise<Pick<Overview, 'stages' | 'measuredRuns' | 'spent'>> {
  const { rows } = await runs.list({ facts: [], since, until, after: null, most: MEASURED });
  const measured = rows.flatMap(({ endedAt, stages }) => (endedAt === null || stages === undefined ? [] : [stages]));
  const stages = STAGE_NAMES.flatMap((stage) => {
    const times = measured.flatMap((took) => took[stage] ?? []).sort((one, other) => one - other);
    return times.length === 0 ? [] : [{ stage, p50Ms: shareOf(times, 0.5), p95Ms: shareOf(times, 0.95) }];
  });
  const ended = rows.flatMap(({ endedAt, spent }) => (endedAt === null || spent === undefined ? [] : [spent]));
  return { stages, measuredRuns: measured.length, spent: ended.reduce(spentTogether, NOTHING_SPENT) };
}

const NOTHING_SPENT: Spent = { sent: 0, shared: 0, notAsked: 0, usd: 0 };

/** Returns the nearest rank of sorted times. */
const shareOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
