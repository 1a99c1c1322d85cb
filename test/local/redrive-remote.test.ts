/** `airlock redrive` for a deployment: what it asks of AWS, what it prints, and its exit codes. */
import { InvokeCommand, LambdaClient, ListFunctionsCommand, ListTagsCommand } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { airlock } from './console.ts';

const lambda = mockClient(LambdaClient);
afterAll(() => lambda.restore());
const [ONE, TWO] = ['ab'.repeat(16), 'cd'.repeat(16)];
const begun = { runId: ONE, attempt: 2, obstacle: null };
const left = { runId: TWO, attempt: null, obstacle: 'it was delivered\u001b[31m' };

beforeEach(() => {
  lambda.reset();
});

const answers = (answer: unknown) => ({ Payload: new TextEncoder().encode(JSON.stringify(answer)) as never });

async function redrive(...args: string[]) {
  const { code, stdout, stderr } = await airlock(['redrive', ...args]);
  return { code, out: stdout, err: stderr };
}

const events = () =>
  lambda.commandCalls(InvokeCommand).map(({ args }) => {
    const { FunctionName, Payload } = args[0].input;
    return [FunctionName, JSON.parse(new TextDecoder().decode(Payload as Uint8Array))];
  });

test('asks until no run is left, and prints a line for each', async () => {
  lambda
    .on(InvokeCommand)
    .resolvesOnce(answers({ runs: [begun], next: 'x' }))
    .resolvesOnce(answers({ runs: [], next: null }));
  const { code, out } = await redrive('--function', 'f', '--reason', 'timeout', '--since', '2026-11-23T08:00Z');
  expect([code, out]).toEqual([0, `${ONE}  attempt 2\n1 run begun again\n`]);
  const wanted = { reason: 'timeout', since: '2026-11-23T08:00:00.000Z', dryRun: false };
  expect(events()).toEqual([
    ['f', { ...wanted, after: null }],
    ['f', { ...wanted, after: 'x' }],
  ]);
});

test('names runs in one request, and says which were not begun', async () => {
  lambda.on(InvokeCommand).resolves(answers({ runs: [begun, left], next: null }));
  const { code, out } = await redrive('--function', 'f', ONE, TWO);
  expect(events()).toEqual([['f', { runs: [ONE, TWO], dryRun: false }]]);
  expect(code).toBe(1);
  expect(out).toContain(`${TWO}  not begun: it was delivered`);
  expect(out).not.toContain('\u001b');
});

test('finds the function of a stack by its tag', async () => {
  const described = (name: string) => ({ FunctionArn: name, Description: 'Mail Airlock, redrive' });
  lambda
    .on(ListFunctionsCommand)
    .resolvesOnce({ Functions: [{ FunctionArn: 'other', Description: 'x' }, described('first')], NextMarker: 'm' })
    .resolvesOnce({ Functions: [described('second')] });
  lambda.on(ListTagsCommand, { Resource: 'first' }).resolves({ Tags: { 'aws:cloudformation:stack-name': 'Another' } });
  lambda.on(ListTagsCommand, { Resource: 'second' }).resolves({ Tags: { 'aws:cloudformation:stack-name': 'Mail' } });
  lambda.on(InvokeCommand).resolves(answers({ runs: [], next: null }));
  expect((await redrive('--stack', 'Mail', '--dry-run')).out).toBe('0 runs to be begun again\n');
  expect(events()).toEqual([['second', { dryRun: true, after: null }]]);
});

test.each([
  ['no stack of this name', { Functions: [] }, 2, 'has no stack of this name'],
  ['an error of AWS', new Error('not authorized'), 3, 'AWS refused or did not answer: Error: not authorized'],
])('says that there is %s', async (_, answer, code, text) => {
  if (answer instanceof Error) lambda.on(ListFunctionsCommand).rejects(answer);
  else lambda.on(ListFunctionsCommand).resolves(answer);
  expect(await redrive('--stack', 'Mail')).toMatchObject({ code, err: expect.stringContaining(text) });
});

test.each([
  ['failed', { ...answers({ errorMessage: 'a reason' }), FunctionError: 'Unhandled' }, 'f failed: a reason'],
  ['is another', answers({ other: true }), 'f is not the redrive function of a Mail Airlock'],
])('says that the function %s', async (_, answer, text) => {
  lambda.on(InvokeCommand).resolves(answer);
  expect(await redrive('--function', 'f')).toMatchObject({ code: 3, err: expect.stringContaining(text) });
});
