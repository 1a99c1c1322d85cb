import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { logger } from '../../lambdas/shared/runtime.ts';
import { keys, runIdOf } from '../../lib/pipeline/keys.ts';
import { foldedLedger } from '../pipeline/folded.ts';
import { answerAsS3, type StoredVersion, s3Error } from '../storage/fake-s3.ts';
import { awsContainers, objectCreated, sqsRecord, theRun } from './aws-events.ts';

awsContainers();
const s3 = mockClient(S3Client);
const secrets = mockClient(SecretsManagerClient);
secrets.on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
const states = mockClient(SFNClient);
const { handler } = await import('../../lambdas/parse.ts');
let objects: Map<string, StoredVersion[]>;

const EMAIL = [
  'From: a@example.com',
  'To: b@example.com',
  'Subject: hello',
  'MIME-Version: 1.0',
  '',
  'Hello.',
  '',
].join('\r\n');

beforeEach(() => {
  s3.reset();
  states.reset().on(StartExecutionCommand).resolves({});
  objects = answerAsS3(s3);
  vi.spyOn(logger, 'error').mockReturnValue();
  vi.spyOn(logger, 'warn').mockReturnValue();
  vi.spyOn(logger, 'info').mockReturnValue();
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const mock of [s3, secrets, states]) mock.restore();
});

function upload(key: string, content = EMAIL): void {
  const body = new TextEncoder().encode(content);
  const version = { versionId: 'v1', body, contentType: undefined, tagging: undefined };
  objects.set(`an-intake/${key}`, [version]);
}

function receive(...records: SQSEvent['Records']): Promise<SQSBatchResponse> {
  return handler({ Records: records });
}

/** What the lambda answers after it has tried again: its pauses are told, not waited for. */
async function afterPauses<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let isDone = false;
  const answer = work().finally(() => {
    isDone = true;
  });
  while (!isDone) await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  return answer;
}

const runOf = (key: string, versionId = 'v1') => runIdOf({ bucket: 'an-intake', untrustedKey: key, versionId });
const started = () => states.commandCalls(StartExecutionCommand).map(({ args }) => args[0].input);

test('writes the ledger of an email and starts the execution that carries the name of its run', async () => {
  const key = 'inbox/2026/ünï code+%41 mail.eml';
  upload(key);
  expect(await receive(sqsRecord('a', objectCreated(key)))).toEqual({ batchItemFailures: [] });
  const stored = objects.get(`a-work/${keys.entry(runOf(key), 1, 'parse')}`)?.[0];
  expect(foldedLedger(stored?.body)).toMatchObject({
    runId: runOf(key),
    kind: 'email',
    intake: { bucket: 'an-intake', untrustedKey: key, versionId: 'v1' },
    message: { untrustedSubject: 'hello' },
  });
  const [start] = started();
  expect(start).toMatchObject({ name: `${runOf(key)}-1`, stateMachineArn: process.env.AIRLOCK_STATE_MACHINE_ARN });
  expect(JSON.parse(start?.input ?? '')).toEqual(theRun(runOf(key)));
});

test('starts nothing new for a repeated event', async () => {
  upload('mail');
  await receive(sqsRecord('a', objectCreated('mail')));
  const exists = new ExecutionAlreadyExists({ message: 'exists', $metadata: { httpStatusCode: 400 } });
  states.on(StartExecutionCommand).rejects(exists);
  expect(await receive(sqsRecord('b', objectCreated('mail')))).toEqual({ batchItemFailures: [] });
  expect(objects.get(`a-work/${keys.entry(runOf('mail'), 1, 'parse')}`)).toHaveLength(1);
  expect(new Set(started().map(({ name }) => name))).toEqual(new Set([`${runOf('mail')}-1`]));
});

test('parses the neighbours of a record that cannot be parsed', async () => {
  upload('good');
  const answer = await receive(
    sqsRecord('not-an-event', { hello: 'world' }),
    sqsRecord('never-uploaded', objectCreated('missing')),
    sqsRecord('good', objectCreated('good')),
  );
  expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toContain('not-an-event');
  expect(started().map(({ name }) => name)).toContain(`${runOf('good')}-1`);
});

test('hands an email back to the queue while S3 is too busy', async () => {
  upload('mail');
  s3.on(GetObjectCommand).rejects(s3Error('SlowDown', 503));
  const failed = [{ itemIdentifier: 'a' }];
  expect(await afterPauses(() => receive(sqsRecord('a', objectCreated('mail'))))).toEqual({
    batchItemFailures: failed,
  });
  expect(started()).toEqual([]);
});

test('hands an email back to the queue when its execution could not be started', async () => {
  upload('mail');
  states.on(StartExecutionCommand).rejects(s3Error('ThrottlingException', 400));
  const failed = [{ itemIdentifier: 'a' }];
  expect(await afterPauses(() => receive(sqsRecord('a', objectCreated('mail'))))).toEqual({
    batchItemFailures: failed,
  });
});
