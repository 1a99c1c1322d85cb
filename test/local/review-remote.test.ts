/** Decisions about a deployment on the command line: what is asked of `review`, what is printed, and the exit codes. */
import { InvokeCommand, LambdaClient, ListFunctionsCommand, ListTagsCommand } from '@aws-sdk/client-lambda';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { s3Error } from '../storage/fake-s3.ts';
import { airlock } from './console.ts';

const lambda = mockClient(LambdaClient);
const s3 = mockClient(S3Client);
afterAll(() => {
  lambda.restore();
  s3.restore();
});
const RUN = 'ab'.repeat(16);
const HASH = 'cd'.repeat(32);
const index = {
  FunctionArn: 'index',
  Description: 'Mail Airlock, after the end of a run: index-run',
  Environment: { Variables: { AIRLOCK_RUNS_TABLE: 't', AIRLOCK_RUNS_KEPT_DAYS: '30', AIRLOCK_WORK_BUCKET: 'w' } },
};
const review = { FunctionArn: 'review', Description: 'Mail Airlock, review' };

beforeEach(() => {
  lambda.reset();
  s3.reset();
  lambda.on(ListFunctionsCommand).resolves({ Functions: [index, review] });
  lambda.on(ListTagsCommand).resolves({ Tags: { 'aws:cloudformation:stack-name': 'Mail' } });
  // Two attempts are there: what begins a third is not.
  s3.on(HeadObjectCommand).rejects(s3Error('NotFound', 404));
  for (const name of ['beginning', 'begun'])
    s3.on(HeadObjectCommand, { Key: `runs/${RUN}/2/${name}.json` }).resolves({});
  answers({ state: 'done' });
});

const answers = (answer: unknown) =>
  lambda.on(InvokeCommand).resolves({ Payload: new TextEncoder().encode(JSON.stringify(answer)) as never });
const called = (args: readonly string[], token = 'a token') =>
  airlock([...args, '--stack', 'Mail'], { env: { AIRLOCK_DESK_TOKEN: token, AWS_REGION: 'eu-central-1' } });
const events = () =>
  lambda.commandCalls(InvokeCommand).map(({ args }) => {
    const { FunctionName, Payload } = args[0].input;
    return [FunctionName, JSON.parse(new TextDecoder().decode(Payload as Uint8Array))];
  });

describe('a decision about held mail', () => {
  test.each([
    [['release'], 'release'],
    [['release', '--original'], 'original'],
    [['rescan'], 'rescan'],
    [['delete'], 'delete'],
  ])('%j is handed to review with the token and the newest attempt', async ([verb = '', ...more], action) => {
    const { code, stdout } = await called(['quarantine', verb, RUN, '--reason', 'ok', ...more]);
    expect([code, events()]).toEqual([
      0,
      [['review', { token: 'a token', request: { action, runId: RUN, seen: 2, why: 'ok' } }]],
    ]);
    expect(stdout).toMatch(action === 'delete' ? /^Deleted/ : /^Begun/);
    expect(stdout).not.toContain('a token');
  });

  test.each([
    [{ state: 'asked', message: 'kim asks' }, 1, 'kim asks'],
    [
      { state: 'refused', code: 'no_role', message: 'the role reader\u001b[31m' },
      2,
      'Nothing was changed: the role reader',
    ],
  ])('%j', async (answer, exit, says) => {
    answers(answer);
    const { code, stdout } = await called(['quarantine', 'release', RUN, '--reason', 'ok']);
    expect([code, stdout.includes(says), stdout.includes('\u001b')]).toEqual([exit, true, false]);
    const json = await called(['quarantine', 'release', RUN, '--reason', 'ok', '--json']);
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([exit, { action: 'release', state: answer.state }]);
  });
});

test('a block and an unblock are handed over, too', async () => {
  const { code } = await called(['block', 'add', '--file', HASH.toUpperCase(), '--reason', 'phishing']);
  answers({ state: 'unchanged' });
  const again = await called(['block', 'remove', '--file', HASH, '--reason', 'phishing']);
  expect([code, again.code, again.stdout]).toEqual([0, 1, expect.stringContaining('says that already')]);
  const request = { kind: 'file', value: HASH, why: 'phishing' };
  expect(events().map(([, { request: sent }]) => sent)).toEqual([
    { action: 'block', ...request },
    { action: 'unblock', ...request },
  ]);
});

test('a seal of the audit trail is handed over, too', async () => {
  const args = ['audit', 'seal', '--reason', 'the bucket was restored'];
  const sealed = await called(args);
  answers({ state: 'unchanged' });
  const again = await called(args);
  answers({ state: 'refused', code: 'no_role', message: 'the role analyst may not do this' });
  const refused = await called(args);
  expect([sealed.code, again.code, refused.code]).toEqual([0, 1, 2]);
  expect(sealed.stdout).toContain('The end of the audit trail is accepted.');
  expect(again.stdout).toBe('Nothing was changed: the audit trail ends where its head says.\n');
  expect(refused.stdout).toContain('the role analyst may not do this');
  expect(events()[0]).toEqual([
    'review',
    { token: 'a token', request: { action: 'seal', why: 'the bucket was restored' } },
  ]);
});

describe('nothing is asked', () => {
  test.each([
    ['without a token', ['quarantine', 'release', RUN, '--reason', 'ok'], '', 'AIRLOCK_DESK_TOKEN'],
    ['with a name, which the token says', ['quarantine', 'release', RUN, '--reason', 'ok', '--as', 'pat'], 'x', '--as'],
    ['without a reason', ['quarantine', 'release', RUN, '--reason', ' '], 'x', '--reason'],
    ['with a name of who seals', ['audit', 'seal', '--reason', 'ok', '--as', 'pat'], 'x', '--as'],
    ['with a name of who blocks', ['block', 'add', '--file', HASH, '--reason', 'ok', '--as', 'pat'], 'x', '--as'],
  ])('%s', async (_, args, token, says) => {
    const { code, stderr } = await called(args, token);
    expect([code, stderr.includes(says), events()]).toEqual([2, true, []]);
  });

  test('of a stack without a desk', async () => {
    lambda.on(ListFunctionsCommand).resolves({ Functions: [index] });
    const { code, stderr } = await called(['quarantine', 'release', RUN, '--reason', 'ok']);
    expect([code, stderr.includes('with a desk')]).toEqual([2, true]);
  });

  test.each([
    ['quarantine', 'release', RUN, '--reason', 'ok', '--out', 'x'],
    ['block', 'add', '--file', HASH, '--reason', 'ok', '--out', 'x'],
    ['audit', 'seal', '--reason', 'ok', '--out', 'x'],
  ])('of a folder without a name: %j', async (...args) => {
    const { code, stderr } = await airlock(args);
    expect([code, stderr.includes('--as')]).toEqual([2, true]);
  });
});
