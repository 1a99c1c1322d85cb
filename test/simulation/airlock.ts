/**
 * The airlock as it stands on AWS, around the real stages: the queue that parse reads, the state machine, the rule for executions that end
 * badly, and the queue from which quarantine takes what nobody else could handle. The figures are those of `lib/infra/doors/intake.ts`.
 */
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { eachRecord } from '../../lambdas/shared/batches.ts';
import { endOf } from '../../lambdas/shared/ends.ts';
import { begunOf, parseInputOf, quarantineInputOf } from '../../lambdas/shared/events.ts';
import { logged } from '../../lambdas/shared/runtime.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { runIdOf } from '../../lib/pipeline/keys.ts';
import type { Run, StageName, WayOut } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { hasTriedPasswords } from '../../lib/pipeline/passwords/password-again.ts';
import { passwordTryOf } from '../../lib/pipeline/passwords/password-try.ts';
import { holdHalfTried } from '../../lib/pipeline/passwords/password-try-failed.ts';
import { quarantine, quarantineIntake } from '../../lib/pipeline/quarantine.ts';
import type { RunEvent } from '../../lib/pipeline/results/run-event.ts';
import { type IndexLook, indexLookOf, indexLookText } from '../../lib/pipeline/runs/index-look.ts';
import { indexRun, lookAtRun } from '../../lib/pipeline/runs/index-run.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { contextOf, indexContextOf, type World } from './context.ts';
import { type Attempted, createExecutions, type ExecutionEnd, type Executions } from './executions.ts';
import type { End, Functions, Invocation } from './functions.ts';
import { tellPasswords } from './passwords.ts';
import { createQueue, type Queue, type QueueOptions, type Received } from './queue.ts';
import { roll } from './random.ts';

export interface AirlockOptions {
  readonly seed: number;
  readonly world: World;
  readonly functions: Functions;
  readonly labelOf: (runId: string) => string;
  readonly onExecutionEnd: (end: ExecutionEnd) => void;
  readonly onDoubled: (runId: string) => void;
}

export interface Airlock {
  readonly intake: Queue;
  readonly executions: Executions;
  /** Takes what a stage tells others, as the event bus does. */
  hear(event: Heard): void;
  /** Has the index look at a run of which no event tells. */
  look(of: IndexLook): void;
}

export interface Heard {
  readonly type: string;
  readonly runId: string;
  readonly detail: RunEvent;
}

const VISIBILITY_SECONDS = 600;
const FUNCTION_SECONDS = 300;
const PARSES = { batch: 1, concurrency: 20, maxReceives: 3 } as const;
const QUARANTINES = { batch: 5, concurrency: 2, maxReceives: 500 } as const;
const INDEXES = { batch: 5, concurrency: 10, maxReceives: 10, visibilitySeconds: 240 } as const;
const INDEX_SECONDS = 120;
/** What has ended by then is written into the index once. Milliseconds. */
const USUAL_RUN_MS = 60_000;
const DEAD_LETTERED = { code: 'dead_lettered', text: 'the object could not be read, even after several tries' };
/** `password-mail` hears of an end when the index has it. */
const INDEXED_BY_MS = 60_000;
/** An event may be as late as this, and come again as late. Milliseconds. */
const RULE_MS = 2_000;

