/** The function that asks `parse` to try words of other mail: what it sends, and who understands it. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { logger } from '../../lambdas/shared/runtime.ts';
import { passwordTryOf } from '../../lib/pipeline/passwords/password-try.ts';
import { createSqsPasswordTry } from '../../lib/storage/sqs/password-try.ts';
import { answerAsS3 } from '../storage/fake-s3.ts';
import { RUN_EVENT } from '../storage/run-event.ts';
import { awsContainers, sqsRecord } from './aws-events.ts';

awsContainers();
vi.stubEnv('AIRLOCK_RUNS_TABLE', 'a-table');
vi.stubEnv('AIRLOCK_INTAKE_QUEUE', 'https://sqs.eu-central-1.amazonaws.com/123456789012/intake');
const s3 = mockClient(S3Client);
const sqs = mockClient(SQSClient);
const dynamo = mockClient(DynamoDBClient);
const { handler } = await import('../../lambdas/password-mail.ts');
const quarantine = await import('../../lambdas/quarantine.ts');

const RUN = 'ab'.repeat(16);
const TRY = { runId: RUN, from: ['cd'.repeat(16)] };

beforeEach(() => {
  s3.reset();
  answerAsS3(s3);
  sqs.reset().on(SendMessageCommand).resolves({});
  for (const level of ['error', 'warn', 'info'] as const) vi.spyOn(logger, level).mockReturnValue();
});
afterAll(() => {
  for (const mock of [s3, sqs, dynamo]) mock.restore();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const ending = (receipts: number) => {
  const record = sqsRecord('a', { detail: { ...RUN_EVENT, bucket: 'quarantine', state: 'quarantined' } });
  return handler({
    Records: [{ ...record, attributes: { ...record.attributes, ApproximateReceiveCount: String(receipts) } }],
  });
};

test('a held mail whose end is not noted yet is looked at again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answer = ending(1);
  await vi.runAllTimersAsync();
  expect(await answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'a' }] });
});

test('and one whose end is in no chain for long asks for nothing', async () => {
  const answer = await ending(3);
  expect([sqs.calls().length, dynamo.calls().length]).toEqual([0, 0]);
  expect(answer).toEqual({ batchItemFailures: [] });
});

test('a request goes into the queue of parse, and files nothing when nobody could do it', async () => {
  await createSqsPasswordTry({ client: new SQSClient({}), queueUrl: 'https://queue.example' })(TRY);
  const [sent] = sqs.commandCalls(SendMessageCommand);
  expect(sent?.args[0].input.QueueUrl).toBe('https://queue.example');
  const body: unknown = JSON.parse(sent?.args[0].input.MessageBody ?? '');
  expect(passwordTryOf(body)).toEqual(TRY);
  expect(await quarantine.handler({ Records: [sqsRecord('a', body)] })).toEqual({ batchItemFailures: [] });
  expect(s3.commandCalls(PutObjectCommand)).toEqual([]);
  // It asked whether the request had begun an attempt, which would have to be ended.
  expect(s3.calls().length).toBeGreaterThan(0);
});
