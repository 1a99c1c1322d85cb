/** Tries another policy on the runs since a given time: which would end differently, and how many of each kind. */

import type { Chain } from '../chain/chain.ts';
import { newestAttempt, newestChain } from '../chain/newest-chain.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord } from '../errors.ts';
import { FIRST_ATTEMPT } from '../ledger/attempt.ts';
import type { Policy } from '../policy/policy.ts';
import type { Runs } from '../ports.ts';
import { RUN_STATES, type RunRow } from '../runs/row.ts';
import { TURNS, type WhatIf, whatIf } from './policy-what-if.ts';

/**
 * One run, and its end under the policy. `undecided`: it has not ended, or no policy decided about it. `unreadable`: its chain is damaged
 * or missing.
 */
export type TriedRun =
  | { readonly row: RunRow; readonly outcome: 'tried'; readonly result: WhatIf }
  | { readonly row: RunRow; readonly outcome: 'undecided' | 'unreadable' };

/** How a run can come out of a trial. */
export const TRIAL_OUTCOMES = [...TURNS, 'undecided', 'unreadable'] as const;

/** How many runs have each end. */
export type TrialCounts = Readonly<Record<(typeof TRIAL_OUTCOMES)[number], number>>;

const PAGE = 200;

/** The number of chains that are read at the same time. In a bucket, each takes a dozen requests, one after the other. */
const AT_ONCE = 8;

/** The selection of runs: those that came in since this time (milliseconds since the epoch), the newest first, at most `most`. */
export interface TrialRange {
  readonly since: number;
  readonly most: number;
  /** Only runs behind this place (`placeText`). @default from the newest */
  readonly after?: string | null;
}

/** Tries the policy on each run. */
export async function* tryPolicy(
  ctx: StoreContext,
  runs: Pick<Runs, 'list'>,
  policy: Policy,
  range: TrialRange,
): AsyncGenerator<TriedRun> {
  let group: RunRow[] = [];
  for await (const row of rowsIn(runs, range)) {
    group.push(row);
    if (group.length < AT_ONCE) continue;
    yield* await Promise.all(group.map((each) => tried(ctx, policy, each)));
    group = [];
  }
  yield* await Promise.all(group.map((each) => tried(ctx, policy, each)));
}

/** Returns how many runs came in since then. At most `most` of each state are counted. */
export async function runsSince(runs: Pick<Runs, 'count'>, since: number, most: number): Promise<number> {
  const counts = await Promise.all(RUN_STATES.map((state) => runs.count({ kind: 'state', value: state }, most, since)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the rows of the runs. */
export async function* rowsIn(runs: Pick<Runs, 'list'>, range: TrialRange): AsyncGenerator<RunRow> {
  const { since, most } = range;
  let [after, left]: [string | null, number] = [range.after ?? null, most];
  do {
    const page = await runs.list({ facts: [], since, until: null, after, most: Math.min(PAGE, left) });
    yield* page.rows;
    left -= page.rows.length;
    after = page.next;
  } while (after !== null && left > 0);
}

async function tried(ctx: StoreContext, policy: Policy, row: RunRow): Promise<TriedRun> {
  try {
    const chain = await decidedChain(ctx, row.runId);
    const result = chain && whatIf(policy, chain);
    return result === null ? { row, outcome: 'undecided' } : { row, outcome: 'tried', result };
  } catch (error) {
    if (!isLostRecord(error)) throw error;
    return { row, outcome: 'unreadable' };
  }
}

/** Returns the newest attempt that policy decided, and no person. Releases and deletions by people say nothing about a policy. */
export async function decidedChain(ctx: StoreContext, runId: string): Promise<Chain | null> {
  for (let number = await newestAttempt(ctx, runId); number >= FIRST_ATTEMPT; number -= 1) {
    const chain = await newestChain(ctx, runId, number);
    const isDecided = chain.entries.some(({ stage }) => stage === 'decide');
    if (isDecided && chain.ledger.attempt.release === undefined) return chain;
  }
  return null;
}

export const NO_RUNS: TrialCounts = Object.fromEntries(TRIAL_OUTCOMES.map((name) => [name, 0])) as TrialCounts;

/** Returns the counts with one more run. */
export function counted(counts: TrialCounts, run: TriedRun): TrialCounts {
  const name = run.outcome === 'tried' ? run.result.turn : run.outcome;
  return { ...counts, [name]: counts[name] + 1 };
}
