/** The cost of a run on AWS, by list prices (us-east-1, arm64, November 2026). For another region, change only these numbers. */
import type { Ledger } from '../ledger/ledger.ts';
import { STAGE_NAMES } from '../model.ts';
import { STAGE_MEMORY_MB } from '../stage-memory.ts';

/** Dollars. */
const TRANSITION = 25 / 1e6;
const LAMBDA_REQUEST = 0.2 / 1e6;
const GIGABYTE_SECOND = 13.3334 / 1e6;

/**
 * The cost of a mail with 1.5 attachments with the engines in the stack, with storage and requests. `npm run bench -- --only
 * engines-inside` measures it.
 */
export const MEAN_MAIL_USD = 526 / 1e6;

/** `Outstanding?` and `Deliverable?`, and the beginning of the execution. */
const TRANSITIONS_BESIDE_STAGES = 3;
/** `Wait` and `Outstanding?` around each poll. */
const TRANSITIONS_AROUND_POLL = 2;

/**
 * Returns dollars for Step Functions and for the functions of the stages, as long as they worked. It leaves out the engines, outside
 * services, storage and requests.
 */
export function runCostUsd({ stages, polls }: Pick<Ledger, 'stages' | 'polls'>): number {
  // A poll without news leaves no entry.
  const known = STAGE_NAMES.map((stage) => ({ stage, entries: stages.filter((one) => one.stage === stage) }));
  const runs = known.map(({ stage, entries }) => (stage === 'poll' ? Math.max(polls, entries.length) : entries.length));
  const requests = runs.reduce((sum, count) => sum + count, 0);
  const states = requests - stages.filter(({ stage }) => stage === 'parse').length;
  const transitions = TRANSITIONS_BESIDE_STAGES + states + polls * TRANSITIONS_AROUND_POLL;
  const gigabyteSeconds = known
    .flatMap(({ stage, entries }) => entries.map(({ durationMs }) => (STAGE_MEMORY_MB[stage] / 1024) * durationMs))
    .reduce((sum, one) => sum + one / 1000, 0);
  return transitions * TRANSITION + requests * LAMBDA_REQUEST + gigabyteSeconds * GIGABYTE_SECOND;
}
