import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { LimitExceededError, NotFoundError, TransientError } from '../../lib/pipeline/errors.ts';
import { createS3Blobs } from '../../lib/storage/s3.ts';
import { describeBlobs } from './blobs-contract.ts';
import { fakeS3, s3Body, s3Error } from './fake-s3.ts';

const BUCKETS = { intake: 'an-intake', work: 'a-work', clean: 'a-clean', quarantine: 'a-quarantine' };
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);

function make() {
  const s3 = fakeS3();
  return { ...s3, blobs: createS3Blobs({ client: s3.client, buckets: BUCKETS }) };
}

describeBlobs('S3', () => make().blobs);

test('reads the version that was judged, not the one uploaded over it', async () => {
  const { blobs } = make();
  await blobs.put('intake', 'mail', bytes('judged'));
  await blobs.put('intake', 'mail', bytes('swapped'));
  expect(text(await blobs.get('intake', 'mail', { maxBytes: 100, versionId: 'v1' }))).toBe('judged');
  expect(text(await blobs.get('intake', 'mail', { maxBytes: 100, versionId: '' }))).toBe('swapped');
  await expect(blobs.get('intake', 'mail', { maxBytes: 100, versionId: 'v9' })).rejects.toThrow(NotFoundError);
});

test('copies the version that was judged, without the type and tags its sender gave it', async () => {
  const { blobs, objects } = make();
  await blobs.put('intake', 'mail', bytes('judged'), { contentType: 'text/html', tags: { airlock: 'clean' } });
  await blobs.put('intake', 'mail', bytes('swapped'));
  await blobs.copy({ bucket: 'intake', key: 'mail', versionId: 'v1' }, { bucket: 'quarantine', key: 'copy' });
  const copy = objects.get('a-quarantine/copy')?.[0];
  expect(copy).toMatchObject({ contentType: 'application/octet-stream', tagging: undefined });
  expect(text(copy?.body ?? bytes(''))).toBe('judged');
});

test('copies an object that is too large for one request part by part', async () => {
  const { blobs, mock } = make();
  const gib = 1024 ** 3;
  mock.on(CopyObjectCommand).rejects(s3Error('InvalidRequest', 400));
  mock.on(HeadObjectCommand).resolves({ ContentLength: 5 * gib + 7 });
  mock.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
  mock.on(UploadPartCopyCommand).callsFake(({ PartNumber }) => ({ CopyPartResult: { ETag: `etag-${PartNumber}` } }));
  await blobs.copy({ bucket: 'intake', key: 'a b', versionId: 'v1' }, { bucket: 'quarantine', key: 'copy' });
  const parts = mock.commandCalls(UploadPartCopyCommand).map(({ args }) => args[0].input);
  expect(parts.map(({ CopySourceRange }) => CopySourceRange)).toEqual([
    ...[0, 1, 2, 3, 4].map((index) => `bytes=${index * gib}-${(index + 1) * gib - 1}`),
    `bytes=${5 * gib}-${5 * gib + 6}`,
  ]);
  expect(new Set(parts.map(({ CopySource }) => CopySource))).toEqual(new Set(['an-intake/a%20b?versionId=v1']));
  expect(mock.commandCalls(CompleteMultipartUploadCommand)[0]?.args[0].input).toMatchObject({
    Bucket: 'a-quarantine',
    Key: 'copy',
    MultipartUpload: { Parts: [1, 2, 3, 4, 5, 6].map((PartNumber) => ({ PartNumber, ETag: `etag-${PartNumber}` })) },
  });
});

test('passes on why a small object could not be copied', async () => {
  const { blobs, mock } = make();
  await blobs.put('intake', 'mail', bytes('x'));
  mock.on(CopyObjectCommand).rejects(s3Error('InvalidRequest', 400));
  const copied = blobs.copy({ bucket: 'intake', key: 'mail', versionId: '' }, { bucket: 'quarantine', key: 'copy' });
  await expect(copied).rejects.toThrow('InvalidRequest');
});

