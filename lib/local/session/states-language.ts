/**
 * Interprets `scan-email.asl.json` and the machines that are deployed from it, with the clock of its caller. It knows exactly the fields of
 * the Amazon States Language that they use, and refuses every other field. So a change of a definition is never half understood.
 */
import { isDeepStrictEqual } from 'node:util';

interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds: number;
  readonly MaxAttempts: number;
  readonly BackoffRate: number;
  readonly MaxDelaySeconds: number;
  readonly JitterStrategy: 'FULL';
}

interface Catcher {
  readonly ErrorEquals: readonly string[];
  readonly ResultPath: string | null;
  readonly Next: string;
}

interface Condition {
  readonly Variable?: string;
  readonly NumericGreaterThan?: number;
  readonly StringEquals?: string;
  readonly And?: readonly Condition[];
  readonly Not?: Condition;
}

interface Rule extends Condition {
  readonly Next: string;
}

interface State {
  readonly Type: 'Task' | 'Choice' | 'Wait' | 'Pass';
  readonly Resource?: string;
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly ResultPath?: string;
  readonly Result?: string;
  readonly TimeoutSeconds?: number;
  readonly Retry?: readonly Retrier[];
  readonly Catch?: readonly Catcher[];
  readonly Choices?: readonly Rule[];
  readonly Default?: string;
  readonly Seconds?: number;
  readonly SecondsPath?: string;
  readonly Next?: string;
  readonly End?: boolean;
}

export interface Definition {
  readonly StartAt: string;
  readonly TimeoutSeconds: number;
  readonly States: Readonly<Record<string, State>>;
}

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  machine: ['Comment', 'StartAt', 'TimeoutSeconds', 'States'],
  Task: ['Type', 'Resource', 'Parameters', 'ResultPath', 'TimeoutSeconds', 'Retry', 'Catch', 'Next', 'End'],
  Choice: ['Type', 'Choices', 'Default'],
  Wait: ['Type', 'Seconds', 'SecondsPath', 'Next'],
  Pass: ['Type', 'Result', 'End'],
  Retry: ['ErrorEquals', 'IntervalSeconds', 'MaxAttempts', 'BackoffRate', 'MaxDelaySeconds', 'JitterStrategy'],
  Catch: ['ErrorEquals', 'ResultPath', 'Next'],
  Choices: ['Variable', 'NumericGreaterThan', 'StringEquals', 'And', 'Not', 'Next'],
};

/** The one form of parameters: another machine gets the state as its input, and the name of the execution. */
const NESTED = { 'Name.$': '$$.Execution.Name', 'Input.$': 'States.JsonToString($)' };

/** Reads the definition. Throws TypeError for a field, a type of state, a path or an error name that the interpreter does not know. */
export function readDefinition(json: unknown): Definition {
  const definition = json as Definition;
  assertKnown(definition, 'machine', 'the state machine');
  for (const [name, state] of Object.entries(definition.States)) assertState(name, state);
  return definition;
}

function assertState(name: string, state: State): void {
  const { Retry = [], Catch = [], Choices = [], SecondsPath = null, ResultPath = null, Parameters } = state;
  assertKnown(state, state.Type, name);
  for (const retrier of Retry) assertKnown(retrier, 'Retry', name);
  for (const catcher of Catch) assertKnown(catcher, 'Catch', name);
  for (const rule of Choices.flatMap(conditionsOf)) assertKnown(rule, 'Choices', name);
  const { StateMachineArn, ...rest } = Parameters ?? {};
  if (Parameters !== undefined && !(StateMachineArn && isDeepStrictEqual(rest, NESTED)))
    throw new TypeError(`${name}: these parameters are not known here`);
  if (Retry.some(({ JitterStrategy }) => JitterStrategy !== 'FULL'))
    throw new TypeError(`${name}: jitter must be FULL`);
  const errors = [...Retry, ...Catch].flatMap(({ ErrorEquals }) => ErrorEquals);
  const odd = errors.find((error) => error.startsWith('States.') && !KNOWN_STATES_ERRORS.includes(error));
  if (odd !== undefined) throw new TypeError(`${name}: the error ${odd} is not known here`);
  for (const path of [SecondsPath, ResultPath, ...Catch.map((catcher) => catcher.ResultPath)]) fieldOf(path);
  for (const { Variable = null } of Choices.flatMap(conditionsOf)) if (Variable !== null) fieldsOf(Variable);
}

/** Checks a condition and its parts. */
const conditionsOf = (condition: Condition): Condition[] => [
  condition,
  ...(condition.And ?? []).flatMap(conditionsOf),
  ...(condition.Not ? conditionsOf(condition.Not) : []),
];

const KNOWN_STATES_ERRORS: readonly string[] = ['States.ALL', 'States.Timeout'];

function assertKnown(value: object, what: string, where: string): void {
  const known = KNOWN[what];
  if (known === undefined) throw new TypeError(`${where}: a state of type ${what} is not known here`);
  const odd = Object.keys(value).find((field) => !known.includes(field));
  if (odd !== undefined) throw new TypeError(`${where}: the field ${odd} of ${what} is not known here`);
}

