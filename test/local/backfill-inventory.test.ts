/** `airlock backfill --inventory`: what it reads of a report as S3 writes it, and of one that is damaged. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { GetObjectCommand, HeadObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseInputOf } from '../../lambdas/shared/events.ts';
import { s3Error } from '../storage/fake-s3.ts';
import { airlock } from './console.ts';

const [s3, sqs] = [mockClient(S3Client), mockClient(SQSClient)];
const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/111122223333/Queue';
const FOLDER = 'uploads/daily/2026-11-22T01-00Z';
const MANIFEST = `s3://reports/${FOLDER}/manifest.json`;
const SCHEMA = 'Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, ETag, StorageClass';
const md5 = (bytes: Uint8Array | string) => createHash('md5').update(bytes).digest('hex');

let folder: string;
let notes: string;
beforeEach(async () => {
  s3.reset();
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  s3.on(HeadObjectCommand).resolves({});
  folder = await mkdtemp(join(tmpdir(), 'airlock-inventory-test-'));
  notes = join(folder, 'notes.json');
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => {
  s3.restore();
  sqs.restore();
});

interface RowOptions {
  readonly version?: string;
  readonly isLatest?: boolean;
  readonly isMarker?: boolean;
  readonly size?: number;
  readonly storageClass?: string;
}

/** A row as S3 writes it: every field in quotes, the key percent-encoded. */
function row(
  key: string,
  { version = 'v1', isLatest = true, isMarker = false, size = 1_000, ...more }: RowOptions = {},
) {
  const facts = [String(isLatest), String(isMarker), isMarker ? '' : String(size), '2026-11-20T12:00:00.000Z'];
  const cells = ['uploads', key, version, ...facts, isMarker ? '' : '0123', more.storageClass ?? 'STANDARD'];
  return cells.map((cell) => `"${cell}"`).join(',');
}

interface Report {
  readonly files?: readonly (readonly string[])[];
  /** What differs from the manifest as S3 writes it. */
  readonly manifest?: object;
  readonly checksum?: string;
  /** Bytes in the place of those of the first file. */
  readonly first?: Uint8Array;
}

/** Puts a report into the bucket `reports`. */
function report({ files = [[row('in/a')]], manifest = {}, checksum, first }: Report = {}): void {
  const objects = new Map<string, Uint8Array>();
  const listed = files.map((rows, index) => {
    const bytes = gzipSync(`${rows.join('\n')}\n`);
    const key = `uploads/daily/data/${index}.csv.gz`;
    objects.set(key, index === 0 && first !== undefined ? first : bytes);
    return { key, size: bytes.length, MD5checksum: md5(bytes) };
  });
  const json = JSON.stringify({
    sourceBucket: 'uploads',
    destinationBucket: 'arn:aws:s3:::reports',
    version: '2016-11-30',
    creationTimestamp: String(Date.UTC(2026, 10, 22, 1)),
    fileFormat: 'CSV',
    fileSchema: SCHEMA,
    files: listed,
    ...manifest,
  });
  objects.set(`${FOLDER}/manifest.json`, Buffer.from(json));
  objects.set(`${FOLDER}/manifest.checksum`, Buffer.from(`${checksum ?? md5(json)}\n`));
  s3.on(GetObjectCommand).callsFake(({ Bucket, Key }) => {
    const bytes = Bucket === 'reports' ? objects.get(Key) : undefined;
    if (bytes === undefined) throw s3Error('NoSuchKey', 404);
    return { Body: Readable.from([Buffer.from(bytes)]), ContentLength: bytes.length };
  });
}

const go = (...args: string[]) =>
  airlock([
    ...['backfill', '--queue', QUEUE, '--rate', '1000', '--notes', notes],
    ...['--inventory', MANIFEST, 's3://uploads/in/', ...args],
  ]);
const handedOut = () =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => (args[0].input as SendMessageBatchCommandInput).Entries ?? [])
    .map(({ MessageBody = '' }) => parseInputOf(JSON.parse(MessageBody)).intake);

test('the newest version of each object below the prefix is handed over, with its key decoded, and nothing is listed', async () => {
  report({
    files: [
      [row('in/a+b%26%2B%C3%BC.eml'), row('in/a', { version: 'old', isLatest: false }), row('out/x')],
      [row('in/c', { isMarker: true }), row('in/d', { version: '', size: 5 })],
    ],
  });
  const { code, stdout } = await go();
  expect([code, stdout]).toEqual([
    0,
    '2 objects, 0.0 MB, were handed over\nThe report is of 2026-11-22T01:00:00.000Z; what came later is not in it.\n',
  ]);
  expect(handedOut()).toEqual([
    { bucket: 'uploads', untrustedKey: 'in/a b&+ü.eml', size: 1_000, versionId: 'v1', etag: '0123' },
    { bucket: 'uploads', untrustedKey: 'in/d', size: 5, versionId: '', upload: { etag: '0123', sequencer: '' } },
  ]);
  expect(s3.commandCalls(ListObjectVersionsCommand)).toHaveLength(0);
});

test('all versions are handed over when they are asked for, but for delete markers', async () => {
  report({ files: [[row('in/a', { version: 'new' }), row('in/a', { version: 'old', isLatest: false })]] });
  await go('--versions', 'all');
  expect(handedOut().map(({ versionId }) => versionId)).toEqual(['new', 'old']);
});

