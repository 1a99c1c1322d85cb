/** Time, queues and executions, without processes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ToldClock } from './clock.ts';
import type { InvocationResult } from './lambdas/function-process.ts';
import { type Queue, queuesOf } from './servers/queues.ts';
import type { Definition, State } from './workflow/definition.ts';
import { backoffMs, runStates, StateError } from './workflow/execution.ts';
import { ProcessorWaits } from './workflow/processor-waits.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-twin-workflow-'));
afterAll(() => rmSync(folder, { recursive: true }));
let clock: ToldClock;
let count = 0;
beforeEach(() => {
  count += 1;
  clock = new ToldClock(join(folder, String(count)));
});
afterEach(() => clock.close());

const HOUR_MS = 3_600_000;

describe('told time', () => {
  test('jumps over a wait when nothing works', async () => {
    const [told, real] = [clock.now(), Date.now()];
    await clock.work(() => clock.sleep(100 * HOUR_MS));
    expect(clock.now() - told).toBeGreaterThanOrEqual(100 * HOUR_MS);
    expect(Date.now() - real).toBeLessThan(HOUR_MS);
  });

  test('does not jump while something works', async () => {
    const told = clock.now();
    let finish = () => {};
    const work = clock.work(() => new Promise<void>((resolve) => (finish = resolve)));
    const sleep = clock.work(() => clock.sleep(100 * HOUR_MS));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.now() - told).toBeLessThan(HOUR_MS);
    finish();
    await Promise.all([work, sleep]);
    expect(clock.now() - told).toBeGreaterThanOrEqual(100 * HOUR_MS);
  });

  test('wakes waits in the order of their times, and tells the file', async () => {
    const woken: number[] = [];
    const waits = [3, 1, 2].map((hours) =>
      clock.work(async () => {
        await clock.sleep(hours * HOUR_MS);
        woken.push(hours);
      }),
    );
    await Promise.all(waits);
    expect(woken).toEqual([1, 2, 3]);
    expect(readFileSync(clock.file).readDoubleLE(0)).toBeGreaterThan(2.9 * HOUR_MS);
  });

  test('jumps while one piece of work waits for another one, and not while that one works', async () => {
    const told = clock.now();
    let finish = () => {};
    const other = clock.work(async () => {
      await clock.sleep(100 * HOUR_MS);
      await new Promise<void>((resolve) => (finish = resolve));
    });
    const waiting = clock.work(() => clock.awaitOthers(other));
    const late = clock.work(() => clock.sleep(200 * HOUR_MS));
    while (clock.now() - told < 100 * HOUR_MS) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.now() - told).toBeLessThan(200 * HOUR_MS);
    finish();
    await Promise.all([waiting, late]);
    expect(clock.now() - told).toBeGreaterThanOrEqual(200 * HOUR_MS);
  });

  test('ends a wait early when it is aborted', async () => {
    const controller = new AbortController();
    const told = clock.now();
    const sleep = clock.work(() => clock.sleep(100 * HOUR_MS, controller.signal));
    controller.abort();
    await sleep;
    expect(clock.now() - told).toBeLessThan(HOUR_MS);
  });
});

describe('a queue', () => {
  function queues(): [Queue, Queue] {
    const resource = (name: string, properties: object) => ({
      logicalId: name,
      type: 'AWS::SQS::Queue',
      name,
      ref: `http://127.0.0.1/${name}`,
      arn: `arn:${name}`,
      properties: { VisibilityTimeout: 60, ...properties },
    });
    const redrive = { RedrivePolicy: { deadLetterTargetArn: 'arn:dead', maxReceiveCount: 2 } };
    return queuesOf([resource('live', redrive), resource('dead', {})], clock) as [Queue, Queue];
  }
  const wait = (seconds: number) => clock.work(() => clock.sleep(seconds * 1000));

  test('hides what was received until its visibility ends, and then hands it out again', async () => {
    const [queue] = queues();
    queue.send('a');
    expect(queue.receive(10).map(({ body }) => body)).toEqual(['a']);
    await wait(59);
    expect(queue.receive(10)).toEqual([]);
    await wait(2);
    expect(queue.receive(10).map(({ receiveCount }) => receiveCount)).toEqual([2]);
  });

  test('says when something becomes visible again', async () => {
    const [queue] = queues();
    let told = 0;
    queue.onVisible = () => {
      told += 1;
    };
    queue.send('a');
    queue.receive(1);
    await wait(61);
    expect(told).toBe(2);
  });

  test('moves what was received too often to the dead letters', async () => {
    const [queue, dead] = queues();
    queue.send('a');
    for (let receipt = 0; receipt < 3; receipt += 1) {
      queue.receive(1);
      await wait(61);
    }
    expect(queue.messages).toEqual([]);
    expect(dead.receive(1).map(({ body }) => body)).toEqual(['a']);
  });

  test('forgets what was deleted', async () => {
    const [queue] = queues();
    const messageId = queue.send('a');
    queue.receive(1);
    queue.delete(messageId);
    await wait(61);
    expect(queue.receive(1)).toEqual([]);
  });
});

describe('an execution', () => {
  const failing = (errorType: string): InvocationResult => ({ error: { errorType, errorMessage: 'as planned' } });
  const retry = { ErrorEquals: ['Passing'], IntervalSeconds: 100, MaxAttempts: 2, BackoffRate: 2 };
  const caught = { ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'Last' };
  const first: State = { Type: 'Task', Resource: 'first', Retry: [retry], Catch: [caught], Next: 'Last' };
  const last: State = { Type: 'Task', Resource: 'last', End: true };
  const definition = (A: State): Definition => ({ StartAt: 'A', States: { A, Last: last } });

  function run(machine: Definition, answers: InvocationResult[], input: unknown = { n: 1 }) {
    const asked: [string, unknown][] = [];
    const invoke = async (resource: string, state: unknown): Promise<InvocationResult> => {
      asked.push([resource, state]);
      return resource === 'last' ? { result: state } : (answers.shift() ?? { result: state });
    };
    const context = { name: 'run-1', clock, definition: machine, invoke, signal: new AbortController().signal };
    return { asked, output: clock.work(() => runStates(context, input)) };
  }

  test.each([
    ['works', true, 'States.Timeout'],
    ['waits for a processor of this machine', false, null],
  ])('a task that %s for longer than its time ends as it would in AWS', async (_, isWorking, expected) => {
    const invoke = async (_resource: string, state: unknown, begun: () => void): Promise<InvocationResult> => {
      if (isWorking) begun();
      await clock.work(() => clock.sleep(90_000));
      return { result: state };
    };
    const machine: Definition = { StartAt: 'A', States: { A: { ...last, TimeoutSeconds: 60 } } };
    const context = { name: 'run-1', clock, definition: machine, invoke, signal: new AbortController().signal };
    // Time jumps while nothing but the two timers is left.
    const ended = runStates(context, {}).then(
      () => null,
      (error: { error: string }) => error.error,
    );
    expect(await ended).toBe(expected);
  });

  test('tries again after the pauses that the definition says', async () => {
    const told = clock.now();
    const { asked, output } = run(definition(first), [failing('Passing'), failing('Passing')]);
    expect(await output).toEqual({ n: 1 });
    expect(asked.map(([resource]) => resource)).toEqual(['first', 'first', 'first', 'last']);
    expect(clock.now() - told).toBeGreaterThanOrEqual(300_000);
  });

  test('takes the failure edge when it tried often enough, or at once for another error', async () => {
    const often = run(definition(first), [failing('Passing'), failing('Passing'), failing('Passing')]);
    expect(await often.output).toMatchObject({ n: 1, failure: { Error: 'Passing' } });
    const other = run(definition(first), [failing('Other')]);
    expect(await other.output).toMatchObject({ n: 1, failure: { Error: 'Other' } });
    expect(other.asked).toHaveLength(2);
  });

  test('fails when nothing catches the error', async () => {
    const bare: State = { Type: 'Task', Resource: 'first', Next: 'Last' };
    await expect(run(definition(bare), [failing('Other')]).output).rejects.toThrow(StateError);
  });

  test('ends with more than 256 KiB of state, past every catch', async () => {
    const large: InvocationResult = { result: { text: 'x'.repeat(300_000) } };
    await expect(run(definition(first), [large]).output).rejects.toMatchObject({ error: 'States.DataLimitExceeded' });
  });

  test('chooses and waits', async () => {
    const told = clock.now();
    const choices: State = {
      Type: 'Choice',
      Choices: [{ Variable: '$.n', NumericGreaterThan: 0, Next: 'W' }],
      Default: 'Last',
    };
    const machine = {
      StartAt: 'A',
      States: { A: choices, W: { Type: 'Wait', SecondsPath: '$.wait', Next: 'Last' } as State, Last: last },
    };
    await run(machine, [], { n: 1, wait: 50 }).output;
    const waited = clock.now() - told;
    await run(machine, [], { n: 0, wait: 5_000 }).output;
    expect(waited).toBeGreaterThanOrEqual(50_000);
    expect(clock.now() - told).toBeLessThan(5_000_000);
  });

  test.each([
    [{ Status: 'SUCCEEDED', Output: 'x' }, true],
    [{ Status: 'SUCCEEDED', Output: 'y' }, false],
    [{ Status: 'FAILED', Output: 'x' }, false],
  ])('compares %j by Not and And: %s', async (n, isFirst) => {
    const is = (field: string, StringEquals: string) => ({ Variable: `$.n.${field}`, StringEquals });
    const both = { And: [is('Status', 'SUCCEEDED'), { Not: { Not: is('Output', 'x') } }], Next: 'Pass' };
    const word: State = { Type: 'Pass', Result: 'a word', End: true };
    const states = { A: { Type: 'Choice', Choices: [both], Default: 'Last' } as State, Pass: word, Last: last };
    const { output } = run({ StartAt: 'A', States: states }, [], { n });
    expect(await output).toEqual(isFirst ? 'a word' : { n });
  });

  test('fails past every catch when a choice looks where nothing is', async () => {
    const choice: State = {
      Type: 'Choice',
      Choices: [{ Variable: '$.m', StringEquals: 'x', Next: 'Last' }],
      Default: 'Last',
    };
    await expect(run(definition(choice), []).output).rejects.toMatchObject({ error: 'States.Runtime' });
  });

  test('gives a task the parameters that the definition says', async () => {
    const Parameters = { Arn: 'arn', 'Name.$': '$$.Execution.Name', 'Input.$': 'States.JsonToString($)', 'N.$': '$.n' };
    const { asked, output } = run(definition({ ...first, Parameters }), []);
    await output;
    expect(asked[0]).toEqual(['first', { Arn: 'arn', Name: 'run-1', Input: '{"n":1}', N: 1 }]);
    const odd = { ...first, Parameters: { 'Input.$': 'States.UUID()' } };
    await expect(run(definition(odd), []).output).rejects.toThrow('the twin does not know this path');
  });

  test('has a limit that the wait for a processor of this machine does not use up', async () => {
    const waits = new ProcessorWaits(clock);
    const [started, ended] = [clock.now(), waits.begin()];
    const over = clock.work(() => waits.sleep(100, new AbortController().signal)).then(() => clock.now() - started);
    await clock.work(() => clock.sleep(60_000));
    ended();
    expect(await over).toBeGreaterThanOrEqual(160_000);
    expect(await over).toBeLessThan(200_000);
  });

  test('jitters a pause over all of its length', () => {
    const full = { ...retry, JitterStrategy: 'FULL' as const, MaxDelaySeconds: 150 };
    expect([backoffMs(full, 0, () => 0.5), backoffMs(full, 3, () => 1), backoffMs(full, 3, () => 0)]).toEqual([
      50_000, 150_000, 0,
    ]);
  });
});