/** Returns the name of the field to which a path such as `$.failure` leads. */
function fieldOf(path: string | null): string {
  if (path === null) return '';
  const field = /^\$\.(\w+)$/.exec(path)?.[1];
  if (field === undefined) throw new TypeError(`the path ${path} is not known here`);
  return field;
}

/** A path of a definition, and the names of the fields on it. */
const FIELDS = new Map<string, readonly string[]>();

/** Returns the names of the fields on a path such as `$.express.Status`. */
function fieldsOf(path: string): readonly string[] {
  const known = FIELDS.get(path);
  if (known !== undefined) return known;
  if (!/^\$(\.\w+){1,2}$/.test(path)) throw new TypeError(`the path ${path} is not known here`);
  const fields = path.split('.').slice(1);
  FIELDS.set(path, fields);
  return fields;
}

/** The reason why a task failed, in the words of Step Functions. */
export class StateError extends Error {
  constructor(
    readonly error: string,
    override readonly cause: string,
  ) {
    super(`${error}: ${cause}`);
  }
}

/** The world of the interpreter. An answer may never come; the execution is then over. */
export interface Surroundings {
  /** Runs a task. Rejects with a StateError. */
  invoke(state: string, input: object, timeoutSeconds: number): Promise<object>;
  /** Waits in a Wait state, or between two tries of a task. */
  sleep(seconds: number, state: string): Promise<void>;
  /** Returns a number from 0 up to 1, for the jitter of a retry. */
  jitter(state: string, attempt: number): number;
}

/**
 * Runs an execution to its end and returns its output: the state, or the word of a Pass state. Throws the StateError that nothing caught.
 */
export async function execute(definition: Definition, input: object, world: Surroundings): Promise<object | string> {
  let data = input;
  for (let name: string | undefined = definition.StartAt; name !== undefined; ) {
    const state: State | undefined = definition.States[name];
    if (state === undefined) throw new TypeError(`there is no state ${name}`);
    if (state.Type === 'Pass') return state.Result ?? data;
    if (state.Type === 'Choice') name = chosen(state, data);
    else if (state.Type === 'Wait') {
      await world.sleep(state.Seconds ?? Number(valueAt(data, state.SecondsPath ?? '')), name);
      name = state.Next;
    } else [data, name] = await runTask(name, state, data, world);
  }
  return data;
}

/** Returns the value at a path. Throws StateError when there is none, like Step Functions. */
function valueAt(data: object, path: string): unknown {
  const value = fieldsOf(path).reduce<unknown>(
    (at, field) => (at as Record<string, unknown> | undefined)?.[field],
    data,
  );
  if (value === undefined) throw new StateError('States.Runtime', `nothing is at ${path}`);
  return value;
}

function chosen(state: State, data: object): string | undefined {
  return state.Choices?.find((rule) => holds(rule, data))?.Next ?? state.Default;
}

function holds({ And, Not, Variable = '', NumericGreaterThan, StringEquals }: Condition, data: object): boolean {
  if (And !== undefined) return And.every((each) => holds(each, data));
  if (Not !== undefined) return !holds(Not, data);
  const value = valueAt(data, Variable);
  if (NumericGreaterThan === undefined) return value === StringEquals;
  return typeof value === 'number' && value > NumericGreaterThan;
}

async function runTask(
  name: string,
  state: State,
  data: object,
  world: Surroundings,
): Promise<[object, string | undefined]> {
  const tried = new Map<Retrier, number>();
  for (;;) {
    try {
      const result = await world.invoke(name, data, state.TimeoutSeconds ?? 0);
      return [state.ResultPath === undefined ? result : { ...data, [fieldOf(state.ResultPath)]: result }, state.Next];
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const waits = retryAfter(state, error, tried, (attempt) => world.jitter(name, attempt));
      if (waits === null) return caught(state, error, data);
      await world.sleep(waits, name);
    }
  }
}

/** Returns seconds until the task is tried again, or null when it is not. Each retrier counts its own tries. */
function retryAfter(
  state: State,
  error: StateError,
  tried: Map<Retrier, number>,
  jitter: (attempt: number) => number,
): number | null {
  const retrier = state.Retry?.find(({ ErrorEquals }) => matches(ErrorEquals, error));
  if (retrier === undefined) return null;
  const attempt = tried.get(retrier) ?? 0;
  if (attempt >= retrier.MaxAttempts) return null;
  tried.set(retrier, attempt + 1);
  const { MaxDelaySeconds, IntervalSeconds, BackoffRate } = retrier;
  return Math.min(MaxDelaySeconds, IntervalSeconds * BackoffRate ** attempt) * jitter(attempt);
}

/** Returns the next state after a failed task, with its input. Throws the error that nothing catches. */
function caught(state: State, error: StateError, data: object): [object, string] {
  const catcher = state.Catch?.find(({ ErrorEquals }) => matches(ErrorEquals, error));
  if (catcher === undefined) throw error;
  if (catcher.ResultPath === null) return [data, catcher.Next];
  return [{ ...data, [fieldOf(catcher.ResultPath)]: { Error: error.error, Cause: error.cause } }, catcher.Next];
}

const matches = (names: readonly string[], { error }: StateError) =>
  names.includes(error) || names.includes('States.ALL');
