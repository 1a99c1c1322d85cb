/** The function that begins held runs again: its requests, what it lists, starts and asks parse to read. */
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseInputOf, quarantineInputOf } from '../../lambdas/shared/events.ts';
import { noPorts } from '../../lambdas/shared/ports.ts';
import { redriveRequestOf } from '../../lambdas/shared/redrive-request.ts';
import { contextOf, logger } from '../../lambdas/shared/runtime.ts';
import { noteIntake } from '../../lib/pipeline/chain/new-run.ts';
import { runIdOf } from '../../lib/pipeline/keys.ts';
import { createS3HeldRuns } from '../../lib/storage/s3/held-runs.ts';
import { answerAsS3, s3Error } from '../storage/fake-s3.ts';
import { awsContainers } from './aws-events.ts';

awsContainers();
vi.stubEnv('AIRLOCK_INTAKE_QUEUE', 'https://sqs.eu-central-1.amazonaws.com/123456789012/intake');
const s3 = mockClient(S3Client);
const secrets = mockClient(SecretsManagerClient);
secrets.on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
const states = mockClient(SFNClient);
const sqs = mockClient(SQSClient);
const { handler } = await import('../../lambdas/redrive.ts');

const INTAKE = { bucket: 'an-intake', untrustedKey: 'mail', versionId: 'v1', size: 7 };
const RUN = runIdOf(INTAKE);

beforeEach(() => {
  s3.reset();
  answerAsS3(s3);
  states.reset().on(StartExecutionCommand).resolves({});
  sqs.reset().on(SendMessageCommand).resolves({});
  for (const level of ['error', 'warn', 'info'] as const) vi.spyOn(logger, level).mockReturnValue();
});
afterAll(() => {
  for (const mock of [s3, secrets, states, sqs]) mock.restore();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('a run of which parse left nothing is read again: parse gets a message that only it and quarantine understand', async () => {
  await noteIntake(await contextOf(noPorts)(), RUN, INTAKE);
  expect(await handler({ runs: [RUN] })).toEqual({ runs: [{ runId: RUN, attempt: 2, obstacle: null }], next: null });
  const sent = sqs.commandCalls(SendMessageCommand).map(({ args }) => args[0].input);
  expect(sent.map(({ QueueUrl }) => QueueUrl)).toEqual(['https://sqs.eu-central-1.amazonaws.com/123456789012/intake']);
  const body: unknown = JSON.parse(sent[0]?.MessageBody ?? '');
  const again = { number: 2, begunAt: expect.any(String), reason: 'redrive', earlier: null };
  expect(parseInputOf(body)).toEqual({ intake: INTAKE, again });
  expect(quarantineInputOf(body)).toEqual({ intake: INTAKE, again });
  expect(states.commandCalls(StartExecutionCommand)).toEqual([]);
});

describe('a request', () => {
  test('without anything is about all runs', () => {
    expect(redriveRequestOf({})).toEqual({ dryRun: false, reason: null, since: null, until: null, after: null });
  });

  test('has times and a reason, or names runs', () => {
    const wanted = { reason: 'timeout', since: '2026-11-23T08:00:00Z', until: null, after: 'x', dryRun: true };
    expect(redriveRequestOf(wanted)).toEqual({ ...wanted, since: Date.UTC(2026, 10, 23, 8) });
    expect(redriveRequestOf({ runs: [RUN] })).toEqual({ runs: [RUN], dryRun: false });
  });

  test.each([
    ['no object', null],
    ['a reason that does not pass', { reason: 'malicious' }],
    ['a time that is none', { since: 'yesterday' }],
    ['a field that is unknown', { all: true }],
    ['an id that is none', { runs: ['../x'] }],
    ['no run', { runs: [] }],
    ['more runs than one request may have', { runs: Array.from({ length: 501 }, () => RUN) }],
  ])('with %s is refused', async (_, event) => {
    await expect(handler(event)).rejects.toThrow('this request to redrive cannot be used');
  });
});

describe('held runs in the quarantine bucket', () => {
  const id = (digit: string) => digit.repeat(32);
  const heldAt = new Date('2026-11-23T08:00:00Z');
  const page = (IsTruncated: boolean, ...keys: string[]) =>
    s3.on(ListObjectsV2Command).resolves({ Contents: keys.map((Key) => ({ Key, LastModified: heldAt })), IsTruncated });
  const held = () => createS3HeldRuns({ client: new S3Client({}), bucketName: 'a-quarantine' });
  const run = (digit: string) => ({ runId: id(digit), heldAt: heldAt.getTime() });

  test('are those with a record', async () => {
    page(false, `${id('a')}/original`, `${id('a')}/record.json`, `${id('b')}/original`, 'x/record.json');
    expect(await held().list(null, 10)).toEqual({ runs: [run('a')], next: null });
  });

  test('are listed once, with the time of the newest record', async () => {
    const [first, second] = [heldAt, new Date('2026-11-24T09:30:00Z')];
    s3.on(ListObjectsV2Command).resolves({
      Contents: [
        { Key: `${id('a')}/record-2.json`, LastModified: second },
        { Key: `${id('a')}/record.json`, LastModified: first },
        { Key: `${id('b')}/record.json`, LastModified: first },
      ],
    });
    expect(await held().list(null, 10)).toEqual({
      runs: [{ ...run('a'), heldAt: second.getTime() }, run('b')],
      next: null,
    });
  });

  test('are listed page by page, and a page may be cut', async () => {
    page(true, `${id('a')}/record.json`, `${id('b')}/original`);
    expect(await held().list(null, 10)).toEqual({ runs: [run('a')], next: `${id('b')}/original` });
    page(false, `${id('a')}/record.json`, `${id('b')}/record.json`);
    expect(await held().list('after this', 1)).toEqual({ runs: [run('a')], next: `${id('a')}/record.json` });
    const [, second] = s3.commandCalls(ListObjectsV2Command);
    expect(second?.args[0].input).toEqual({ Bucket: 'a-quarantine', StartAfter: 'after this' });
    page(true);
    expect(await held().list(null, 10)).toEqual({ runs: [], next: null });
  });

  test('are asked for later when S3 throttles', async () => {
    s3.on(ListObjectsV2Command).rejects(s3Error('SlowDown', 503));
    await expect(held().list(null, 10)).rejects.toThrow('s3 list failed for now');
  });
});
