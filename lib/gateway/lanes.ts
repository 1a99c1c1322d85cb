/** The steps of a message, and which comes next. Pure. */
import type { FairQueue } from '../formats/threads/fair-queue.ts';
import type { Progress } from './progress.ts';

/** How many messages are in each step, and which wait for their turn. */
export interface Lane {
  readonly most: number;
  /** Their ids, by the address of the peer: those of one peer must not delay those of another. */
  readonly waiting: FairQueue<string>;
  running: number;
}

export type LaneName = 'judging' | 'closing' | 'sending' | 'telling';

/** The next work for a message; null when it has come to its end. Its first message is closed before anything else follows. */
export function laneOf({ state, mustTell, first }: Progress): LaneName | null {
  if (first?.isOpen && state !== 'judging') return 'closing';
  if (state === 'judging' || state === 'sending') return state;
  return mustTell ? 'telling' : null;
}

/** True for the first judgement of a message that may go on: a run that has ended is not begun again, so the judge finds its end again. */
export function isFoundAgain(before: Progress, after: Progress): boolean {
  return before.state === 'judging' && isFirstJudgement(before) && after.state === 'sending';
}

/** The indexes of the recipients under each rule, in the order in which the rules first occur. */
export function sharesOf(rules: readonly string[]): number[][] {
  return [...new Set(rules)].map((rule) => rules.flatMap((other, index) => (other === rule ? [index] : [])));
}

/** True until a judgement was noted. */
export function isFirstJudgement({ judgements, runId }: Progress): boolean {
  return judgements === 0 && runId === null;
}
