/** The steps of a message, and the next one. Pure. */
import type { FairQueue } from '../formats/threads/fair-queue.ts';
import type { Progress } from './progress.ts';

/** How many messages are in each step, and which wait for their turn. */
export interface Lane {
  readonly most: number;
  /** Their ids, by the address of the peer: messages of one peer must not delay those of another. */
  readonly waiting: FairQueue<string>;
  running: number;
}

export type LaneName = 'judging' | 'closing' | 'sending' | 'telling';

/** Returns the next work for a message, or null when it has ended. Its first message is closed before anything else follows. */
export function laneOf({ state, mustTell, first }: Progress): LaneName | null {
  if (first?.isOpen && state !== 'judging') return 'closing';
  if (state === 'judging' || state === 'sending') return state;
  return mustTell ? 'telling' : null;
}

/** Returns true for a first judgement that may be continued: an ended run does not begin again, so the judge finds its end again. */
export function isFoundAgain(before: Progress, after: Progress): boolean {
  return before.state === 'judging' && isFirstJudgement(before) && after.state === 'sending';
}

/** Returns the indexes of the recipients under each rule, in the order in which the rules first occur. */
export function sharesOf(rules: readonly string[]): number[][] {
  return [...new Set(rules)].map((rule) => rules.flatMap((other, index) => (other === rule ? [index] : [])));
}

/** Returns true until a judgement was noted. */
export function isFirstJudgement({ judgements, runId }: Progress): boolean {
  return judgements === 0 && runId === null;
}
