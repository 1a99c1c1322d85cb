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
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { describeBlobs } from './blobs-contract.ts';
import { etagOf, fakeS3, s3Body, s3Error } from './fake-s3.ts';

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

test('in a bucket without versions it reads and copies the bytes of the event only, not those put over them', async () => {
  const { blobs, objects } = make();
  await blobs.put('intake', 'mail', bytes('judged'));
  const etag = etagOf(bytes('judged')).replaceAll('"', '');
  expect(text(await blobs.get('intake', 'mail', { maxBytes: 100, etag }))).toBe('judged');
  await blobs.put('intake', 'mail', bytes('swapped'));
  await expect(blobs.get('intake', 'mail', { maxBytes: 100, etag })).rejects.toThrow(NotFoundError);
  const source = { bucket: 'intake', key: 'mail', versionId: '', etag } as const;
  await expect(blobs.copy(source, { bucket: 'quarantine', key: 'copy' })).rejects.toThrow(NotFoundError);
  expect(objects.has('a-quarantine/copy')).toBe(false);
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

test('the parts of a large copy are written with its own key, name and type, and read from the version that was judged', async () => {
  const { client, mock } = fakeS3();
  mock.on(CopyObjectCommand).rejects(s3Error('InvalidRequest', 400));
  mock.on(HeadObjectCommand).resolves({ ContentLength: 5 * 1024 ** 3 + 1 });
  mock.on(CreateMultipartUploadCommand).resolves({ UploadId: 'upload' });
  mock.on(UploadPartCopyCommand).resolves({ CopyPartResult: { ETag: 'e' } });
  const blobs = createS3Blobs({ client, buckets: BUCKETS, kmsKeyId: 'a-key' });
  await blobs.copy({ bucket: 'intake', key: 'mail', versionId: 'v1' }, { bucket: 'quarantine', key: 'copy' });
  expect(mock.commandCalls(HeadObjectCommand)[0]?.args[0].input).toEqual({
    Bucket: 'an-intake',
    Key: 'mail',
    VersionId: 'v1',
  });
  expect(mock.commandCalls(CreateMultipartUploadCommand)[0]?.args[0].input).toEqual({
    Bucket: 'a-quarantine',
    Key: 'copy',
    ContentType: 'application/octet-stream',
    ServerSideEncryption: 'aws:kms',
    SSEKMSKeyId: 'a-key',
  });
  const part = { Bucket: 'a-quarantine', Key: 'copy', UploadId: 'upload' };
  for (const { args } of mock.commandCalls(UploadPartCopyCommand)) expect(args[0].input).toMatchObject(part);
  expect(mock.commandCalls(CompleteMultipartUploadCommand)[0]?.args[0].input).toMatchObject(part);
});

test.each([
  ['an object of exactly 5 GiB, which one request can copy', 400, 5 * 1024 ** 3],
  ['a refusal, whatever the size is', 403, 6 * 1024 ** 3],
])('does not copy in parts after %s', async (_, status, ContentLength) => {
  const { blobs, mock } = make();
  mock.on(CopyObjectCommand).rejects(s3Error('Odd', status));
  mock.on(HeadObjectCommand).resolves({ ContentLength });
  const copied = blobs.copy({ bucket: 'intake', key: 'mail', versionId: '' }, { bucket: 'quarantine', key: 'copy' });
  await expect(copied).rejects.toThrow('Odd');
  expect(mock.commandCalls(CreateMultipartUploadCommand)).toEqual([]);
});

test('copies the newest version when none is named, slashes and all', async () => {
  const { blobs, mock } = make();
  await blobs.put('intake', 'a/b c', bytes('x'));
  await blobs.copy({ bucket: 'intake', key: 'a/b c', versionId: '' }, { bucket: 'quarantine', key: 'copy' });
  expect(mock.commandCalls(CopyObjectCommand)[0]?.args[0].input).toEqual({
    Bucket: 'a-quarantine',
    Key: 'copy',
    ContentType: 'application/octet-stream',
    CopySource: 'an-intake/a/b%20c',
    MetadataDirective: 'REPLACE',
    TaggingDirective: 'REPLACE',
  });
});

test('sends no more with an object than it was told', async () => {
  const { blobs, mock } = make();
  await blobs.put('work', 'key', bytes('x'));
  await blobs.put('work', 'key', bytes('x'), { ifAbsent: false, tags: {} });
  const input = { Bucket: 'a-work', Key: 'key', Body: bytes('x'), ContentType: 'application/octet-stream' };
  expect(mock.commandCalls(PutObjectCommand).map(({ args }) => args[0].input)).toEqual([input, input]);
  await blobs.get('work', 'key', { maxBytes: 1, versionId: '' });
  expect(mock.commandCalls(GetObjectCommand)[0]?.args[0].input).toEqual({ Bucket: 'a-work', Key: 'key' });
});

test('an answer without a body is an empty object', async () => {
  const { blobs, mock } = make();
  mock.on(GetObjectCommand).resolves({});
  expect((await blobs.get('work', 'key', { maxBytes: 0 })).byteLength).toBe(0);
});

test('reads an object of the permitted size whose length was not announced', async () => {
  const { blobs, mock } = make();
  mock.on(GetObjectCommand).resolves({ Body: s3Body(bytes('01234'), bytes('56789')) });
  expect(text(await blobs.get('work', 'key', { maxBytes: 10 }))).toBe('0123456789');
});

test('a put that was not for an absent object does not call a failed condition a success', async () => {
  const { blobs, mock } = make();
  mock.on(PutObjectCommand).rejects(s3Error('PreconditionFailed', 412));
  await expect(blobs.put('work', 'key', bytes('x'))).rejects.toThrow('PreconditionFailed');
});

test('a busy S3 is no absence when an object is copied', async () => {
  const { blobs, mock } = make();
  mock.on(CopyObjectCommand).rejects(s3Error('SlowDown', 503));
  const copied = blobs.copy({ bucket: 'intake', key: 'mail', versionId: '' }, { bucket: 'quarantine', key: 'copy' });
  await expect(copied).rejects.toThrow(TransientError);
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
  mock.on(CopyObjectCommand).rejects(s3Error(name, status));
  const copied = () => blobs.copy({ bucket: 'intake', key: 'a', versionId: '' }, { bucket: 'quarantine', key: 'b' });
  // The error says which call it was.
  for (const [call, made] of [
    ['s3 put', () => blobs.put('work', 'key', bytes('x'), { ifAbsent: true })],
    ['s3 get', () => blobs.get('work', 'key', { maxBytes: 1 })],
    ['s3 head', () => blobs.has('work', 'key')],
    ['s3 copy', copied],
  ] as const) {
    await expect(made()).rejects.toThrow(TransientError);
    await expect(made()).rejects.toThrow(`${call} failed for now: ${name}`);
  }
});

test('calls a connection that breaks while reading a fault that passes', async () => {
  const { blobs, mock } = make();
  async function* broken() {
    yield bytes('half of ');
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  }
  mock.on(GetObjectCommand).resolves({ Body: broken() as never });
  await expect(blobs.get('work', 'key', { maxBytes: 100 })).rejects.toMatchObject({
    name: 'TransientError',
    message: 's3 get failed for now: Error',
  });
});

test('passes a refusal on as it is, and never as absence', async () => {
  const { blobs, mock } = make();
  mock.on(HeadObjectCommand).rejects(s3Error('AccessDenied', 403));
  mock.on(PutObjectCommand).rejects(s3Error('AccessDenied', 403));
  mock.on(GetObjectCommand).rejects(s3Error('AccessDenied', 403));
  mock.on(CopyObjectCommand).rejects(s3Error('AccessDenied', 403));
  await expect(blobs.has('work', 'key')).rejects.toThrow('AccessDenied');
  await expect(blobs.get('work', 'key', { maxBytes: 1 })).rejects.toThrow('AccessDenied');
  const copied = blobs.copy({ bucket: 'intake', key: 'a', versionId: '' }, { bucket: 'quarantine', key: 'b' });
  await expect(copied).rejects.toThrow('AccessDenied');
  await expect(blobs.put('work', 'key', bytes('x'), { ifAbsent: true })).rejects.toThrow('AccessDenied');
});

test('has nothing to say about a bucket it was not given', async () => {
  const { client } = fakeS3();
  const blobs = createS3Blobs({ client, buckets: { work: 'a-work' } });
  await expect(blobs.put('clean', 'key', bytes('x'))).rejects.toThrow('clean bucket');
});

test('names the key to encrypt with when it is told one', async () => {
  const { client, mock } = fakeS3();
  const blobs = createS3Blobs({ client, buckets: BUCKETS, kmsKeyId: 'a-key' });
  await blobs.put('work', 'key', bytes('x'));
  await blobs.copy({ bucket: 'work', key: 'key', versionId: '' }, { bucket: 'quarantine', key: 'copy' });
  expect(mock.commandCalls(CopyObjectCommand)[0]?.args[0].input).toMatchObject({
    ServerSideEncryption: 'aws:kms',
    SSEKMSKeyId: 'a-key',
  });
  expect(mock.commandCalls(PutObjectCommand)[0]?.args[0].input).toMatchObject({
    ServerSideEncryption: 'aws:kms',
    SSEKMSKeyId: 'a-key',
  });
});