/** Wires everything. */
export function createAirlock({ seed, world, functions, labelOf, ...told }: AirlockOptions): Airlock {
  const { scheduler, faults } = world;
  const toldPasswords = world.setting.name === 'passwords';
  const queue = (
    name: string,
    rest: Pick<QueueOptions, 'batch' | 'concurrency' | 'maxReceives' | 'deadLetter' | 'handle'> &
      Partial<Pick<QueueOptions, 'visibilitySeconds'>>,
  ) => {
    const made = createQueue({ name, seed, scheduler, faults, visibilitySeconds: VISIBILITY_SECONDS, ...rest });
    const send: Queue['send'] = (...message) => {
      world.onSaid(`a message to ${name}`, message[1]);
      made.send(...message);
    };
    return { send };
  };
  /** The function that reads a queue. */
  const reader =
    (
      stage: StageName | WayOut,
      work: (ctx: Context, body: unknown, receipts: number, invocation: Invocation) => Promise<unknown>,
      label: (body: string) => string,
      seconds = FUNCTION_SECONDS,
    ) =>
    (name: string, records: readonly Received[], ended: (end: End<SQSBatchResponse>) => void) => {
      const handler = (invocation: Invocation) => {
        const ctx = contextOf(world, invocation);
        return eachRecord(
          stage,
          records as readonly SQSRecord[],
          (...of) => work(ctx, ...of, invocation),
          invocation.sleep,
        );
      };
      functions.invoke(name, label(records[0]?.body ?? ''), seconds, handler, ended);
    };

  const casualties = queue('casualties', {
    ...QUARANTINES,
    // What even quarantine cannot file waits for a person: no invariant may need one.
    deadLetter: () => {},
    handle: reader('quarantine', hold, () => 'casualties'),
  });
  const intake = queue('intake', {
    ...PARSES,
    deadLetter: (name, body) => casualties.send(name, body, 0),
    handle: reader(
      'parse',
      async (ctx, body) => {
        if (await hasTriedPasswords(ctx, body)) return null;
        const { intake, again } = parseInputOf(body);
        return parse(ctx, intake, again);
      },
      (body) => labelOf(runIdIn(JSON.parse(body))),
    ),
  });
  const index = queue('index', {
    ...INDEXES,
    deadLetter: (_, body) => world.index.giveUp(runOf(JSON.parse(body))),
    handle: reader(
      'index-run',
      (ctx, body, receipts, invocation) => {
        const runs = indexContextOf(world, ctx, invocation);
        const look = begunOf(body) ?? indexLookOf(body);
        return look === null ? indexRun(runs, endOf(body), receipts) : lookAtRun(runs, look);
      },
      () => 'index',
      INDEX_SECONDS,
    ),
  });
  const passwords = queue('passwords', {
    ...INDEXES,
    // Nobody is told then, and the mail stays held.
    deadLetter: () => {},
    handle: reader(
      'password-mail',
      (ctx, body, receipts, invocation) =>
        tellPasswords({ world, intake, labelOf }, { ctx, body, receipts, invocation }),
      () => 'passwords',
      INDEX_SECONDS,
    ),
  });
  const tellIndex = (name: string, body: string, delayMs: number) => {
    index.send(name, body, delayMs + roll(seed, name) * RULE_MS);
    if (faults.of(name, ['event twice']) !== null)
      index.send(`${name} again`, body, delayMs + roll(seed, `${name} again`) * 60_000);
  };
  let heard = 0;
  const executions = createExecutions({
    seed,
    scheduler,
    faults,
    labelOf,
    invoke: (state, name, label, input, timeoutSeconds, ended) => {
      const stage = state.toLowerCase() as keyof typeof STAGES;
      const work = (invocation: Invocation) => runStage(contextOf(world, invocation), stage, input);
      functions.invoke(name, label, timeoutSeconds, work, ended);
    },
    onDoubled: told.onDoubled,
    onBegin: (of) => tellIndex(`begin of ${labelOf(of.runId)}`, JSON.stringify(statusOf(of, 'RUNNING')), USUAL_RUN_MS),
    onEnd(end) {
      told.onExecutionEnd(end);
      if (end.status === 'SUCCEEDED' || end.status === 'RUNNING') return;
      const name = `end of ${labelOf(end.runId)}`;
      const body = JSON.stringify(eventOf(end));
      casualties.send(name, body, roll(seed, name) * RULE_MS);
      if (faults.of(name, ['event twice']) !== null)
        casualties.send(`${name} again`, body, roll(seed, `${name} again`) * 60_000);
    },
  });
  const hear = ({ type, runId, detail }: Heard) => {
    const [name, body] = [`${type} of ${labelOf(runId)} ${++heard}`, JSON.stringify({ 'detail-type': type, detail })];
    tellIndex(name, body, 0);
    if (toldPasswords) passwords.send(name, body, INDEXED_BY_MS);
  };
  const look = (of: IndexLook) => tellIndex(`look at ${labelOf(of.runId)} ${++heard}`, indexLookText(of), 0);
  return { intake, executions, hear, look };
}

/** The run that a message of the intake queue is about. */
const runIdIn = (body: unknown): string => passwordTryOf(body)?.runId ?? runIdOf(parseInputOf(body).intake);

/** The run that a message of the index is about. */
const runOf = (body: unknown): string => (begunOf(body) ?? indexLookOf(body) ?? endOf(body)).runId;

function runStage(ctx: Context, stage: keyof typeof STAGES, input: object): Promise<object> {
  const run = input as Run;
  return logged(stage, run.runId, () => (stage === 'quarantine' ? held(ctx, input) : STAGES[stage](ctx, run)));
}

const held = async (ctx: Context, input: object): Promise<object> => (await hold(ctx, input)) ?? {};

/** As the handler of quarantine does it. */
async function hold(ctx: Context, event: unknown): Promise<Run | null> {
  const input = quarantineInputOf(event);
  if ('passwordTry' in input) return holdHalfTried(ctx, input.passwordTry);
  if ('run' in input) return quarantine(ctx, input.run);
  return quarantineIntake(ctx, input.intake, DEAD_LETTERED, input.again);
}

const eventOf = ({ error, cause, status, ...of }: ExecutionEnd): object =>
  statusOf(of, status, { error: error ?? null, cause: cause ?? null });

function statusOf({ runId, attempt }: Attempted, status: string, more: object = {}): object {
  const detail = { name: `${runId}-${attempt}`, status, ...more };
  return { 'detail-type': 'Step Functions Execution Status Change', detail };
}
