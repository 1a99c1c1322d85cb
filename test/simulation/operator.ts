/** A person who begins mail again that a passing fault held, as the Lambda `redrive` does it: while faults go on, and when everything works. */

import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { runIdOf } from '../../lib/pipeline/keys.ts';
import type { HeldRuns } from '../../lib/pipeline/ports.ts';
import { readAgainText } from '../../lib/pipeline/review/read-again.ts';
import { redriveHeld } from '../../lib/pipeline/review/redrive-held.ts';
import { contextOf, type World } from './context.ts';
import { isRedriven } from './faults.ts';
import type { Functions, Invocation } from './functions.ts';
import type { Queue } from './queue.ts';
import { roll } from './random.ts';

const MINUTE_MS = 60_000;
/**
 * When he begins mail again: first when the first deadlines have passed, then when there are no faults any more and every attempt has ended. An
 * attempt that was begun among the faults and could not be started is started only then, after its deadline, and is held. So he comes once more.
 */
const ROUNDS_MS = [
  { least: 35 * MINUTE_MS, more: 40 * MINUTE_MS },
  { least: 80 * MINUTE_MS, more: 70 * MINUTE_MS },
  { least: 300 * MINUTE_MS, more: 0 },
  { least: 360 * MINUTE_MS, more: 0 },
] as const;
/** He tries again when the function fails. */
const TRIES = 4;
const FUNCTION_SECONDS = 300;
const ALL = { reason: null, since: null, until: null, after: null, dryRun: false } as const;

export interface OperatorOptions {
  readonly seed: number;
  readonly world: World;
  readonly functions: Functions;
  readonly intake: Queue;
  readonly labelOf: (runId: string) => string;
  /** Called when everything that may be begun again was, or could not be, and no fault can follow. */
  readonly onLastRound: () => void;
}

/** Lets the operator of a seed come, if it has one. */
export function letOperatorCome(options: OperatorOptions): void {
  const { seed, world } = options;
  if (!isRedriven(seed)) return;
  for (const [round, { least, more }] of ROUNDS_MS.entries()) {
    const isLast = round === ROUNDS_MS.length - 1;
    const atMs = least + roll(seed, `redrive ${round}`) * more;
    world.scheduler.after(atMs, () => begin(options, `redrive ${round}`, isLast, 1));
  }
}

function begin(options: OperatorOptions, round: string, isLast: boolean, nth: number): void {
  const { world, functions, onLastRound } = options;
  const work = (invocation: Invocation) => {
    const ctx = contextOf(world, invocation);
    const parseAgain = readAgain(options, invocation);
    return redriveHeld({ ...ctx, parseAgain }, heldRuns(world, invocation), ALL);
  };
  functions.invoke(`${round} try ${nth}`, 'operator', FUNCTION_SECONDS, work, ({ isDone }) => {
    if (isLast && (isDone || nth === TRIES)) onLastRound();
    if (!isDone && nth < TRIES) world.scheduler.after(MINUTE_MS, () => begin(options, round, isLast, nth + 1));
  });
}

const RECORD = /^([0-9a-f]{32})\/record\.json$/;

function heldRuns({ objects }: World, invocation: Invocation): HeldRuns {
  const list = () => {
    const runIds = objects.keys('quarantine').flatMap((key) => RECORD.exec(key)?.[1] ?? []);
    return { runs: runIds.map((runId) => ({ runId, heldAt: 0 })), next: null };
  };
  return { list: () => invocation.call('list quarantine', { isAway: () => null }, list) };
}

/** Has `parse` read an intake object again, by a message in its queue. */
export function readAgain({ intake, labelOf }: Pick<OperatorOptions, 'intake' | 'labelOf'>, invocation: Invocation) {
  let sent = 0;
  return (...[object, attempt]: Parameters<Parameters<typeof redriveHeld>[0]['parseAgain']>) => {
    const runId = runIdOf(object);
    const name = `${labelOf(runId)} read again ${attempt.number} by ${invocation.name}`;
    return invocation.call(`send ${name}`, { isAway: () => null }, () => {
      sent += 1;
      intake.send(`${name} ${sent}`, readAgainText({ intake: object, attempt }), 0);
      return newRun(runId, attempt.number);
    });
  };
}