test('archives, folders and what is gone are left out and counted', async () => {
  report({
    files: [
      [
        row('in/x/', { size: 0 }),
        row('in/y', { storageClass: 'GLACIER' }),
        row('in/gone'),
        row('in/hidden'),
        row('in/z'),
      ],
    ],
  });
  s3.on(HeadObjectCommand, { Key: 'in/gone' }).rejects(s3Error('NotFound', 404));
  // denyUncleanReads refuses everybody.
  s3.on(HeadObjectCommand, { Key: 'in/hidden' }).rejects(s3Error('Forbidden', 403));
  const { stdout } = await go();
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    '2 objects, 0.0 MB, were handed over',
    '1 lie in an archive and are left out: restore them first',
    '1 are only names of folders and are left out',
    '1 are not there any more and are left out',
  ]);
  expect(handedOut().map(({ untrustedKey }) => untrustedKey)).toEqual(['in/hidden', 'in/z']);
});

test('what fails goes on in the file and at the row behind what the queue has', async () => {
  const keys = Array.from({ length: 25 }, (_, at) => `in/${String(at).padStart(3, '0')}`);
  report({ files: [keys.slice(0, 7).map((key) => row(key)), keys.slice(7).map((key) => row(key))] });
  sqs
    .on(SendMessageBatchCommand)
    .resolvesOnce({} as never)
    .rejects(Object.assign(new Error('no'), { name: 'AccessDenied' }));
  expect(await go()).toMatchObject({ code: 3, stderr: expect.stringMatching(/10 objects were handed over/) });
  const before = handedOut().length;
  sqs.on(SendMessageBatchCommand).resolves({} as never);
  expect(await go('--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"objects":25') });
  expect(
    handedOut()
      .slice(before)
      .map(({ untrustedKey }) => untrustedKey),
  ).toEqual(keys.slice(10));
  expect((await go()).stdout).toContain('Nothing to do');
});

test('a dry run counts and prices what the report has', async () => {
  report({ files: [Array.from({ length: 25 }, (_, at) => row(`in/${at}`))] });
  const { code, stdout } = await go('--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('25 objects, 0.0 MB, would be handed over');
  expect(stdout).toContain('It costs about $0.01 by list prices');
  expect(sqs.calls()).toHaveLength(0);
  expect(s3.commandCalls(HeadObjectCommand)).toHaveLength(0);
});

describe('is explained, and nothing is handed over:', () => {
  test.each<[string, Report, string]>([
    ['Parquet', { manifest: { fileFormat: 'Parquet' } }, 'written as Parquet, which is not read. Choose CSV'],
    ['ORC', { manifest: { fileFormat: 'ORC' } }, 'written as ORC'],
    ['a manifest that was changed', { checksum: md5('other') }, 'its MD5 is not that in manifest.checksum'],
    ['fields that are missing', { manifest: { fileSchema: 'Bucket, Key' } }, 'lacks Size, ETag, StorageClass'],
    ['another bucket', { manifest: { sourceBucket: 'others' } }, 'about the bucket others, not about uploads'],
    ['files elsewhere', { manifest: { destinationBucket: 'arn:aws:s3:::elsewhere' } }, 'are in arn:aws:s3:::elsewhere'],
    ['something else', { manifest: { sourceBucket: 1 } }, 'not a manifest of S3 Inventory'],
    ['files without checksums', { manifest: { files: [{ key: 'a', size: 1 }] } }, 'in a way that is not known'],
  ])('%s', async (_, given, says) => {
    report(given);
    expect(await go()).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
    expect(handedOut()).toEqual([]);
  });

  test.each<[string, Report, string]>([
    ['a file that was changed', { first: gzipSync('x') }, 'its size or MD5 is another'],
    ['a row of another bucket', { files: [[row('in/a').replace('uploads', 'others')]] }, 'row 1 of'],
    ['a key that is no text', { files: [[row('in/%zz')]] }, 'row 1 of'],
    ['a row with a field too many', { files: [[`${row('in/a')},"x"`]] }, 'row 1 of'],
    ['a row without a size', { files: [[row('in/a', { size: Number.NaN })]] }, 'has no size'],
    ['a row of megabytes', { files: [['"'.padEnd(1_000_000, 'x')]] }, 'too long'],
  ])('%s', async (_, given, says) => {
    report(given);
    expect(await go()).toMatchObject({ code: 3, stderr: expect.stringContaining(says) });
    expect(handedOut()).toEqual([]);
  });

  test('a file that is no gzip, although its checksum fits', async () => {
    const bytes = Buffer.from('no gzip');
    const files = [{ key: 'uploads/daily/data/0.csv.gz', size: bytes.length, MD5checksum: md5(bytes) }];
    report({ first: bytes, manifest: { files } });
    expect(await go()).toMatchObject({ code: 3, stderr: expect.stringContaining('it is no gzip') });
  });

  test('all versions of a list, and of a report without versions', async () => {
    const listing = await airlock(['backfill', '--dry-run', '--versions', 'all', 's3://uploads']);
    expect(listing).toMatchObject({ code: 2, stderr: expect.stringContaining('needs --inventory') });
    report({ manifest: { fileSchema: 'Bucket, Key, Size, ETag, StorageClass' } });
    expect(await go('--versions', 'all')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no versions'),
    });
  });

  test('a name that is no manifest', async () => {
    report();
    const wrong = await airlock([
      'backfill',
      '--dry-run',
      '--inventory',
      `s3://reports/${FOLDER}/manifest.checksum`,
      's3://uploads',
    ]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('takes the manifest.json') });
  });

  test('notes of another report', async () => {
    report();
    await go();
    report({ files: [[row('in/a'), row('in/b')]] });
    expect(await go()).toMatchObject({ code: 2, stderr: expect.stringContaining('has the notes of a backfill') });
  });
});
