/**
 * Executions of the two state machines, with what Step Functions does to a task: throttles, retries, time limits, and ends from outside. An
 * Express execution goes on when the Standard one hears no more of it, and its functions go on when it ends.
 */

import { type Definition, execute, readDefinition, StateError } from '../../lib/local/session/states-language.ts';
import { EXPRESS_STATE, expressMachine, standardMachine } from '../../lib/pipeline/deployed-machines.ts';
import type { Faults } from './faults.ts';
import type { End } from './functions.ts';
import { roll } from './random.ts';
import type { Scheduler } from './scheduler.ts';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** An attempt of a run. An execution is named after it. */
export interface Attempted {
  readonly runId: string;
  readonly attempt: number;
}

export interface ExecutionEnd extends Attempted {
  readonly status: ExecutionStatus;
  readonly error?: string;
  readonly cause?: string;
}

export interface ExecutionsOptions {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly labelOf: (runId: string) => string;
  /** Starts the function of a state. */
  readonly invoke: (
    state: string,
    name: string,
    runLabel: string,
    input: object,
    timeoutSeconds: number,
    ended: (end: End<object>) => void,
  ) => void;
  readonly onBegin: (of: Attempted) => void;
  readonly onEnd: (end: ExecutionEnd) => void;
  /** Called when the stages of a run may from now on run twice at once. */
  readonly onDoubled: (runId: string) => void;
}

export interface Executions {
  /** Starts an execution unless there is or was one of this name. */
  start(runId: string, attempt: number, input: object): void;
}

const STANDARD: Definition = readDefinition(standardMachine());
const EXPRESS: Definition = readDefinition(expressMachine());
/** A delivery that an operator ends has mostly begun, and not ended. Seconds. */
const DELIVERS_WITHIN = 1.2;
/** An Express execution that breaks does so within this time. Seconds. */
const BREAKS_WITHIN = 40;
/** An operator ends an execution within its first minutes. Seconds. */
const ABORT_WITHIN = 90;
/** What of it would arrive as JSON. */
const copyOf = <T extends object>(value: T): T => {
  if (Array.isArray(value)) return value.map((one) => (isPlain(one) ? one : copyOf(one as object))) as unknown as T;
  const copy: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value))
    if (one !== undefined) copy[name] = isPlain(one) ? one : copyOf(one as object);
  return copy as T;
};
const isPlain = (value: unknown) => typeof value !== 'object' || value === null;

/** Executions over the functions of the world. */
export function createExecutions(options: ExecutionsOptions): Executions {
  const started = new Set<string>();
  return {
    start(runId, attempt, input) {
      const name = `${runId}-${attempt}`;
      if (started.has(name)) return;
      started.add(name);
      options.onBegin({ runId, attempt });
      options.scheduler.after(20, () => {
        options.scheduler.wake();
        runExecution(options, { runId, attempt }, copyOf(input));
      });
    },
  };
}

/** The name of an attempt of a mail. Each has faults of its own. */
export const attemptLabel = (label: string, attempt: number): string =>
  attempt === 1 ? label : `${label} attempt ${attempt}`;

function runExecution(options: ExecutionsOptions, of: Attempted, input: object): void {
  const { runId } = of;
  const { seed, scheduler, faults, onEnd } = options;
  const label = attemptLabel(options.labelOf(runId), of.attempt);
  let status: ExecutionStatus = 'RUNNING';
  const end = (how: ExecutionEnd) => {
    if (status !== 'RUNNING') return;
    status = how.status;
    onEnd(how);
  };
  /** Lets time pass for the execution only while it runs. */
  const after: After = (seconds, work) =>
    scheduler.after(seconds * 1_000, () => {
      if (status !== 'RUNNING') return;
      scheduler.wake();
      work();
    });
  after(STANDARD.TimeoutSeconds, () => end({ ...of, status: 'TIMED_OUT', error: 'States.Timeout' }));
  if (faults.of(`${label} execution`, ['aborted']) !== null)
    after(roll(seed, `${label} aborted when`) ** 2 * ABORT_WITHIN, () => end({ ...of, status: 'ABORTED' }));
  const nested = (one: Task) => expressTask(options, one, () => options.onDoubled(runId));
  const onTask = ({ state, name }: Task) => {
    if (state !== 'Deliver' || faults.of(`${name} under way`, ['aborted']) === null) return;
    after(roll(seed, `${name} aborted when`) * DELIVERS_WITHIN, () => end({ ...of, status: 'ABORTED' }));
  };
  execute(STANDARD, input, surroundingsOf(options, label, after, nested, onTask)).then(
    () => end({ ...of, status: 'SUCCEEDED' }),
    (error: unknown) => {
      if (!(error instanceof StateError)) throw error;
      end({ ...of, status: 'FAILED', error: error.error, cause: error.cause });
    },
  );
}

