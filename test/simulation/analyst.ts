/** People who decide about held mail at the desk, as the Lambda `review` carries it out: at any time, and often two of them at once. */
import type { SQSRecord } from 'aws-lambda';
import { eachRecord } from '../../lambdas/shared/batches.ts';
import type { ReviewContext } from '../../lib/pipeline/context.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { createBlockList } from '../../lib/pipeline/review/block-list.ts';
import type { DecisionName } from '../../lib/pipeline/review/decision.ts';
import { removalOf, removalRequest, removeDeleted } from '../../lib/pipeline/review/removal.ts';
import { type CarryOutContext, carryOut, type ReviewAnswer, type Reviewer } from '../../lib/pipeline/review/request.ts';
import type { Airlock } from './airlock.ts';
import { contextOf, type World } from './context.ts';
import { CALM_AFTER, isRedriven, isReviewed } from './faults.ts';
import type { Functions, Invocation } from './functions.ts';
import { readAgain } from './operator.ts';
import { createQueue, type Queue } from './queue.ts';
import { pick, roll } from './random.ts';

const MINUTE_MS = 60_000;
/** Moments at which somebody looks at a mail: when it was just held, when deadlines have passed, later, and when there are no faults any more. */
const MOMENTS_MS = [
  { least: 0, more: 4 * MINUTE_MS },
  { least: 30 * MINUTE_MS, more: 45 * MINUTE_MS },
  { least: 75 * MINUTE_MS, more: 105 * MINUTE_MS },
  { least: 185 * MINUTE_MS, more: 60 * MINUTE_MS },
] as const;
/** A mail has somebody who looks at it at each of these moments so often. */
const HAS_MOMENT = 0.6;
/** The desk shows no form for a mail that is not held. He looks again after a while. */
const LOOKS = { most: 8, everyMs: 3 * MINUTE_MS } as const;
/** Two who decide at the same moment do so within this time. Milliseconds. */
const AT_ONCE_MS = 600;
const HAS_SECOND = 0.6;
const CHOICES = ['release', 'release', 'release', 'original', 'original', 'delete', 'rescan', 'rescan'] as const;
/** He sends the form again when the function fails, and once more when everything works. Some give up: redrive starts what they began. */
const TRIES = 4;
const GIVES_UP = 0.6;
const FUNCTION_SECONDS = 120;
/** As in `lib/infra/desk/review.ts`. */
const REMOVED_AGAIN_MS = 15 * MINUTE_MS;
const REMOVALS = { batch: 5, concurrency: 2, maxReceives: 100, visibilitySeconds: 600 } as const;
const PEOPLE = [
  { name: 'Ann', id: 'ann', role: 'admin' },
  { name: 'Ben', id: 'ben', role: 'admin' },
] as const satisfies readonly Reviewer[];

/** A decision, and the answer that its person read. */
export interface Answered {
  readonly runId: string;
  readonly action: DecisionName;
  /** The attempt that he had seen. */
  readonly seen: number;
  readonly by: Reviewer;
  readonly answer: ReviewAnswer;
}

export interface AnalystOptions {
  readonly seed: number;
  readonly world: World;
  readonly functions: Functions;
  readonly airlock: Pick<Airlock, 'intake' | 'look'>;
  readonly labelOf: (runId: string) => string;
  readonly onAnswered: (answered: Answered) => void;
}

/** With the queue of what is removed once more. */
type Options = AnalystOptions & { readonly removals: Queue };
type Deciding = Omit<Answered, 'answer' | 'seen'> & { readonly name: string };

/** Lets the people of a seed come, if it has any. */
export function letAnalystsCome(given: AnalystOptions, mails: readonly { runId: string; atMs: number }[]): void {
  const { seed } = given;
  if (!isReviewed(seed)) return;
  const options: Options = { ...given, removals: removalsOf(given) };
  for (const { runId, atMs } of mails)
    for (const [nth, { least, more }] of MOMENTS_MS.entries()) {
      const name = `decision ${nth} about ${options.labelOf(runId)}`;
      if (roll(seed, name) >= HAS_MOMENT) continue;
      const atMoment = atMs + least + roll(seed, `${name} when`) * more;
      const action = pick(seed, `${name} what`, CHOICES);
      letDecide(options, { runId, action, by: PEOPLE[0], name: `${name} by Ann` }, atMoment);
      if (roll(seed, `${name} has a second`) >= HAS_SECOND) continue;
      const isSame = roll(seed, `${name} second the same`) < 0.5;
      const other = isSame ? action : pick(seed, `${name} second what`, CHOICES);
      const later = roll(seed, `${name} second when`) * AT_ONCE_MS;
      letDecide(options, { runId, action: other, by: PEOPLE[1], name: `${name} by Ben` }, atMoment + later);
    }
}

