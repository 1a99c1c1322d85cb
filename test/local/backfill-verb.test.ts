/** `airlock backfill`: what it lists, what it hands to the queue, where it goes on, and what it says. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListObjectVersionsCommand, type ObjectVersion, S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseInputOf } from '../../lambdas/shared/events.ts';
import { airlock } from './console.ts';

const [s3, sqs] = [mockClient(S3Client), mockClient(SQSClient)];
const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/111122223333/Queue';
let folder: string;
let notes: string;

beforeEach(async () => {
  s3.reset();
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  folder = await mkdtemp(join(tmpdir(), 'airlock-backfill-'));
  notes = join(folder, 'notes.json');
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => {
  s3.restore();
  sqs.restore();
});

const version = (Key: string, more: Partial<ObjectVersion> = {}): ObjectVersion => ({
  ...{ Key, VersionId: `v-${Key}`, ETag: '"0123"', Size: 1_000, IsLatest: true, StorageClass: 'STANDARD' },
  ...more,
});
const versions = (count: number) =>
  Array.from({ length: count }, (_, at) => version(`in/${String(at).padStart(3, '0')}`));

const go = (...args: string[]) =>
  airlock(['backfill', '--queue', QUEUE, '--rate', '1000', '--notes', notes, 's3://uploads/in/', ...args]);

/** What parse reads of the messages that the queue got. */
const handedOut = () =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => (args[0].input as SendMessageBatchCommandInput).Entries ?? [])
    .map(({ MessageBody = '' }) => parseInputOf(JSON.parse(MessageBody)).intake);

test('every newest version is handed over once, as parse reads an event of S3', async () => {
  s3.on(ListObjectVersionsCommand)
    .resolvesOnce({
      Versions: [version('in/a+b%26%01.eml'), version('in/a', { VersionId: 'old', IsLatest: false })],
      ...{ IsTruncated: true, NextKeyMarker: 'in/a+b', NextVersionIdMarker: 'v1' },
    })
    .resolvesOnce({ Versions: [version('in/b', { VersionId: 'null', Size: 5 })] });
  const { code, stdout } = await go();
  expect([code, stdout]).toEqual([0, '2 objects, 0.0 MB, were handed over\n']);
  expect(handedOut()).toEqual([
    {
      bucket: 'uploads',
      untrustedKey: 'in/a b&\u0001.eml',
      size: 1_000,
      versionId: 'v-in/a+b%26%01.eml',
      etag: '0123',
    },
    { bucket: 'uploads', untrustedKey: 'in/b', size: 5, versionId: '', upload: { etag: '0123', sequencer: '' } },
  ]);
  const [, second] = s3.commandCalls(ListObjectVersionsCommand).map(({ args }) => args[0].input);
  expect(second).toMatchObject({ Bucket: 'uploads', Prefix: 'in/', KeyMarker: 'in/a b', VersionIdMarker: 'v1' });
});

test('folders and archives are left out and counted, and what is too large is said', async () => {
  s3.on(ListObjectVersionsCommand).resolves({
    Versions: [
      version('in/x/', { Size: 0 }),
      version('in/y', { StorageClass: 'DEEP_ARCHIVE' as never }),
      version('in/z', { Size: 100_000_000 }),
    ],
  });
  const { stdout } = await go();
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    '1 objects, 100.0 MB, were handed over',
    '1 of them have over 42 MiB and will be held',
    '1 lie in an archive and are left out: restore them first',
    '1 are only names of folders and are left out',
  ]);
  expect(handedOut().map(({ untrustedKey }) => untrustedKey)).toEqual(['in/z']);
});

test('a message that the queue does not take is sent again, alone', async () => {
  s3.on(ListObjectVersionsCommand).resolves({ Versions: versions(3) });
  sqs
    .on(SendMessageBatchCommand)
    .resolvesOnce({ Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }] } as never)
    .resolves({} as never);
  expect((await go()).code).toBe(0);
  expect(handedOut().map(({ untrustedKey }) => untrustedKey)).toEqual(['in/000', 'in/001', 'in/002', 'in/001']);
});

test('what fails goes on behind the last batch that the queue has', async () => {
  s3.on(ListObjectVersionsCommand).resolves({ Versions: versions(25) });
  sqs
    .on(SendMessageBatchCommand)
    .resolvesOnce({} as never)
    .rejects(Object.assign(new Error('no'), { name: 'AccessDenied' }));
  const failed = await go();
  expect([failed.code, failed.stderr]).toEqual([
    3,
    expect.stringMatching(/AccessDenied: no.*10 objects were handed over/),
  ]);
  sqs.on(SendMessageBatchCommand).resolves({} as never);
  s3.on(ListObjectVersionsCommand).resolves({ Versions: versions(25).slice(10) });
  expect(await go('--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"objects":25') });
  expect(s3.commandCalls(ListObjectVersionsCommand).at(-1)?.args[0].input.KeyMarker).toBe('in/009');
  const before = sqs.calls().length;
  expect((await go()).stdout).toContain('Nothing to do');
  expect(sqs.calls()).toHaveLength(before);
});

test('a dry run counts, prices, and neither sends nor notes anything', async () => {
  s3.on(ListObjectVersionsCommand).resolves({ Versions: versions(25) });
  const { code, stdout } = await airlock(['backfill', '--dry-run', '--notes', notes, 's3://uploads']);
  expect(code).toBe(0);
  expect(stdout).toBe(
    '25 objects, 0.0 MB, would be handed over\nAt 5 a second it takes 5 seconds.\nIt costs about $0.01 by list prices, if each is like an ordinary mail.\n',
  );
  expect(sqs.calls()).toHaveLength(0);
  await expect(readFile(notes)).rejects.toThrow('ENOENT');
});

describe('is explained:', () => {
  test.each([
    [['s3:/uploads'], 'names no bucket'],
    [['uploads'], 'names no bucket'],
    [['s3://Uploads/x'], 'names no bucket'],
    [['s3://uploads', '--rate', '0'], '--rate takes objects a second'],
    [['s3://uploads', '--rate', '1e9'], '--rate takes objects a second'],
    [['s3://uploads', '--queue', 'Queue'], '--queue takes the URL'],
  ])('%j', async (args, why) => {
    const { code, stderr } = await airlock(['backfill', '--notes', notes, ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(s3.calls()).toHaveLength(0);
  });

  test.each([
    ['{', 'is not the notes of a backfill'],
    ['{"schema":"mail-airlock/backfill/1"}', 'is not the notes of a backfill'],
  ])('notes %j', async (text, why) => {
    await writeFile(notes, text);
    expect(await go()).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    expect(await readFile(notes, 'utf8')).toBe(text);
  });

  test('notes of another place', async () => {
    s3.on(ListObjectVersionsCommand).resolves({ Versions: [] });
    await go();
    const { code, stderr } = await airlock(['backfill', '--queue', QUEUE, '--notes', notes, 's3://other/']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a backfill of s3://uploads/in/')]);
  });
});
