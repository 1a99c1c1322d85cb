/** The two deployed state machines: what of the one file is in each, and that every end of an Express execution leads on. */
import { describe, expect, test } from 'vitest';
import { execute, readDefinition, StateError } from '../../lib/local/session/states-language.ts';
import { nextWaitSeconds, STEP_FUNCTIONS_SCHEDULE } from '../../lib/pipeline/analysis/poll-schedule.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { EXPRESS_STATE, expressMachine, standardMachine } from '../../lib/pipeline/deployed-machines.ts';
import definition from '../../lib/pipeline/scan-email.asl.json' with { type: 'json' };
import { statesOf, wayBefore, wayWithout } from './way.ts';

interface State {
  readonly Type: string;
  readonly Catch?: readonly object[];
}
const file = definition.States as Readonly<Record<string, State>>;
const standard = standardMachine().States as Readonly<Record<string, State>>;
const express = expressMachine().States as Readonly<Record<string, State>>;
const tasksOf = (states: Readonly<Record<string, State>>) =>
  Object.keys(states).filter((name) => states[name]?.Type === 'Task');

/** The tasks that an execution runs, in their order, and its output. `answers` says what a task answers. */
async function run(machine: object, answers: Readonly<Record<string, object | Error>>) {
  const ran: string[] = [];
  const output = await execute(
    readDefinition(machine),
    { ...newRun('ab'.repeat(16)) },
    {
      sleep: async () => {},
      jitter: () => 0,
      invoke: async (state, data) => {
        ran.push(state);
        const answer = answers[state] ?? data;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  );
  return { ran, output };
}

describe('the Standard machine', () => {
  test('has every state of the file as it is, behind the Express execution', () => {
    expect(standard).toMatchObject(file);
    expect(Object.keys(standard)).toEqual([EXPRESS_STATE, 'Judged?', ...Object.keys(file)]);
    expect(standardMachine()).toMatchObject({ StartAt: EXPRESS_STATE, TimeoutSeconds: definition.TimeoutSeconds });
  });

  const all = statesOf([...wayWithout('poll'), 'deliver']);
  const decided = { ...newRun('ab'.repeat(16)), disposition: 'deliver' };
  test.each<[string, object | Error, string[]]>([
    ['said that the message can be delivered', { Status: 'SUCCEEDED', Output: '"Deliver"' }, ['Deliver']],
    ['said that the message is to be held', { Status: 'SUCCEEDED', Output: '"Quarantine"' }, ['Quarantine']],
    ['left it for later', { Status: 'SUCCEEDED', Output: '"Later"' }, all],
    ['said anything else', { Status: 'SUCCEEDED', Output: '{"disposition":"deliver"}' }, all],
    ['failed', { Status: 'FAILED', Error: 'States.Runtime', Cause: '' }, all],
    ['ran out of time', { Status: 'TIMED_OUT' }, all],
    ['failed with the output of one that succeeded', { Status: 'FAILED', Output: '"Deliver"' }, all],
    ['ended in a way that nobody knows', { Status: 'ABORTED' }, all],
    ['could not be started', new StateError('Sfn.ThrottlingException', 'Rate exceeded'), all],
    ['was not heard of', new StateError('States.Timeout', ''), all],
    ['may not be started', new StateError('Sfn.SfnException', 'AccessDeniedException'), all],
  ])('goes on with the right state after an Express execution that %s', async (_, answer, tasks) => {
    const { ran } = await run(standardMachine(), { [EXPRESS_STATE]: answer, Decide: decided });
    expect(ran).toEqual([EXPRESS_STATE, ...tasks]);
  });
});

describe('the Express machine', () => {
  test('has the tasks of the file but those that end a run, each with the same Retry and time', () => {
    expect(tasksOf(express)).toEqual(tasksOf(file).filter((name) => !['Deliver', 'Quarantine'].includes(name)));
    for (const name of tasksOf(express)) {
      const { Catch, ...rest } = express[name] as State;
      expect(file[name], name).toMatchObject(rest);
      // It holds no mail for a fault. The Standard machine waits for what passes, and has the failure edge.
      expect(Catch, name).toEqual([{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Later' }]);
    }
  });

  test('ends before AWS ends it, and its caller waits longer than that', () => {
    const { TimeoutSeconds } = expressMachine();
    expect(TimeoutSeconds).toBeLessThan(300);
    expect(standard[EXPRESS_STATE]).toMatchObject({ TimeoutSeconds: TimeoutSeconds + 20 });
  });

  test.each([
    ['deliver', 'Deliver', statesOf(wayWithout('poll'))],
    ['quarantine', 'Quarantine', statesOf(wayBefore('rebuild')).filter((state) => state !== 'Poll')],
  ])('of a run that is decided as %s ends in the word %s', async (disposition, word, tasks) => {
    const { ran, output } = await run(expressMachine(), { Decide: { ...newRun('ab'.repeat(16)), disposition } });
    expect({ ran, output }).toEqual({ ran: tasks, output: word });
  });

  test.each(tasksOf(express).filter((name) => name !== 'Poll'))(
    'leaves the run when %s fails for good',
    async (name) => {
      const { output } = await run(expressMachine(), {
        Decide: { ...newRun('ab'.repeat(16)), disposition: 'deliver' },
        [name]: new StateError('StageError', 'as planned'),
      });
      expect(output).toBe('Later');
    },
  );

  test.each([
    ['static', 163],
    ['url_analysis', 133],
    ['sandbox', 188],
  ] as const)(
    'waits for an analysis that never ends (%s) for %i seconds, and then leaves the run',
    async (kind, seconds) => {
      let waited = 0;
      const facts = { outstandingKinds: [kind], retryAfterSeconds: null, remainingSeconds: 1_800 };
      const output = await execute(
        readDefinition(expressMachine()),
        { ...newRun('ab'.repeat(16)) },
        {
          sleep: async (more) => {
            waited += more;
          },
          jitter: () => 0,
          invoke: async (state, data) => {
            const polls = (data as { polls: number }).polls + (state === 'Poll' ? 1 : 0);
            return {
              ...data,
              polls,
              outstanding: 1,
              waitSeconds: nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, { ...facts, polls }),
            };
          },
        },
      );
      expect({ output, waited }).toEqual({ output: 'Later', waited: seconds });
      expect(waited).toBeLessThan(expressMachine().TimeoutSeconds);
    },
  );
});
