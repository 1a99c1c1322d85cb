import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { noPorts } from '../../lambdas/shared/ports.ts';
import { contextOf, logger } from '../../lambdas/shared/runtime.ts';
import { extended, putChain } from '../../lib/pipeline/chain/chain.ts';
import { newLedger, newRun } from '../../lib/pipeline/chain/new-run.ts';
import { keys, runIdOf } from '../../lib/pipeline/keys.ts';
import { answerAsS3, type StoredVersion } from '../storage/fake-s3.ts';
import { awsContainers, executionEnded, objectCreated, sqsRecord, theRun } from './aws-events.ts';

awsContainers();
const s3 = mockClient(S3Client);
const secrets = mockClient(SecretsManagerClient);
secrets.on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
const bus = mockClient(EventBridgeClient);
const { handler } = await import('../../lambdas/quarantine.ts');
let objects: Map<string, StoredVersion[]>;

const INTAKE = { bucket: 'an-intake', key: 'mail', versionId: 'v1' };
const RUN_ID = runIdOf({ ...INTAKE, untrustedKey: INTAKE.key });

beforeEach(() => {
  s3.reset();
  objects = answerAsS3(s3);
  bus
    .reset()
    .on(PutEventsCommand)
    .resolves({ FailedEntryCount: 0, Entries: [{ EventId: 'e' }] });
  vi.spyOn(logger, 'error').mockReturnValue();
  vi.spyOn(logger, 'warn').mockReturnValue();
  vi.spyOn(logger, 'info').mockReturnValue();
  const body = new TextEncoder().encode('hostile');
  objects.set('an-intake/mail', [{ versionId: 'v1', body, contentType: 'text/html', tagging: undefined }]);
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const mock of [s3, secrets, bus]) mock.restore();
});

/** A run that already has a ledger. */
async function begin(): Promise<void> {
  const context = await contextOf(noPorts)();
  const { key: untrustedKey, ...rest } = INTAKE;
  const run = newRun(RUN_ID);
  const start = newLedger(context, run, { ...rest, untrustedKey, size: 7 });
  const times = { startedAt: start.bornAt, durationMs: 0 };
  const entry = { stage: 'parse' as const, ...times, policy: null, start, change: {} };
  await putChain(context, await extended(context, run, null, entry));
}

function record(): { reasons: { code: string; text: string }[] } | null {
  const stored = objects.get(`a-quarantine/${keys.quarantineRecord(RUN_ID, 1)}`)?.at(-1);
  return stored ? JSON.parse(new TextDecoder().decode(stored.body)) : null;
}

const emitted = () => bus.commandCalls(PutEventsCommand).flatMap(({ args }) => args[0].input.Entries ?? []);

test('files a run that the state machine gave up on, with the original and the reason', async () => {
  await begin();
  const failure = {
    Error: 'StageError',
    Cause: JSON.stringify({ errorMessage: 'no such part', errorType: 'StageError' }),
  };
  expect(await handler({ ...theRun(RUN_ID), failure })).toMatchObject({ disposition: 'quarantine' });
  expect(record()?.reasons[0]?.text).toContain('no such part');
  const original = objects.get(`a-quarantine/${keys.quarantinedOriginal(RUN_ID)}`)?.[0];
  expect(new TextDecoder().decode(original?.body)).toBe('hostile');
  expect(original?.contentType).toBe('application/octet-stream');
  expect(emitted()).toMatchObject([
    { DetailType: 'MessageQuarantined', Source: 'mail-airlock', EventBusName: 'default' },
  ]);
  expect(JSON.parse(emitted()[0]?.Detail ?? '')).toMatchObject({ runId: RUN_ID });
});

test('files a run that policy sends there', async () => {
  await begin();
  expect(await handler({ ...theRun(RUN_ID), disposition: 'quarantine' })).toMatchObject({ runId: RUN_ID });
  expect(record()).not.toBeNull();
});