type After = (seconds: number, work: () => void) => void;

/** What the interpreter asks of one execution, which `label` names. */
function surroundingsOf(
  options: ExecutionsOptions,
  label: string,
  after: After,
  nested: (one: Task) => Promise<object>,
  onTask: (one: Task) => void = () => {},
) {
  const counts = new Map<string, number>();
  return {
    sleep: (seconds: number) => new Promise<void>((resolve) => after(seconds, resolve)),
    jitter: (state: string, attempt: number) => roll(options.seed, `${label} ${state} jitter ${attempt}`),
    invoke: (state: string, data: object, timeoutSeconds: number) => {
      const nth = (counts.get(state) ?? 0) + 1;
      counts.set(state, nth);
      const one: Task = { label, name: `${label} ${state}${nth}`, state, data, timeoutSeconds, after };
      onTask(one);
      return state === EXPRESS_STATE ? nested(one) : task(options, one);
    },
  };
}

/**
 * The task that runs an Express execution. `doubled` is called when that one, or a function of it, may still be at work while the Standard
 * execution goes on.
 */
function expressTask(options: ExecutionsOptions, one: Task, doubled: () => void): Promise<object> {
  const { faults, seed, scheduler } = options;
  const { name, data, timeoutSeconds, after } = one;
  return new Promise((resolve, reject) => {
    const fail = (error: string, cause: string) => reject(new StateError(error, cause));
    const fault = faults.of(name, ['throttled', 'never started', 'given up while it runs', 'express broke']);
    if (fault === 'throttled') return after(0.05, () => fail('Sfn.ThrottlingException', 'Rate exceeded'));
    if (fault === 'never started') return after(0.05, () => fail('Sfn.SfnException', 'an internal error'));
    const givenUp = (error: string) => {
      doubled();
      fail(error, 'the connection broke');
    };
    if (fault === 'given up while it runs')
      after(roll(seed, `${name} given up when`) * BREAKS_WITHIN, () => givenUp('Sfn.SdkClientException'));
    after(timeoutSeconds, () => givenUp('States.Timeout'));
    let isOver = false;
    const end = (how: object) => {
      if (isOver) return;
      isOver = true;
      after(0, () => resolve(how));
    };
    const inner: After = (seconds, work) =>
      scheduler.after(seconds * 1_000, () => {
        if (isOver) return;
        scheduler.wake();
        work();
      });
    const broken = (Status: string) => {
      doubled();
      end({ Status, Error: 'States.Timeout' });
    };
    inner(EXPRESS.TimeoutSeconds, () => broken('TIMED_OUT'));
    if (fault === 'express broke') inner(roll(seed, `${name} breaks when`) * BREAKS_WITHIN, () => broken('FAILED'));
    const never = () => Promise.reject(new StateError('States.Runtime', 'an Express execution runs no other'));
    execute(EXPRESS, copyOf(data), surroundingsOf(options, name, inner, never)).then(
      (output) => end({ Status: 'SUCCEEDED', Output: JSON.stringify(output) }),
      (error: unknown) => {
        if (!(error instanceof StateError)) throw error;
        end({ Status: 'FAILED', Error: error.error, Cause: error.cause });
      },
    );
  });
}

interface Task {
  readonly label: string;
  readonly name: string;
  readonly state: string;
  readonly data: object;
  readonly timeoutSeconds: number;
  readonly after: After;
}

/** One attempt of a task. */
function task({ faults, invoke, seed }: ExecutionsOptions, one: Task): Promise<object> {
  const { label, name, state, data, timeoutSeconds, after } = one;
  return new Promise((resolve, reject) => {
    const fail = (error: string, cause: string) => reject(new StateError(error, cause));
    const fault = faults.of(name, ['throttled', 'never started', 'given up while it runs']);
    const isFull = fault === 'throttled' || faults.isIn('no function free');
    if (isFull) return after(0.05, () => fail('Lambda.TooManyRequestsException', 'Rate exceeded'));
    if (fault === 'never started') return after(0.05, () => fail('Lambda.ServiceException', 'an internal error'));
    // The execution goes on when it hears no more of the function, and the function goes on, too.
    if (fault === 'given up while it runs')
      after(roll(seed, `${name} given up when`) * 2, () => fail('Lambda.SdkClientException', 'the connection broke'));
    after(timeoutSeconds, () => fail('States.Timeout', ''));
    invoke(state, name, label, copyOf(data), timeoutSeconds, (end) =>
      after(0, () => (end.isDone ? resolve(copyOf(end.value)) : fail(end.error, end.cause))),
    );
  });
}
