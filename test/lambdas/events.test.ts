/** The shapes that AWS hands over, as its documents write them, and what is refused. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { begunOf, intakeObjectOf, quarantineInputOf, withDrop } from '../../lambdas/shared/events.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { NotFoundError } from '../../lib/pipeline/errors.ts';
import { keys, runIdOf } from '../../lib/pipeline/keys.ts';
import type { Attempt } from '../../lib/pipeline/ledger/attempt.ts';
import { executionEnded, objectCreated, theRun } from './aws-events.ts';

const RUN_ID = theRun().runId;

test('an upload is read with its version and its size', () => {
  expect(intakeObjectOf(objectCreated('inbox/a+b%41.eml', 'v7', 12))).toEqual({
    bucket: 'an-intake',
    untrustedKey: 'inbox/a+b%41.eml',
    versionId: 'v7',
    etag: 'b1946ac92492d2347c6235b4d2611184',
    size: 12,
  });
});

test('uploads to a bucket without versions, or with suspended ones, are told apart by their bytes and their order', () => {
  const uploaded = (object: object) => ({
    detail: { bucket: { name: 'an-intake' }, object: { key: 'mail', ...object } },
  });
  const upload = { etag: 'd41d8cd98f00b204e9800998ecf8427e', sequencer: '0A1B' };
  const plain = intakeObjectOf(uploaded(upload));
  expect(plain).toEqual({ bucket: 'an-intake', untrustedKey: 'mail', versionId: '', size: null, upload });
  expect(intakeObjectOf(uploaded({ ...upload, 'version-id': 'null' }))).toEqual(plain);
  const others = [
    { ...upload, sequencer: '0A1C' },
    { ...upload, etag: 'other' },
  ].map((other) => intakeObjectOf(uploaded(other)));
  expect(new Set([plain, ...others].map(runIdOf)).size).toBe(3);
  expect(runIdOf(intakeObjectOf(uploaded(upload)))).toBe(runIdOf(plain));
});

test('what a person dropped at the desk is marked, where nobody else can write, in the intake bucket alone', () => {
  const key = `dropped/${RUN_ID}/mail.eml`;
  const marked = () => intakeObjectOf(objectCreated(key, 'v7')).dropped;
  expect(marked()).toBeUndefined();
  vi.stubEnv('AIRLOCK_DROPS_SEALED', 'true');
  vi.stubEnv('AIRLOCK_INTAKE_BUCKET', 'another');
  expect(marked()).toBeUndefined();
  vi.stubEnv('AIRLOCK_INTAKE_BUCKET', 'an-intake');
  expect(marked()).toBe(true);
  const ids = ['v7', 'v8'].map((version) => runIdOf(intakeObjectOf(objectCreated(key, version))));
  expect(ids[0]).toBe(ids[1]);
  const strange = [
    'dropped/mail.eml',
    `dropped/${RUN_ID}/`,
    `dropped/${RUN_ID}/a/mail.eml`,
    `dropped/${RUN_ID}0/mail.eml`,
  ];
  for (const other of ['dropped', 'x/dropped/y', 'Dropped/x', 'inbox/mail.eml', ...strange])
    expect(intakeObjectOf(objectCreated(other)).dropped).toBeUndefined();
  vi.unstubAllEnvs();
});

test('an upload to a bucket without versions has none, and a size that is not named is not known', () => {
  const event = { detail: { bucket: { name: 'an-intake' }, object: { key: 'mail' } } };
  expect(intakeObjectOf(event)).toEqual({ bucket: 'an-intake', untrustedKey: 'mail', versionId: '', size: null });
  const empty = { detail: { bucket: { name: 'an-intake' }, object: { key: 'mail', size: 0 } } };
  expect(intakeObjectOf(empty).size).toBe(0);
});

test.each([
  ['no detail', {}],
  ['no bucket', { detail: { object: { key: 'mail' } } }],
  ['a bucket without a name', { detail: { bucket: {}, object: { key: 'mail' } } }],
  ['no object', { detail: { bucket: { name: 'an-intake' } } }],
  ['an object without a key', { detail: { bucket: { name: 'an-intake' }, object: {} } }],
  ['a size that is not whole', { detail: { bucket: { name: 'an-intake' }, object: { key: 'mail', size: 1.5 } } }],
  ['nothing', null],
])('an upload with %s is refused', (_, event) => {
  expect(() => intakeObjectOf(event)).toThrow();
  expect(() => quarantineInputOf(event)).toThrow();
});

test('quarantine takes a run, a run that failed with its failure, and an upload without a run', () => {
  expect(quarantineInputOf(theRun())).toEqual({ run: theRun() });
  const failure = { Error: 'StageError', Cause: 'no such part' };
  expect(quarantineInputOf({ ...theRun(), failure })).toEqual({ run: { ...theRun(), failure } });
  expect(quarantineInputOf(objectCreated('mail'))).toEqual({
    intake: intakeObjectOf(objectCreated('mail')),
    again: null,
  });
});

test('a failure that cannot be read does not keep the run out of quarantine', () => {
  expect(quarantineInputOf({ ...theRun(), failure: {} })).toEqual({ run: theRun() });
});

test.each([
  ['FAILED', 'ExecutionFailed'],
  ['TIMED_OUT', 'ExecutionTimedOut'],
  ['ABORTED', 'ExecutionAborted'],
] as const)('an execution that ended as %s is a run with the failure %s', (status, name) => {
  const failure = { Error: name, Cause: 'no cause given' };
  expect(quarantineInputOf(executionEnded(RUN_ID, status))).toEqual({ run: { ...theRun(), failure } });
});

test.each([
  ['States.Runtime', 'the path is missing', 'States.Runtime: the path is missing'],
  ['States.Runtime', null, 'States.Runtime'],
  [null, 'the path is missing', 'the path is missing'],
  [undefined, undefined, 'no cause given'],
  ['', '', 'no cause given'],
])('the error %j and the cause %j of an execution are told as %j', (error, cause, told) => {
  const ended = executionEnded(RUN_ID, 'FAILED');
  const input = quarantineInputOf({ ...ended, detail: { ...ended.detail, error, cause } });
  expect(input).toMatchObject({ run: { failure: { Cause: told } } });
});

test.each([
  [
    'an execution that succeeded',
    (event: ReturnType<typeof executionEnded>) => ({ ...event.detail, status: 'SUCCEEDED' }),
  ],
  [
    'an execution that is not named after a run',
    (event: ReturnType<typeof executionEnded>) => ({ ...event.detail, name: 'x' }),
  ],
])('%s is refused', (_, lie) => {
  const event = executionEnded(RUN_ID, 'FAILED');
  expect(() => quarantineInputOf({ ...event, detail: lie(event) })).toThrow();
});

test('an event of another kind is not the end of an execution', () => {
  expect(() => quarantineInputOf({ ...executionEnded(RUN_ID, 'FAILED'), 'detail-type': 'Other' })).toThrow();
});

test('an execution that began is the attempt of a run, and nothing else is', () => {
  expect(begunOf(executionEnded(RUN_ID, 'RUNNING'))).toEqual({ runId: RUN_ID, attempt: 1 });
  for (const other of [
    executionEnded(RUN_ID, 'SUCCEEDED'),
    executionEnded('../x', 'RUNNING'),
    objectCreated('k'),
    {},
    null,
  ])
    expect(begunOf(other)).toBeNull();
});

test('a note of a drop is looked for under the keys of drops alone, in the intake bucket, the first time that an object is read', async () => {
  const asked: string[] = [];
  const blobs = {
    get: async (_: string, key: string) => {
      asked.push(key);
      throw new NotFoundError('work', key);
    },
  };
  const ctx = { blobs, signer: {} } as unknown as Context;
  vi.stubEnv('AIRLOCK_INTAKE_BUCKET', 'an-intake');
  onTestFinished(() => void vi.unstubAllEnvs());
  const key = `dropped/${RUN_ID}/mail.eml`;
  const intake = intakeObjectOf(objectCreated(key, 'v7'));
  const again = { number: 2 } as unknown as Attempt;
  const others = [
    { intake: { ...intake, bucket: 'another' }, again: null },
    { intake, again },
    { intake: { ...intake, untrustedKey: 'inbox/mail.eml' }, again: null },
  ];
  for (const input of others) expect(await withDrop(Promise.resolve(ctx), input)).toEqual([ctx, input]);
  expect(asked).toEqual([]);
  expect(await withDrop(Promise.resolve(ctx), { intake, again: null })).toEqual([ctx, { intake, again: null }]);
  expect(asked).toEqual([keys.dropNote(runIdOf({ ...intake, dropped: true }))]);
});
