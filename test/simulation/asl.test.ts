import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { execute, readDefinition, StateError } from '../../lib/local/states-language.ts';
import { definitionOf } from '../twin/workflow/definition.ts';
import { StateError as TwinError } from '../twin/workflow/execution.ts';
import { runInTwin } from '../twin/workflow/run-in-twin.ts';
import { roll } from './random.ts';

const text = readFileSync(new URL('../../lib/pipeline/scan-email.asl.json', import.meta.url), 'utf8');
const current: unknown = JSON.parse(
  text.replace(/\$\{(\w+)Arn\}/g, 'arn:aws:lambda:us-east-1:000000000000:function:$1'),
);
/** What a program of others ran of our definition as it was then: the tasks by seed, a digest of their inputs, and how it ended. */
const recorded = JSON.parse(readFileSync(new URL('recorded-courses.json', import.meta.url), 'utf8')) as {
  readonly definition: unknown;
  readonly courses: readonly { readonly tasks: string; readonly inputs: string; readonly end: string }[];
};
const digest = (content: string) => createHash('sha256').update(content).digest('hex').slice(0, 16);
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

async function ours(json: unknown, seed: number): Promise<Course> {
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

async function theirs(json: unknown, seed: number): Promise<Course> {
  const ran: string[] = [];
  const invoke = async (state: string, input: object) => {
    const found = answer(seed, state, ran.push(`${state} ${JSON.stringify(input)}`), input);
    if (typeof found === 'string') throw new TwinError(found, `${found} of ${state}`);
    return found;
  };
  const input = { outstanding: 0, waitSeconds: 0 };
  const end = await runInTwin(definitionOf(JSON.stringify(json), {}), input, { invoke }).catch(
    (error: TwinError) => error.error,
  );
  return { ran, end };
}

describe('the interpreter of the simulation', () => {
  test('runs the tasks that the interpreter of the twin runs, with the same inputs, and ends in the same way', async () => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= 60; seed++) {
      const [mine, other] = [await ours(current, seed), await theirs(current, seed)];
      expect(mine, `seed ${seed}`).toEqual(other);
      ends.add(typeof mine.end);
    }
    // Nothing would be compared where all executions end alike.
    expect([...ends].sort()).toEqual(['object', 'string']);
  });

  test('runs what a program of others ran of the definition that was recorded', async () => {
    const courses = await Promise.all(
      recorded.courses.map(async (_, index) => {
        const { ran, end } = await ours(recorded.definition, index + 1);
        const tasks = ran.map((each) => each.split(' ')[0]).join(' ');
        return {
          tasks,
          inputs: digest(ran.join('\n')),
          end: typeof end === 'object' ? digest(JSON.stringify(end)) : 'failed',
        };
      }),
    );
    expect(courses).toEqual(recorded.courses);
    expect(new Set(courses.map(({ tasks }) => tasks)).size).toBeGreaterThan(80);
  });

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