test.each(['FAILED', 'TIMED_OUT', 'ABORTED'] as const)(
  'files a run whose execution ended as %s, by rule or by queue',
  async (status) => {
    await begin();
    await handler(executionEnded(RUN_ID, status));
    expect(record()?.reasons[0]?.text).toMatch(/^Execution(Failed|TimedOut|Aborted)/);
    objects.delete(`a-quarantine/${keys.quarantineRecord(RUN_ID, 1)}`);
    for (const name of ['parse', 'quarantine']) objects.delete(`a-work/${keys.entry(RUN_ID, 1, name)}`);
    await begin();
    const answer = await handler({ Records: [sqsRecord('a', executionEnded(RUN_ID, status))] });
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(record()).not.toBeNull();
  },
);

test('files an email that no run could be made for', async () => {
  const answer = await handler({ Records: [sqsRecord('a', objectCreated('mail'))] });
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(
    record()
      ?.reasons.map(({ code, text }) => `${code} ${text}`)
      .join(),
  ).toContain('dead_lettered: the object could not be read, even after several tries');
  expect(objects.has(`a-quarantine/${keys.quarantinedOriginal(RUN_ID)}`)).toBe(true);
});

describe('a setting that somebody spoiled keeps no mail of the intake bucket from being held:', () => {
  test.each([
    ['AIRLOCK_SOURCES', '{no list'],
    ['AIRLOCK_SOURCES', '{"bucket":"uploads"}'],
    ['AIRLOCK_DEADLINE_SECONDS', 'ten'],
    ['AIRLOCK_METRICS', ''],
    ['AIRLOCK_OCSF_FINDINGS', 'perhaps'],
  ])('%s=%s', async (name, value) => {
    vi.stubEnv(name, value);
    vi.resetModules();
    const { handler: fresh } = await import('../../lambdas/quarantine.ts');
    await begin();
    await fresh({ ...theRun(RUN_ID), disposition: 'quarantine' });
    vi.stubEnv(name, undefined);
    expect(record()).not.toBeNull();
    expect(objects.has(`a-quarantine/${keys.quarantinedOriginal(RUN_ID)}`)).toBe(true);
  });

  test('AIRLOCK_EVENT_BUS is not set: it is held, and told of when it is', async () => {
    const bus = process.env.AIRLOCK_EVENT_BUS;
    await begin();
    vi.stubEnv('AIRLOCK_EVENT_BUS', '');
    vi.resetModules();
    const { handler: fresh } = await import('../../lambdas/quarantine.ts');
    const input = { ...theRun(RUN_ID), disposition: 'quarantine' };
    await expect(fresh(input)).rejects.toThrow('AIRLOCK_EVENT_BUS is not set');
    expect([record() !== null, objects.has(`a-quarantine/${keys.quarantinedOriginal(RUN_ID)}`)]).toEqual([true, true]);
    vi.stubEnv('AIRLOCK_EVENT_BUS', bus);
    await fresh(input);
    expect(emitted()).toHaveLength(1);
  });

  test('mail of a bucket of others waits until its list can be read', async () => {
    const event = sqsRecord('a', {
      detail: { bucket: { name: 'uploads' }, object: { key: 'mail', 'version-id': 'v1' } },
    });
    vi.stubEnv('AIRLOCK_SOURCES', '{no list');
    expect(await handler({ Records: [event] })).toEqual({ batchItemFailures: [{ itemIdentifier: 'a' }] });
    expect([...objects.keys()].filter((key) => key.startsWith('a-quarantine/'))).toEqual([]);
    vi.stubEnv('AIRLOCK_SOURCES', undefined);
  });
});

test('leaves what it cannot read in the queue, so that the alarm is raised', async () => {
  const answer = await handler({
    Records: [sqsRecord('odd', { hello: 'world' }), sqsRecord('a', objectCreated('mail'))],
  });
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'odd' }] });
  await expect(handler({ hello: 'world' })).rejects.toThrow();
});

test('asks to run again when EventBridge accepted nothing', async () => {
  await begin();
  bus.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] });
  await expect(handler(theRun(RUN_ID))).rejects.toMatchObject({ name: 'TransientError' });
});
