/** A mail through every entry point in the order of the state machine: each runs its stage, over the ports that it was given. */
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { analysisPorts } from '../../lambdas/shared/analysis.ts';
import { logger } from '../../lambdas/shared/runtime.ts';
import { keys, runIdOf } from '../../lib/pipeline/keys.ts';
import { foldedLedger } from '../pipeline/folded.ts';
import { WAY, wayWithout } from '../pipeline/way.ts';
import { answerAsS3, type StoredVersion } from '../storage/fake-s3.ts';
import { awsContainers, objectCreated, sqsRecord, theRun } from './aws-events.ts';

awsContainers();
vi.stubEnv('AIRLOCK_SUBMISSIONS_TABLE', 'the-submissions');
vi.stubEnv('AIRLOCK_ANALYSIS_URL', 'https://analysis.example.com');
vi.stubEnv('AIRLOCK_API_KEY_SECRET', 'the-key');
const s3 = mockClient(S3Client);
const states = mockClient(SFNClient);
const bus = mockClient(EventBridgeClient);
const secrets = mockClient(SecretsManagerClient);
const dynamo = mockClient(DynamoDBClient);
const { handler: parse } = await import('../../lambdas/parse.ts');
const { handler: quarantine } = await import('../../lambdas/quarantine.ts');
const STAGES = new Map<string, (state: unknown) => Promise<unknown>>();
for (const stage of [...WAY, 'deliver']) STAGES.set(stage, (await import(`../../lambdas/${stage}.ts`)).handler);
let objects: Map<string, StoredVersion[]>;

beforeEach(() => {
  s3.reset();
  objects = answerAsS3(s3);
  states.reset().on(StartExecutionCommand).resolves({});
  bus.reset().on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  secrets.reset().on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
  dynamo.reset().on(PutItemCommand).resolves({});
  for (const level of ['error', 'warn', 'info'] as const) vi.spyOn(logger, level).mockReturnValue();
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const mock of [s3, states, bus, secrets, dynamo]) mock.restore();
});

const RUN_ID = runIdOf({ bucket: 'an-intake', untrustedKey: 'mail', versionId: 'v1' });
const EMPTY_MAIL = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: hello\r\nMIME-Version: 1.0\r\n\r\n';
const ledger = () => foldedLedger(objects.get(`a-work/${keys.entry(RUN_ID, 1, 'deliver')}`)?.at(-1)?.body);

test('a mail passes through all of them, and the log of each names its stage and its run', async () => {
  const body = new TextEncoder().encode(EMPTY_MAIL);
  objects.set('an-intake/mail', [{ versionId: 'v1', body, contentType: undefined, tagging: undefined }]);
  const reset = vi.spyOn(logger, 'resetKeys');
  const named = vi.spyOn(logger, 'appendKeys');
  expect(await parse({ Records: [sqsRecord('a', objectCreated('mail'))] })).toEqual({ batchItemFailures: [] });
  expect(named).toHaveBeenLastCalledWith({ stage: 'parse' });

  let state: unknown = theRun(RUN_ID);
  for (const [stage, handler] of STAGES) {
    reset.mockClear();
    state = await handler(state);
    // What the work before has named does not stay in the log.
    expect(reset).toHaveBeenCalledTimes(1);
    expect(named).toHaveBeenLastCalledWith({ stage, runId: RUN_ID });
  }
  expect(state).toEqual({ ...theRun(RUN_ID), last: 'deliver', polls: 1, disposition: 'deliver' });
  const wrote = ['parse', ...wayWithout('poll', 'fetch'), 'deliver'];
  expect(ledger().stages.map(({ stage }) => stage)).toEqual(wrote);
  expect(new TextDecoder().decode(objects.get(`a-clean/${keys.cleanMessage(RUN_ID)}`)?.[0]?.body)).toContain(
    'Subject: hello\r\n',
  );
  expect(bus.commandCalls(PutEventsCommand)[0]?.args[0].input.Entries).toMatchObject([
    { DetailType: 'MessageDelivered', EventBusName: 'default' },
  ]);
});

test('the log of quarantine names the run when the event does, and else the stage alone', async () => {
  const named = vi.spyOn(logger, 'appendKeys');
  await quarantine(theRun(RUN_ID)).catch(() => null);
  expect(named).toHaveBeenLastCalledWith({ stage: 'quarantine', runId: RUN_ID });
  await quarantine({ runId: 'not an id' }).catch(() => null);
  expect(named).toHaveBeenLastCalledWith({ stage: 'quarantine' });
});

test('claims go to the table of the deployment', async () => {
  const { submissions } = await analysisPorts();
  const record = { key: 'k', claimedBy: RUN_ID, submissionId: null, report: null, disarmed: null, expiresAtSeconds: 9 };
  expect((await submissions?.claim(record, 0))?.won).toBe(true);
  expect(dynamo.commandCalls(PutItemCommand)[0]?.args[0].input.TableName).toBe('the-submissions');
  vi.stubEnv('AIRLOCK_CDR_URL', 'https://cdr.example.com');
  vi.stubEnv('AIRLOCK_CDR_TOKEN_SECRET', 'the-token');
  expect(Object.keys(await analysisPorts()).sort()).toEqual(['analyzer', 'schedule', 'submissions']);
});
