/** One execution: state after state, with the retries, the failure edges and the waits that the definition says. */
import { unknown } from '../assembly/refuse.ts';
import type { ToldClock } from '../clock.ts';
import type { InvocationResult } from '../lambdas/function-process.ts';
import { THROTTLED } from '../lambdas/functions.ts';
import type { Condition, Definition, Retrier, State } from './definition.ts';
import { payloadOf, valueAt, withResult } from './paths.ts';

export interface ExecutionContext {
  /** Of the execution. */
  readonly name: string;
  readonly clock: Pick<ToldClock, 'sleep' | 'work'>;
  readonly definition: Definition;
  /** Runs the task of a state. `begun` is called when its function begins to work. */
  readonly invoke: (resource: string, input: unknown, begun: () => void) => Promise<InvocationResult>;
  /** Called at each state that is entered. */
  readonly onState?: (state: string) => void;
  /** Aborted when the execution ends from outside. */
  readonly signal: AbortSignal;
}

/** An error by the name that Retry and Catch compare. */
export class StateError extends Error {
  readonly error: string;

  constructor(error: string, cause: string) {
    super(cause);
    this.error = error;
  }
}

const MAX_STATE = 256 * 1024;
/** Not even `States.ALL` catches these. */
const UNCATCHABLE = ['States.DataLimitExceeded', 'States.Runtime'];

/** Runs the machine to its end and returns its output. Rejects with StateError. */
export async function runStates(context: ExecutionContext, input: unknown): Promise<unknown> {
  let name: string | undefined = context.definition.StartAt;
  let data = input;
  while (name !== undefined) {
    context.signal.throwIfAborted();
    context.onState?.(name);
    const state: State = context.definition.States[name] ?? unknown('state', name);
    const next: Step = await runState(context, state, data);
    if (JSON.stringify(next.data).length > MAX_STATE)
      throw new StateError('States.DataLimitExceeded', `the output of ${name} is too large`);
    data = next.data;
    name = next.name;
  }
  return data;
}

interface Step {
  readonly name: string | undefined;
  readonly data: unknown;
}

async function runState(context: ExecutionContext, state: State, data: unknown): Promise<Step> {
  switch (state.Type) {
    case 'Task':
      return runTask(context, state, data);
    case 'Choice':
      return { name: chosen(state, data), data };
    case 'Wait': {
      const seconds = state.SecondsPath === undefined ? state.Seconds : valueAt(state.SecondsPath, data);
      if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0)
        throw new StateError('States.Runtime', `not a number of seconds: ${seconds}`);
      await context.clock.sleep(seconds * 1000, context.signal);
      return { name: state.Next, data };
    }
    case 'Pass':
      return { name: state.Next, data: 'Result' in state ? state.Result : data };
    case 'Succeed':
      return { name: undefined, data };
    case 'Fail':
      throw new StateError(state.Error ?? '', state.Cause ?? '');
  }
}

type Task = Extract<State, { readonly Type: 'Task' }>;

async function runTask(context: ExecutionContext, task: Task, data: unknown): Promise<Step> {
  const tries = new Map<Retrier, number>();
  for (;;) {
    context.signal.throwIfAborted();
    try {
      const result = await taskResult(context, task, data);
      return { name: task.Next, data: withResult(task.ResultPath, data, result) };
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const retrier = (task.Retry ?? []).find(({ ErrorEquals }) => isNamed(ErrorEquals, error.error));
      const tried = (retrier && tries.get(retrier)) ?? 0;
      if (retrier && tried < (retrier.MaxAttempts ?? 3)) {
        tries.set(retrier, tried + 1);
        await context.clock.sleep(backoffMs(retrier, tried), context.signal);
        continue;
      }
      const catcher = (task.Catch ?? []).find(({ ErrorEquals }) => isNamed(ErrorEquals, error.error));
      if (!catcher) throw error;
      const caught = { Error: error.error, Cause: error.message };
      return { name: catcher.Next, data: withResult(catcher.ResultPath, data, caught) };
    }
  }
}

async function taskResult(context: ExecutionContext, task: Task, data: unknown): Promise<unknown> {
  const timer = new AbortController();
  const { clock } = context;
  const limitMs = (task.TimeoutSeconds ?? Number.MAX_SAFE_INTEGER) * 1000;
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  // The wait for a processor of this machine is no time of the task: in AWS, each function has its own.
  const timedOut = begun
    .then(() => clock.work(() => clock.sleep(limitMs, timer.signal)))
    .then(() => ({ error: { errorType: 'States.Timeout', errorMessage: 'the task took too long' } }));
  const input = task.Parameters === undefined ? data : payloadOf(task.Parameters, data, context.name);
  const answer = await Promise.race([context.invoke(task.Resource, input, begin), timedOut]);
  timer.abort();
  if (!('error' in answer)) return answer.result;
  const { errorType } = answer.error;
  const name = errorType === THROTTLED ? `Lambda.${THROTTLED}` : errorType;
  throw new StateError(name, JSON.stringify(answer.error));
}

function isNamed(names: readonly string[], error: string): boolean {
  if (names.includes(error)) return true;
  if (names.includes('States.TaskFailed') && error !== 'States.Timeout') return true;
  return names.includes('States.ALL') && !UNCATCHABLE.includes(error);
}

/** The pause before the try after `tried` failures, in milliseconds. */
export function backoffMs(retrier: Retrier, tried: number, random: () => number = Math.random): number {
  const { IntervalSeconds = 1, BackoffRate = 2, MaxDelaySeconds = Number.POSITIVE_INFINITY, JitterStrategy } = retrier;
  const seconds = Math.min(MaxDelaySeconds, IntervalSeconds * BackoffRate ** tried);
  return Math.round(seconds * 1000 * (JitterStrategy === 'FULL' ? random() : 1));
}

function chosen({ Choices, Default }: Extract<State, { readonly Type: 'Choice' }>, data: unknown): string {
  const next = Choices.find((one) => isTrue(one, data))?.Next ?? Default;
  if (next === undefined) throw new StateError('States.NoChoiceMatched', 'no choice fits');
  return next;
}

function isTrue(condition: Condition, data: unknown): boolean {
  const { And, Not, Variable, NumericGreaterThan, StringEquals, BooleanEquals } = condition;
  if (And !== undefined) return And.every((each) => isTrue(each, data));
  if (Not !== undefined) return !isTrue(Not, data);
  const value = valueAt(Variable ?? unknown('choice', condition), data);
  if (value === undefined) throw new StateError('States.Runtime', `${Variable} leads to nothing`);
  if (NumericGreaterThan !== undefined) return typeof value === 'number' && value > NumericGreaterThan;
  if (StringEquals !== undefined) return value === StringEquals;
  if (BooleanEquals !== undefined) return value === BooleanEquals;
  return unknown('choice', condition);
}
