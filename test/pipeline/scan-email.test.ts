import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorkflow, stateOf } from '../../lib/local/session/workflow.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { statesOf, WAY } from './way.ts';

interface State {
  readonly Type: string;
  readonly Next?: string;
  readonly Default?: string;
  readonly Choices?: readonly { readonly Next: string }[];
  readonly Retry?: readonly {
    readonly ErrorEquals: readonly string[];
    readonly MaxAttempts: number;
    readonly MaxDelaySeconds: number;
  }[];
  readonly Catch?: readonly {
    readonly ErrorEquals: readonly string[];
    readonly Next: string;
    readonly ResultPath: string;
  }[];
  readonly TimeoutSeconds?: number;
}
const definition = JSON.parse(
  readFileSync(new URL('../../lib/pipeline/scan-email.asl.json', import.meta.url), 'utf8'),
) as {
  StartAt: string;
  TimeoutSeconds: number;
  States: Record<string, State>;
};
const tasks = Object.entries(definition.States).filter(([, state]) => state.Type === 'Task');

test('its tasks are the stages', () => {
  expect(tasks.map(([name]) => name).sort()).toEqual(
    Object.keys(STAGES)
      .map((name) => stateOf(name as keyof typeof STAGES))
      .sort(),
  );
});

test('a delivered mail passes the stages in order', () => {
  const way: string[] = [];
  for (let name: string | undefined = definition.StartAt; name !== undefined; ) {
    const state: State | undefined = definition.States[name];
    if (state?.Type === 'Task') way.push(name);
    // Of each choice, the turn that leads on: to Wait once, and to what follows a decision to deliver.
    const isOnwards: boolean = name === 'Deliverable?' || (name === 'Outstanding?' && !way.includes('Poll'));
    name = (isOnwards ? state?.Choices?.[0]?.Next : undefined) ?? state?.Next ?? state?.Default;
  }
  expect(way).toEqual(statesOf([...WAY, 'deliver']));
});

test('every state is reached from the first', () => {
  const reached = new Set<string>();
  const visit = (name: string | undefined) => {
    if (name === undefined || reached.has(name)) return;
    reached.add(name);
    const { Next, Default, Choices = [], Catch = [] } = definition.States[name] as State;
    for (const next of [Next, Default, ...Choices.map((choice) => choice.Next), ...Catch.map((edge) => edge.Next)])
      visit(next);
  };
  visit(definition.StartAt);
  expect([...reached].sort()).toEqual(Object.keys(definition.States).sort());
});

test('every task has the same Retry, a time limit, and one Catch for everything, which leads to Quarantine', () => {
  for (const [name, state] of tasks) {
    expect(state.Retry, name).toEqual(tasks[0]?.[1].Retry);
    expect(state.TimeoutSeconds, name).toBeGreaterThan(0);
    const edge = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'Quarantine' }];
    expect(state.Catch?.slice(name === 'Fetch' ? 1 : 0), name).toEqual(name === 'Quarantine' ? undefined : edge);
  }
});

test('throttles, faults that pass and killed stages are tried again, each as long as it takes to pass', () => {
  const [first] = tasks;
  const tries = first?.[1].Retry?.map(({ ErrorEquals, MaxAttempts, MaxDelaySeconds }) => [
    ErrorEquals.slice(0, 3),
    MaxAttempts * MaxDelaySeconds,
  ]);
  // The longest time in seconds; with full jitter it is half of that on average.
  expect(tries).toEqual([
    [['Lambda.TooManyRequestsException'], 7_200],
    // An outage of a store, and a secret that an operator mends, hold no mail before its deadline: the execution ends first.
    [['TransientError', 'ConfigError', 'Lambda.ServiceException'], 7_200],
    [['States.Timeout', 'Lambda.Unknown', 'Lambda.ClientExecutionTimeoutException'], 60],
  ]);
});

test('fetch waits for a service that is away, without an error', () => {
  const [wait] = tasks.find(([name]) => name === 'Fetch')?.[1].Catch ?? [];
  expect(wait).toEqual({ ErrorEquals: ['ServiceAwayError'], ResultPath: null, Next: 'WaitForService' });
  expect(definition.States.WaitForService).toEqual({ Type: 'Wait', Seconds: 30, Next: 'Fetch' });
});

test('an execution outlives the deadline of its run, so that a timeout is decided and not cut off', async () => {
  const { DEFAULT_LIMITS } = await import('../../lib/pipeline/limits.ts');
  expect(definition.TimeoutSeconds).toBeGreaterThan(DEFAULT_LIMITS.deadlineSeconds + 600);
});

test('on a laptop, what only a person mends is not tried again, because that person waits', async () => {
  const tries: string[] = [];
  const failing = (name: string) => async () => {
    tries.push(name);
    throw new ConfigError('the environment', ['no key']);
  };
  const names = [...WAY, 'deliver', 'quarantine'];
  const stages = Object.fromEntries(names.map((name) => [name, failing(name)])) as never;
  const workflow = createWorkflow({ stages, retryIntervalMs: 0 });
  await expect(workflow.run(newRun('ab'.repeat(16)), new AbortController().signal)).rejects.toThrow();
  expect(tries).toEqual(['submit', 'quarantine']);
});
