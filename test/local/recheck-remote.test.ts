/** `airlock recheck --stack`: what it asks of AWS, round by round, what it prints, and its exit codes. */
import { InvokeCommand, LambdaClient, ListFunctionsCommand, ListTagsCommand } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { airlock } from './console.ts';

const lambda = mockClient(LambdaClient);
afterAll(() => lambda.restore());

const HASH = 'ab'.repeat(32);
const NOTHING = { same: 0, worse: 0, unanswered: 0, unreadable: 0, recalled: 0 };
const worse = {
  schema: 'mail-airlock/worse/1',
  ...{ sha256: HASH, before: 'benign', after: 'malicious', at: '2026-11-20T03:15:00.000Z' },
  ...{ untrustedReasons: ['bad\u001b[31m'], engines: 'static 1' },
};

beforeEach(() => {
  lambda.reset();
  const FunctionArn = 'arn:recheck';
  lambda.on(ListFunctionsCommand).resolves({
    Functions: [
      { FunctionArn: 'arn:digest', Description: 'Mail Airlock, once a day: digest' },
      { FunctionArn, Description: 'Mail Airlock, once a day: recheck' },
    ],
  });
  lambda.on(ListTagsCommand, { Resource: FunctionArn }).resolves({ Tags: { 'aws:cloudformation:stack-name': 'Mail' } });
});

const answers = (answer: unknown) => ({ Payload: new TextEncoder().encode(JSON.stringify(answer)) as never });
const recheck = (...args: string[]) => airlock(['recheck', '--stack', 'Mail', ...args]);
const events = () =>
  lambda.commandCalls(InvokeCommand).map(({ args }) => {
    const { FunctionName, Payload } = args[0].input;
    return [FunctionName, JSON.parse(new TextDecoder().decode(Payload as Uint8Array))];
  });

test('asks round by round until nothing is left, and adds the counts up', async () => {
  const next = { day: '2026-11-20', since: 1, after: `1-${'ab'.repeat(16)}`, budget: 3 };
  lambda
    .on(InvokeCommand)
    .resolvesOnce(answers({ counts: { ...NOTHING, same: 2 }, worse: [], next }))
    .resolvesOnce(answers({ counts: { ...NOTHING, worse: 1, recalled: 2 }, worse: [worse], next: null }));
  const { code, stdout } = await recheck('--days', '3', '--budget', '5');
  expect(events()).toEqual([
    ['arn:recheck', { days: 3, budget: 5 }],
    ['arn:recheck', next],
  ]);
  expect(code).toBe(1);
  expect(stdout).toContain(`${HASH} was benign and is malicious now`);
  expect(stdout).toContain('3 files asked about');
  expect(stdout).not.toContain('\u001b');
});

test('nothing that is worse ends with 0', async () => {
  lambda.on(InvokeCommand).resolves(answers({ counts: { ...NOTHING, same: 1 }, worse: [], next: null }));
  expect((await recheck()).code).toBe(0);
});

test.each([
  ['failed', { ...answers({ errorMessage: 'a reason' }), FunctionError: 'Unhandled' }, 'arn:recheck failed'],
  ['is another', answers({ other: true }), 'is not the recheck function of a Mail Airlock'],
])('says that the function %s', async (_, answer, text) => {
  lambda.on(InvokeCommand).resolves(answer);
  expect(await recheck()).toMatchObject({ code: 3, stderr: expect.stringContaining(text) });
});

test.each([
  [['--service', 'http://127.0.0.1:1'], 'are those of the deployment'],
  [['--days', '0'], '--days takes a number'],
])('%j is explained', async (args, why) => {
  expect(await recheck(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
});

test('a stack without it is told how to get it', async () => {
  lambda.on(ListFunctionsCommand).resolves({ Functions: [] });
  expect(await recheck()).toMatchObject({ code: 2, stderr: expect.stringContaining('-c recheck=true') });
});
