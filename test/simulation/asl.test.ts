import './with-resolvers.ts';
import { readFileSync } from 'node:fs';
import { StateMachine } from 'aws-local-stepfunctions';
import { describe, expect, test } from 'vitest';
import { execute, readDefinition, StateError } from '../../lib/local/states-language.ts';
import { roll } from './random.ts';

type Definition = ConstructorParameters<typeof StateMachine>[0];

const text = readFileSync(new URL('../../lib/pipeline/scan-email.asl.json', import.meta.url), 'utf8');
const json = JSON.parse(text.replace(/\$\{(\w+)Arn\}/g, 'arn:aws:lambda:us-east-1:000000000000:function:$1')) as {
  States: Record<string, { Type: string }>;
};
const tasks = Object.keys(json.States).filter((name) => json.States[name]?.Type === 'Task');
const ERRORS = [
  'TransientError',
  'Runtime.ExitError',
  'ServiceAwayError',
  'StageError',
  'Lambda.TooManyRequestsException',
];

/** What a task answers the nth time: mostly a run, sometimes an error, more often the worse the seed. */
function answer(seed: number, state: string, nth: number, input: object): object | string {
  const at = `${state} ${nth}`;
  const badness = roll(seed, 'badness') * 0.9;
  if (roll(seed, at) < badness) return ERRORS[Math.floor(roll(seed, `${at} error`) * ERRORS.length)] ?? '';
  const outstanding = roll(seed, `${at} outstanding`) < 0.3 ? 2 : 0;
  const disposition = roll(seed, 'disposition') < 0.7 ? 'deliver' : 'quarantine';
  return { ...input, outstanding, waitSeconds: 0, disposition };
}

/** The tasks in the order in which they ran, with what they got; and how it ended. */
interface Course {
  readonly ran: string[];
  readonly end: unknown;
}

async function ours(seed: number): Promise<Course> {
  const ran: string[] = [];
  const end = await execute(
    readDefinition(json),
    { outstanding: 0, waitSeconds: 0 },
    {
      sleep: async () => {},
      jitter: () => 0,
      invoke: async (state, input) => {
        const found = answer(seed, state, ran.push(`${state} ${JSON.stringify(input)}`), input);
        if (typeof found === 'string') throw new StateError(found, `${found} of ${state}`);
        return found;
      },
    },
  ).catch((error: StateError) => error.error);
  return { ran, end };
}

async function theirs(seed: number): Promise<Course> {
  const ran: string[] = [];
  const machine = new StateMachine(json as unknown as Definition, { validationOptions: { noValidate: true } });
  const handler = (state: string) => async (input: object) => {
    const found = answer(seed, state, ran.push(`${state} ${JSON.stringify(input)}`), input);
    if (typeof found === 'string') throw Object.assign(new Error(`${found} of ${state}`), { name: found });
    return found;
  };
  const overrides = {
    taskResourceLocalHandlers: Object.fromEntries(tasks.map((name) => [name, handler(name)])),
    waitTimeOverrides: { Wait: 0, WaitForService: 0 },
    retryIntervalOverrides: Object.fromEntries(tasks.map((name) => [name, 0])),
  };
  const execution = machine.run({ outstanding: 0, waitSeconds: 0 }, { overrides } as never);
  return { ran, end: await execution.result.catch((error: Error) => error.name) };
}

describe('the interpreter of the simulation', () => {
  test('runs the tasks that another interpreter runs, with the same inputs, and ends in the same way', async () => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= 60; seed++) {
      const [mine, other] = [await ours(seed), await theirs(seed)];
      expect(mine.ran, `seed ${seed}`).toEqual(other.ran);
      if (typeof mine.end === 'object') expect(mine.end).toEqual(other.end);
      else expect(typeof other.end).toBe('string');
      ends.add(typeof mine.end);
    }
    // Nothing would be compared where all executions end alike.
    expect([...ends].sort()).toEqual(['object', 'string']);
  }, 60_000);

  const task = { Type: 'Task', Resource: 'x', TimeoutSeconds: 1, End: true };
  const machine = (state: object, more: object = {}) => ({
    StartAt: 'A',
    TimeoutSeconds: 9,
    States: { A: state },
    ...more,
  });
  const retry = { ErrorEquals: ['E'], IntervalSeconds: 1, MaxAttempts: 1, BackoffRate: 1, MaxDelaySeconds: 1 };

  test.each<[string, object, string]>([
    ['a type of state', machine({ Type: 'Map' }), 'a state of type Map'],
    ['a field of a task', machine({ ...task, HeartbeatSeconds: 3 }), 'the field HeartbeatSeconds'],
    ['a field of the machine', machine(task, { QueryLanguage: 'JSONata' }), 'the field QueryLanguage'],
    ['another jitter', machine({ ...task, Retry: [{ ...retry, JitterStrategy: 'NONE' }] }), 'jitter must be FULL'],
    [
      'an error of its own meaning',
      machine({ ...task, Catch: [{ ErrorEquals: ['States.TaskFailed'], ResultPath: null, Next: 'A' }] }),
      'States.TaskFailed',
    ],
    ['a path with more steps', machine({ Type: 'Wait', SecondsPath: '$.a.b', Next: 'A' }), 'the path $.a.b'],
    [
      'a comparison',
      machine({ Type: 'Choice', Choices: [{ Variable: '$.a', BooleanEquals: true, Next: 'A' }] }),
      'BooleanEquals',
    ],
  ])('refuses %s that it does not know', (_, definition, says) => {
    expect(() => readDefinition(definition)).toThrow(says);
  });
});