test('stores content type and tags, encoded', async () => {
  const { blobs, objects } = make();
  await blobs.put('clean', 'mail', bytes('x'), {
    contentType: 'message/rfc822',
    tags: { airlock: 'clean', 'a b': '&=' },
  });
  const stored = objects.get('a-clean/mail')?.[0];
  expect(stored).toMatchObject({ contentType: 'message/rfc822', tagging: 'airlock=clean&a%20b=%26%3D' });
});

test('does not begin to read an object that is announced too large', async () => {
  const { blobs, mock } = make();
  const body = s3Body(bytes('0123456789')) as { destroyed: boolean };
  mock.on(GetObjectCommand).resolves({ Body: body as never, ContentLength: 10 });
  await expect(blobs.get('intake', 'mail', { maxBytes: 5 })).rejects.toMatchObject({ actual: 10, max: 5 });
  expect(body.destroyed).toBe(true);
});

test('stops reading an object that turns out larger than it was announced', async () => {
  const { blobs, mock } = make();
  let sent = 0;
  async function* endless() {
    for (;;) {
      sent += 1;
      yield new Uint8Array(1_000);
    }
  }
  mock.on(GetObjectCommand).resolves({ Body: endless() as never, ContentLength: 3 });
  await expect(blobs.get('intake', 'mail', { maxBytes: 2_500 })).rejects.toThrow(LimitExceededError);
  expect(sent).toBe(3);
});

test.each([
  ['SlowDown', 503],
  ['InternalError', 500],
  ['TooManyRequests', 429],
  ['ConditionalRequestConflict', 409],
])('calls %s a fault that passes', async (name, status) => {
  const { blobs, mock } = make();
  for (const command of [PutObjectCommand, GetObjectCommand, HeadObjectCommand])
    mock.on(command as typeof PutObjectCommand).rejects(s3Error(name, status));
  await expect(blobs.put('work', 'key', bytes('x'), { ifAbsent: true })).rejects.toThrow(TransientError);
  await expect(blobs.get('work', 'key', { maxBytes: 1 })).rejects.toThrow(TransientError);
  await expect(blobs.has('work', 'key')).rejects.toThrow(TransientError);
});

test('calls a connection that breaks while reading a fault that passes', async () => {
  const { blobs, mock } = make();
  async function* broken() {
    yield bytes('half of ');
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  }
  mock.on(GetObjectCommand).resolves({ Body: broken() as never });
  await expect(blobs.get('work', 'key', { maxBytes: 100 })).rejects.toThrow(TransientError);
});

test('passes a refusal on as it is, and never as absence', async () => {
  const { blobs, mock } = make();
  mock.on(HeadObjectCommand).rejects(s3Error('AccessDenied', 403));
  mock.on(PutObjectCommand).rejects(s3Error('AccessDenied', 403));
  await expect(blobs.has('work', 'key')).rejects.toThrow('AccessDenied');
  await expect(blobs.put('work', 'key', bytes('x'), { ifAbsent: true })).rejects.toThrow('AccessDenied');
});

test('has nothing to say about a bucket it was not given', async () => {
  const { client } = fakeS3();
  const blobs = createS3Blobs({ client, buckets: { work: 'a-work' } });
  await expect(blobs.put('clean', 'key', bytes('x'))).rejects.toThrow('clean bucket');
});

test('names the key to encrypt with when it is told one', async () => {
  const { client, mock } = fakeS3();
  await createS3Blobs({ client, buckets: BUCKETS, kmsKeyId: 'a-key' }).put('work', 'key', bytes('x'));
  expect(mock.commandCalls(PutObjectCommand)[0]?.args[0].input).toMatchObject({
    ServerSideEncryption: 'aws:kms',
    SSEKMSKeyId: 'a-key',
  });
});
