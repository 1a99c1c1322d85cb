/** The function that carries out what people decide: whom it believes, what it writes and starts, and what it removes. */
import { DeleteObjectCommand, ListObjectVersionsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { recheckRequestOf } from '../../lambdas/shared/recheck-request.ts';
import { logger } from '../../lambdas/shared/runtime.ts';
import { createS3HeldRemoval } from '../../lib/storage/s3/held-removal.ts';
import { CLIENT, startIssuer } from '../desk/local-issuer.ts';
import { answerAsS3, s3Error } from '../storage/fake-s3.ts';
import { awsContainers } from './aws-events.ts';

awsContainers();
const s3 = mockClient(S3Client);
const secrets = mockClient(SecretsManagerClient);
const states = mockClient(SFNClient);
const sqs = mockClient(SQSClient);

const issuer = await startIssuer(afterAll);
const settings = { ISSUER: issuer.url, CLIENT_ID: CLIENT, ROLE_CLAIM: 'groups' };
for (const [name, value] of Object.entries(settings)) vi.stubEnv(`AIRLOCK_DESK_${name}`, value);
for (const name of ['INTAKE', 'INDEX'])
  vi.stubEnv(`AIRLOCK_${name}_QUEUE`, `https://sqs.eu-central-1.amazonaws.com/123456789012/${name}`);
const { handler } = await import('../../lambdas/review.ts');

const RUN = 'ab'.repeat(16);
const BLOCK = { action: 'block', kind: 'file', value: 'cd'.repeat(32), why: 'phishing' } as const;

let objects: ReturnType<typeof answerAsS3>;
beforeEach(() => {
  s3.reset();
  objects = answerAsS3(s3);
  secrets.reset().on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
  states.reset().on(StartExecutionCommand).resolves({});
  sqs.reset().on(SendMessageCommand).resolves({});
  for (const level of ['error', 'warn', 'info'] as const) vi.spyOn(logger, level).mockReturnValue();
});
afterAll(() => {
  for (const mock of [s3, secrets, states, sqs]) mock.restore();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const written = () => s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input.Key ?? '');

test('what somebody with a role asks for is in the trail, with the name that his token says, and a blocked file is told of', async () => {
  expect(await handler({ token: await issuer.token(), request: BLOCK })).toEqual({ state: 'done' });
  const [record] = s3.commandCalls(PutObjectCommand).filter(({ args }) => args[0].input.Key === 'audit/000000001.json');
  expect(Buffer.from(record?.args[0].input.Body as Uint8Array).toString()).toContain('pat@example.org');
  expect(await handler({ token: await issuer.token(), request: BLOCK })).toEqual({ state: 'unchanged' });
  expect(sqs.calls()).toHaveLength(0);
  // Where recheck is deployed, it is asked at once to tell of mail that was delivered with the file.
  const queue = 'https://sqs.eu-central-1.amazonaws.com/123456789012/RECHECK';
  const block = async (request: object) => handler({ token: await issuer.token(), request });
  vi.stubEnv('AIRLOCK_RECHECK_QUEUE', queue);
  sqs.on(SendMessageCommand).rejectsOnce(new Error('away'));
  expect(await block({ ...BLOCK, value: 'ef'.repeat(32) })).toEqual({ state: 'done' });
  await block({ ...BLOCK, value: '12'.repeat(32) });
  await block({ ...BLOCK, kind: 'sender', value: 'evil.example' });
  await block({ ...BLOCK, action: 'unblock' });
  vi.stubEnv('AIRLOCK_RECHECK_QUEUE', '');
  const asked = sqs.commandCalls(SendMessageCommand).map(({ args }) => args[0].input);
  expect(asked.map(({ QueueUrl }) => QueueUrl)).toEqual([queue, queue]);
  const settings = { days: 7, budget: 1_000, mails: 5 };
  const request = recheckRequestOf(JSON.parse(asked[1]?.MessageBody ?? ''), settings, 0);
  expect(request).toMatchObject({ budget: 0, mails: 5, after: null });
});

test('a decision about a run of which there is no chain changes nothing', async () => {
  const request = { action: 'release', runId: RUN, seen: 1, why: 'x' };
  expect(await handler({ token: await issuer.token(), request })).toMatchObject({ code: 'not_decided' });
  expect([written(), states.calls().length, sqs.calls().length]).toEqual([[], 0, 0]);
});

test('lost records at the end of the trail hold everything until an admin accepts that', async () => {
  for (const value of ['ab', 'cd'])
    await handler({ token: await issuer.token(), request: { ...BLOCK, value: value.repeat(32) } });
  const lost = [...objects.keys()].find((path) => path.endsWith('/audit/000000002.json')) ?? '';
  objects.delete(lost);
  const seal = async (role: string) =>
    handler({
      token: await issuer.token({ groups: [role] }),
      request: { action: 'seal', why: 'the bucket was restored' },
    });
  await expect(handler({ token: await issuer.token(), request: { ...BLOCK, value: 'ef'.repeat(32) } })).rejects.toThrow(
    'airlock audit seal',
  );
  expect(await seal('analyst')).toMatchObject({ code: 'no_role' });
  expect([await seal('admin'), await seal('admin')]).toEqual([{ state: 'done' }, { state: 'unchanged' }]);
  expect(Buffer.from(objects.get(lost)?.at(-1)?.body ?? []).toString()).toContain('the bucket was restored');
  expect(await handler({ token: await issuer.token(), request: { ...BLOCK, value: 'cd'.repeat(32) } })).toEqual({
    state: 'done',
  });
  for (const damaged of [...objects.keys()].filter((path) => /audit\/(?:000000001|head)\.json$/.test(path)))
    objects.set(damaged, [{ versionId: 'v9', body: Buffer.from('x'), contentType: undefined, tagging: undefined }]);
  expect(await seal('admin')).toMatchObject({ state: 'refused', code: 'not_decided' });
});

describe('nobody is believed', () => {
  test.each<[string, Readonly<Record<string, unknown>>, { alg?: string; kid?: string }]>([
    ['with a token that has expired', { exp: 1 }, {}],
    ['with a token for another audience', { aud: 'another' }, {}],
    ['with a token of another issuer', { iss: 'https://evil.example' }, {}],
    ['with a key that nobody knows', {}, { kid: 'unknown' }],
  ])('%s', async (_, claims, head) => {
    const answer = await handler({ token: await issuer.token(claims, head), request: BLOCK });
    expect([answer, written()]).toEqual([expect.objectContaining({ code: 'not_signed_in' }), []]);
  });

  test('with a token that nobody signed, or another', async () => {
    const other = await startIssuer();
    const claims = Buffer.from(JSON.stringify({ aud: CLIENT, groups: ['admin'] })).toString('base64url');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
    for (const token of ['', 'x', none, await other.token(), 'A'.repeat(10_000)])
      expect(await handler({ token, request: BLOCK })).toMatchObject({ code: 'not_signed_in' });
    expect(written()).toEqual([]);
  });

  test('because whoever calls says so', async () => {
    const token = await issuer.token({ groups: ['reader'] });
    expect(await handler({ token, request: BLOCK })).toMatchObject({ code: 'no_role' });
    for (const more of [{ role: 'admin' }, { person: 'pat' }])
      await expect(handler({ token, request: BLOCK, ...more })).rejects.toThrow('this request to review');
    await expect(handler({ token, request: { ...BLOCK, at: '2020' } })).rejects.toThrow('this request to review');
    await expect(handler({ request: BLOCK })).rejects.toThrow('this request to review');
    await expect(handler(null)).rejects.toThrow('this request to review');
    expect(written()).toEqual([]);
  });

  test('while the issuer does not answer', async () => {
    // Its keys were remembered. One that is not among them is asked for.
    issuer.broken.add('/keys');
    await issuer.rotate();
    const answer = await handler({ token: await issuer.token(), request: BLOCK }).catch(() => ({ code: 'away' }));
    issuer.broken.clear();
    expect(answer).toMatchObject({ code: expect.stringMatching(/^(?:away|not_signed_in)$/) });
    expect(written()).toEqual([]);
  });
});

describe('from its queue', () => {
  const asked = (body: object) => ({
    Records: [{ messageId: 'm1', body: JSON.stringify(body), attributes: { ApproximateReceiveCount: '1' } }],
  });

  test('it removes nothing of a run that nobody deleted, whoever calls', async () => {
    expect(await handler(asked({ remove: { runId: RUN } }))).toEqual({ batchItemFailures: [] });
    expect(s3.commandCalls(DeleteObjectCommand)).toHaveLength(0);
  });

  test('what is no request goes back', async () => {
    expect(await handler(asked({ remove: { runId: 'x' } }))).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
  });
});

describe('what is removed', () => {
  const remove = createS3HeldRemoval({
    client: new S3Client({ region: 'eu-central-1' }),
    quarantineBucket: 'a-quarantine',
    intakeBucket: 'an-intake',
  });
  const gone = () =>
    s3
      .commandCalls(DeleteObjectCommand)
      .map(({ args }) => `${args[0].input.Bucket} ${args[0].input.Key} ${args[0].input.VersionId}`);
  const intake = { bucket: 'an-intake', untrustedKey: 'in/a+b.eml', versionId: 'v7', size: 1 };

  test('is every version below the run, page by page, and the version that came in', async () => {
    s3.on(DeleteObjectCommand).resolves({});
    s3.on(ListObjectVersionsCommand)
      .resolvesOnce({
        Versions: [{ Key: `${RUN}/original`, VersionId: '1' }],
        DeleteMarkers: [{ Key: `${RUN}/original`, VersionId: '2' }],
        IsTruncated: true,
        NextKeyMarker: `${RUN}/original`,
        NextVersionIdMarker: '2',
      })
      .resolvesOnce({ Versions: [{ Key: `${RUN}/record.json`, VersionId: '3' }] });
    await remove(RUN, intake);
    expect(gone()).toEqual([
      `a-quarantine ${RUN}/original 1`,
      `a-quarantine ${RUN}/original 2`,
      `a-quarantine ${RUN}/record.json 3`,
      'an-intake in/a+b.eml v7',
    ]);
    const [first, second] = s3.commandCalls(ListObjectVersionsCommand).map(({ args }) => args[0].input);
    expect([first?.Prefix, second?.KeyMarker, second?.VersionIdMarker]).toEqual([`${RUN}/`, `${RUN}/original`, '2']);
  });

  test.each([
    ['an object of a bucket of others', { ...intake, bucket: 'uploads' }],
    ['an object without a version, which may have been replaced', { ...intake, versionId: '' }],
    ['nothing, where nobody knows what came in', null],
  ])('and of what came in not %s', async (_, what) => {
    s3.on(ListObjectVersionsCommand).resolves({});
    await remove(RUN, what);
    expect(gone()).toEqual([]);
  });

  test('later, when S3 throttles', async () => {
    s3.on(ListObjectVersionsCommand).rejects(s3Error('SlowDown', 503));
    await expect(remove(RUN, intake)).rejects.toThrow('s3 list failed for now');
  });
});