function letDecide(options: Options, one: Deciding, atMs: number): void {
  const { world } = options;
  const look = (nth: number) => {
    const row = world.index.find(one.runId)?.row;
    if (row?.state === 'quarantined') {
      if (world.faults.isDecided(`${one.name}: ${one.action}`)) ask(options, { ...one, seen: row.attempt }, 1);
    } else if (nth < LOOKS.most) world.scheduler.after(LOOKS.everyMs, () => look(nth + 1));
  };
  world.scheduler.after(atMs, () => look(1));
}

function ask(options: Options, one: Omit<Answered, 'answer'> & { name: string }, nth: number): void {
  const { seed, world, functions, onAnswered } = options;
  const { runId, action, seen, by } = one;
  const work = async (invocation: Invocation) => {
    const ctx = reviewContext(options, invocation);
    const list = createBlockList(ctx);
    const answer = await carryOut(ctx, list, by, { action, runId, seen, why: 'I know the sender' });
    if (answer.state !== 'refused') await list.summarise().catch(() => {});
    return answer;
  };
  functions.invoke(`review ${one.name} try ${nth}`, 'analyst', FUNCTION_SECONDS, work, (end) => {
    if (end.isDone) return onAnswered({ ...one, answer: end.value });
    const afterMs = nth < TRIES ? MINUTE_MS : Math.max(MINUTE_MS, calmFrom(world) + MINUTE_MS);
    const isPatient = !isRedriven(seed) || roll(seed, `${one.name} gives up`) >= GIVES_UP;
    if (nth <= TRIES && isPatient) world.scheduler.after(afterMs, () => ask(options, one, nth + 1));
  });
}

const calmFrom = ({ scheduler }: World) => scheduler.startMs + 1_000 * CALM_AFTER - scheduler.nowMs();

function reviewContext(options: Options, invocation: Invocation): CarryOutContext {
  const { world, airlock } = options;
  const isAway = () => null;
  return {
    ...contextOf(world, invocation),
    parseAgain: readAgain({ ...options, intake: airlock.intake }, invocation),
    removeHeld: removal(world, invocation),
    removeAgain: (runId) =>
      invocation.call('send removal', { isAway }, () => {
        const body = JSON.stringify(removalRequest(runId));
        options.removals.send(`${invocation.name} ${invocation.runLabel}`, body, REMOVED_AGAIN_MS);
      }),
    noted: (runId, attempt) => invocation.call('send look', { isAway }, () => airlock.look({ runId, attempt })),
  };
}

/** The queue from which `review` removes once more what was deleted. */
function removalsOf(given: AnalystOptions): Queue {
  const { seed, world, functions } = given;
  const removals: Queue = createQueue({
    ...{ ...REMOVALS, name: 'removals', seed, scheduler: world.scheduler, faults: world.faults },
    deadLetter: () => {},
    handle: (name, records, ended) => {
      const work = (invocation: Invocation) =>
        eachRecord(
          'review',
          records as readonly SQSRecord[],
          (body) => removeDeleted(reviewContext({ ...given, removals }, invocation), removalOf(body)),
          invocation.sleep,
        );
      functions.invoke(name, 'analyst', FUNCTION_SECONDS, work, ended);
    },
  });
  return removals;
}

/** As S3 does it: each object of the run, and then the version that came in. */
function removal({ objects }: World, invocation: Invocation): ReviewContext['removeHeld'] {
  const isAway = () => null;
  return async (runId, intake) => {
    const list = () => objects.keys('quarantine').filter((key) => key.startsWith(keys.held(runId)));
    for (const key of await invocation.call('list what is held', { isAway }, list))
      await invocation.call('remove what is held', { isAway }, () => objects.remove('quarantine', key));
    if (intake === null || intake.versionId === '') return;
    const { untrustedKey, versionId } = intake;
    await invocation.call('remove what came in', { isAway }, () => objects.remove('intake', untrustedKey, versionId));
  };
}
