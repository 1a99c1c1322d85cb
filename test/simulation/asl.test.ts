import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { execute, readDefinition, StateError } from '../../lib/local/session/states-language.ts';
import { EXPRESS_STATE, expressMachine, standardMachine } from '../../lib/pipeline/deployed-machines.ts';
import { definitionOf } from '../twin/workflow/definition.ts';
import { StateError as TwinError } from '../twin/workflow/execution.ts';
import { runInTwin } from '../twin/workflow/run-in-twin.ts';
import { roll } from './random.ts';

const text = readFileSync(new URL('../../lib/pipeline/scan-email.asl.json', import.meta.url), 'utf8');
const withArns = (definition: string): unknown =>
  JSON.parse(definition.replace(/\$\{(\w+)Arn\}/g, 'arn:aws:lambda:us-east-1:000000000000:function:$1'));
const CURRENT: readonly (readonly [string, unknown])[] = [
  ['the file', withArns(text)],
  ['the Standard machine', withArns(JSON.stringify(standardMachine()))],
  ['the Express machine', withArns(JSON.stringify(expressMachine()))],
];
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

/** How an Express execution can end, as the task that waits for it hears. */
const EXPRESS_ENDS = [
  { Status: 'SUCCEEDED', Output: '"Deliver"' },
  { Status: 'SUCCEEDED', Output: '"Quarantine"' },
  { Status: 'SUCCEEDED', Output: '"Later"' },
  { Status: 'FAILED', Error: 'States.Runtime', Cause: '' },
  { Status: 'TIMED_OUT' },
] as const;

/** What a task answers the nth time: mostly a run, sometimes an error, more often the worse the seed. */
function answer(seed: number, state: string, nth: number, input: object): object | string {
  const at = `${state} ${nth}`;
  const badness = roll(seed, 'badness') * 0.9;
  if (roll(seed, at) < badness) return ERRORS[Math.floor(roll(seed, `${at} error`) * ERRORS.length)] ?? '';
  const outstanding = roll(seed, `${at} outstanding`) < 0.3 ? 2 : 0;
  const disposition = roll(seed, 'disposition') < 0.7 ? 'deliver' : 'quarantine';
  return { ...input, outstanding, waitSeconds: 0, disposition };
}

/** The same for the deployed machines: one runs the other, which looks at how often and how long a run waits. */
function deployedAnswer(seed: number, state: string, nth: number, input: object): object | string {
  const found = answer(seed, state, nth, input);
  if (typeof found === 'string') return found;
  if (state === EXPRESS_STATE) return EXPRESS_ENDS[Math.floor(roll(seed, 'express') * EXPRESS_ENDS.length)] ?? '';
  return { ...found, waitSeconds: roll(seed, `${state} ${nth} wait`) < 0.3 ? 90 : 0, polls: nth };
}

/** What an execution begins with: as the courses were recorded, and as the deployed machines need it. */
const RECORDED = { outstanding: 0, waitSeconds: 0 };
const INPUT = { ...RECORDED, polls: 0 };

/** The tasks in the order in which they ran, with what they got; and how it ended. */
interface Course {
  readonly ran: string[];
  readonly end: unknown;
}

async function ours(json: unknown, seed: number, answers = answer, input: object = RECORDED): Promise<Course> {
  const ran: string[] = [];
  const end = await execute(readDefinition(json), input, {
    sleep: async () => {},
    jitter: () => 0,
    invoke: async (state, input) => {
      const found = answers(seed, state, ran.push(`${state} ${JSON.stringify(input)}`), input);
      if (typeof found === 'string') throw new StateError(found, `${found} of ${state}`);
      return found;
    },
  }).catch((error: StateError) => error.error);
  return { ran, end };
}

async function theirs(json: unknown, seed: number): Promise<Course> {
  const ran: string[] = [];
  const invoke = async (state: string, given: object) => {
    const input = 'Input' in given ? (JSON.parse(String(given.Input)) as object) : given;
    const found = deployedAnswer(seed, state, ran.push(`${state} ${JSON.stringify(input)}`), input);
    if (typeof found === 'string') throw new TwinError(found, `${found} of ${state}`);
    return found;
  };
  const end = await runInTwin(definitionOf(JSON.stringify(json), {}), INPUT, { invoke }).catch(
    (error: TwinError) => error.error,
  );
  return { ran, end };
}

describe('the interpreter of the simulation', () => {
  test.each(CURRENT)(
    'runs the tasks of %s that the interpreter of the twin runs, with the same inputs',
    async (_, machine) => {
      const courses = new Set<string>();
      for (let seed = 1; seed <= 60; seed++) {
        const [mine, other] = [await ours(machine, seed, deployedAnswer, INPUT), await theirs(machine, seed)];
        expect(mine, `seed ${seed}`).toEqual(other);
        courses.add(JSON.stringify([mine.ran.map((each) => each.split(' ')[0]), typeof mine.end]));
      }
      // Nothing would be compared where all executions are alike.
      expect(courses.size).toBeGreaterThan(8);
    },
  );

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
    ['other parameters', machine({ ...task, Parameters: { 'Input.$': '$' } }), 'these parameters'],
    [
      'a path of a choice with more steps',
      machine({ Type: 'Choice', Choices: [{ Variable: '$.a[0]', StringEquals: 'x', Next: 'A' }] }),
      'the path $.a[0]',
    ],
    [
      'a comparison within a comparison',
      machine({ Type: 'Choice', Choices: [{ Not: { Variable: '$.a', IsPresent: true }, Next: 'A' }] }),
      'IsPresent',
    ],
    [
      'a comparison',
      machine({ Type: 'Choice', Choices: [{ Variable: '$.a', BooleanEquals: true, Next: 'A' }] }),
      'BooleanEquals',
    ],
  ])('refuses %s that it does not know', (_, definition, says) => {
    expect(() => readDefinition(definition)).toThrow(says);
  });
});
