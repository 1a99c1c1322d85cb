import { S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eachRecord, queueOrDirect } from '../../lambdas/shared/batches.ts';
import { noPorts } from '../../lambdas/shared/ports.ts';
import { contextOf, logger, setting } from '../../lambdas/shared/runtime.ts';
import { stageHandler } from '../../lambdas/shared/stage-handler.ts';
import { signingKey } from '../../lib/pipeline/chain/ed25519.ts';
import { AttemptBegunError, ConfigError, CorruptDataError, TransientError } from '../../lib/pipeline/errors.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { answerAsS3 } from '../storage/fake-s3.ts';
import { awsEnvironment, sqsRecord, theRun } from './aws-events.ts';

beforeEach(() => {
  awsEnvironment();
  vi.spyOn(logger, 'error').mockReturnValue();
  vi.spyOn(logger, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('a stage behind its entry point', () => {
  test('takes the state of the state machine and returns the next', async () => {
    const handler = stageHandler('decide', async (_, run) => ({ ...run, disposition: 'deliver' }), noPorts);
    expect(await handler(theRun())).toEqual({ ...theRun(), disposition: 'deliver' });
  });

  test('does not run for an invalid state', async () => {
    const stage = vi.fn();
    const handler = stageHandler('decide', stage, noPorts);
    await expect(handler({ ...theRun(), runId: '../../etc/passwd' })).rejects.toThrow();
    await expect(handler({ ...theRun(), disposition: 'approved' })).rejects.toThrow();
    for (const runId of [`${theRun().runId}0`, `0${theRun().runId}`, theRun().runId.toUpperCase()])
      await expect(handler({ ...theRun(), runId })).rejects.toThrow();
    for (const field of ['outstanding', 'waitSeconds', 'polls'])
      await expect(handler({ ...theRun(), [field]: -1 })).rejects.toThrow();
    for (const field of Object.keys(theRun()))
      await expect(handler({ ...theRun(), [field]: undefined })).rejects.toThrow();
    await expect(handler({})).rejects.toThrow();
    expect(stage).not.toHaveBeenCalled();
  });

  test('builds its context once for all invocations of a container', async () => {
    const makePorts = vi.fn(noPorts);
    const handler = stageHandler('decide', async (_, run) => run, makePorts);
    await handler(theRun());
    await handler(theRun());
    expect(makePorts).toHaveBeenCalledTimes(1);
  });

  test('tries to build its context again after a failure', async () => {
    const makePorts = vi.fn(noPorts).mockRejectedValueOnce(new TransientError('secrets are slow today'));
    const context = contextOf(makePorts);
    await expect(context()).rejects.toThrow(TransientError);
    expect((await context()).limits.deadlineSeconds).toBe(1_800);
  });

  test('builds its context anew after a while, so that a rotated key is noticed', async () => {
    vi.useFakeTimers({ now: 0, toFake: ['Date'] });
    const makePorts = vi.fn(noPorts);
    const context = contextOf(makePorts);
    await context();
    vi.setSystemTime(15 * 60_000);
    await context();
    expect(makePorts).toHaveBeenCalledTimes(1);
    vi.setSystemTime(16 * 60_000);
    await context();
    // The new one is as old as its own start.
    vi.setSystemTime(30 * 60_000);
    await context();
    vi.useRealTimers();
    expect(makePorts).toHaveBeenCalledTimes(2);
  });

  test('reads and writes the buckets the environment names, and no other', async () => {
    const s3 = mockClient(S3Client);
    const objects = answerAsS3(s3);
    const { blobs } = await contextOf(noPorts)();
    await blobs.put('work', 'key', new Uint8Array(1));
    expect([...objects.keys()]).toEqual(['a-work/key']);
    vi.stubEnv('AIRLOCK_CLEAN_BUCKET', '');
    const unaware = await contextOf(noPorts)();
    await expect(unaware.blobs.put('clean', 'key', new Uint8Array(1))).rejects.toThrow('clean bucket');
    s3.restore();
  });

  test('cannot use a port that it was not given', async () => {
    const { analyzer, events } = await contextOf(noPorts)();
    expect(() => analyzer.submit).toThrow('this lambda has no analyzer');
    expect(() => events.emit).toThrow('this lambda has no events');
  });

  test.each([
    ['NaN', 'ten'],
    ['negative', '-5'],
    ['zero', '0'],
  ])('uses the default for a deadline that is %s, so that quarantine still works', async (_, value) => {
    vi.stubEnv('AIRLOCK_DEADLINE_SECONDS', value);
    expect((await contextOf(noPorts)()).limits).toEqual(DEFAULT_LIMITS);
  });

  test('does not start with a policy that cannot be used', async () => {
    vi.stubEnv('AIRLOCK_POLICY', '{"types": 1}');
    await expect(contextOf(noPorts)()).rejects.toThrow(ConfigError);
    await expect(contextOf(noPorts)()).rejects.toThrow("the deployment's policy cannot be used");
  });

  test('takes its deadline and its policy from the deployment', async () => {
    vi.stubEnv('AIRLOCK_DEADLINE_SECONDS', '600');
    vi.stubEnv('AIRLOCK_POLICY', '{"types":{"pdf":{"verdicts":{"benign":"remove"}}}}');
    const { limits, policy } = await contextOf(noPorts)();
    expect(limits.deadlineSeconds).toBe(600);
    expect(policy.types.pdf?.verdicts.benign).toBe('remove');
    vi.unstubAllEnvs();
    awsEnvironment();
    expect((await contextOf(noPorts)()).policy.types.pdf?.verdicts.benign).not.toBe('remove');
  });

  test('signs with the seed of its environment where no way leads to a secret', async () => {
    const s3 = mockClient(S3Client);
    answerAsS3(s3);
    vi.stubEnv('AIRLOCK_SIGNING_SECRET', '');
    vi.stubEnv('AIRLOCK_SIGNING_SEED', 'the-seed');
    const { signer } = await contextOf(noPorts)();
    const bytes = new TextEncoder().encode('an entry');
    const expected = signingKey('the-seed');
    expect(await signer.sign('rebuild', bytes)).toEqual({ keyId: expected.keyId, signature: expected.sign(bytes) });
    s3.restore();
  });

  test('has the time, the log and the schedule of the state machine, whose waits are whole seconds', async () => {
    const before = Date.now();
    const { clock, log, schedule } = await contextOf(noPorts)();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    expect(clock.now()).toBeLessThanOrEqual(Date.now());
    expect(log).toBe(logger);
    expect(schedule.wholeSeconds).toBe(true);
  });

  test('does not wait for ever for a store that never answers', async () => {
    const s3 = mockClient(S3Client);
    answerAsS3(s3);
    const { blobs } = await contextOf(noPorts)();
    await blobs.put('work', 'key', new Uint8Array(1));
    const { requestHandler } = (s3.send.firstCall.thisValue as S3Client).config;
    // What the client itself says of its connections, once it has some.
    await requestHandler.handle({} as never).catch(() => null);
    expect((requestHandler as { httpHandlerConfigs?(): unknown }).httpHandlerConfigs?.()).toMatchObject({
      connectionTimeout: 5_000,
      requestTimeout: 120_000,
      throwOnRequestTimeout: true,
    });
    s3.restore();
  });

  test('is given each port that its lambda has', async () => {
    const ports = {
      submissions: {},
      analyzer: {},
      executions: {},
      events: {},
      unpacker: {},
      secondLook: {},
      sealer: {},
    } as never;
    expect(await contextOf(async () => ports)()).toMatchObject(ports);
    const none = await contextOf(noPorts)();
    for (const [port, method] of [
      ['submissions', 'claim'],
      ['analyzer', 'submit'],
      ['executions', 'start'],
      ['events', 'emit'],
      ['unpacker', 'unpack'],
      ['secondLook', 'look'],
    ] as const)
      expect(() => (none[port] as unknown as Record<string, unknown>)[method]).toThrow(`this lambda has no ${port}`);
  });

  test.each(['intake', 'work', 'clean', 'quarantine'] as const)('knows the %s bucket by its name', async (bucket) => {
    const s3 = mockClient(S3Client);
    const objects = answerAsS3(s3);
    const { blobs } = await contextOf(noPorts)();
    await blobs.put(bucket, 'key', new Uint8Array(1));
    expect([...objects.keys()]).toEqual([`${bucket === 'intake' ? 'an' : 'a'}-${bucket}/key`]);
    s3.restore();
  });

  test('says which setting is missing, and takes an empty one for none', () => {
    vi.stubEnv('AIRLOCK_EMPTY', '');
    expect(() => setting('AIRLOCK_EMPTY')).toThrow(/AIRLOCK_EMPTY is not set/);
    expect(setting('AIRLOCK_WORK_BUCKET')).toBe('a-work');
    expect(() => setting('AIRLOCK_NOWHERE')).toThrow(/AIRLOCK_NOWHERE is not set/);
  });
});

describe('an error that leaves a lambda', () => {
  const failWith = (error: unknown) =>
    stageHandler(
      'poll',
      () => Promise.reject(error),
      noPorts,
    )(theRun()).then(
      () => expect.unreachable(),
      (thrown: Error) => thrown,
    );

  test('keeps the name that the Retry of the state machine matches', async () => {
    expect(await failWith(new TransientError('later'))).toMatchObject({ name: 'TransientError', message: 'later' });
    expect(await failWith(new CorruptDataError('no'))).toMatchObject({ name: 'CorruptDataError' });
  });

  test('has one name for every unexpected error', async () => {
    expect(await failWith(new RangeError('odd'))).toMatchObject({ name: 'StageError', message: 'odd' });
    expect(await failWith('a text')).toMatchObject({ name: 'StageError', message: 'a text' });
    // The state machine retries the error names of Lambda, so no other error may use them.
    const posing = Object.assign(new Error('x'), { name: 'Lambda.ServiceException' });
    expect(await failWith(posing)).toMatchObject({ name: 'StageError' });
  });

  test('is short even when a service made it long, and carries no stack', async () => {
    const { message, stack } = await failWith(new Error('x'.repeat(1_000_000)));
    expect(message).toHaveLength(2_000);
    expect(stack).toBeUndefined();
  });

  test('stands in the log of this service', async () => {
    vi.mocked(logger.error).mockRestore();
    const lines: string[] = [];
    const written = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    await failWith(new TransientError('later'));
    written.mockRestore();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'mail-airlock', stage: 'poll', runId: theRun().runId });
  });

  test('is logged in full, with stage and run', async () => {
    const appended = vi.spyOn(logger, 'appendKeys');
    const error = new TransientError('later');
    await failWith(error);
    expect(logger.error).toHaveBeenCalledWith('stage failed', { error });
    expect(appended).toHaveBeenCalledWith({ stage: 'poll', runId: theRun().runId });
  });

  test('is told to the alarm when an operator has to mend something, and keeps its name, so that it is tried again', async () => {
    const error = new ConfigError('the environment', ['secret x has no text value']);
    expect(await failWith(error)).toMatchObject({ name: 'ConfigError' });
    expect(logger.error).toHaveBeenCalledWith('stage failed', { error, fault: 'misconfigured' });
  });
});

describe('a batch from a queue', () => {
  test('returns only what failed, and continues', async () => {
    const seen: unknown[] = [];
    const handler = queueOrDirect('quarantine', async (body) => {
      seen.push(body);
      if (body === 2) throw new CorruptDataError('odd');
    });
    const records = [
      sqsRecord('a', 1),
      sqsRecord('b', 2),
      { ...sqsRecord('c', 3), body: 'not JSON' },
      sqsRecord('d', 4),
    ];
    const failed = [{ itemIdentifier: 'b' }, { itemIdentifier: 'c' }];
    expect(await handler({ Records: records })).toEqual({ batchItemFailures: failed });
    expect(seen).toEqual([1, 2, 4]);
  });

  test('is tried again after seconds when the fault passes, and then handed back', async () => {
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    const faults = new Map([
      ['once', 1],
      ['for minutes', 9],
    ]);
    const work = async (body: unknown) => {
      const left = faults.get(String(body)) ?? 0;
      faults.set(String(body), left - 1);
      if (left > 0) throw new TransientError('later');
    };
    const records = [sqsRecord('a', 'once'), sqsRecord('b', 'for minutes'), sqsRecord('c', 'never')];
    const { batchItemFailures } = await eachRecord('parse', records, work, pause);
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'b' }]);
    expect(pauses).toEqual([1_000, 1_000, 5_000]);
  });

  test('does not come back for an attempt that has begun in another way', async () => {
    const begun = () => Promise.reject(new AttemptBegunError('it was deleted'));
    expect(await eachRecord('parse', [sqsRecord('a', {})], begun)).toEqual({ batchItemFailures: [] });
  });

  test('is not confused with a single event', async () => {
    const handler = queueOrDirect('quarantine', async (event) => event as Run);
    for (const event of [theRun(), null, 'text', 7, {}, { Records: 'none' }])
      expect(await handler(event)).toEqual(event);
  });

  test('is written to the log with what was handed back, and nothing of what was done', async () => {
    const handler = queueOrDirect('quarantine', async (body) => {
      if (body === 2) throw new CorruptDataError('odd');
    });
    await handler({ Records: [sqsRecord('a', 1), sqsRecord('b', 2)] });
    expect(vi.mocked(logger.warn).mock.calls).toEqual([['handed back to the queue', { messageId: 'b' }]]);
  });
});
