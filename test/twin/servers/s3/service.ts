/** S3: conditional writes, versions, tags, checksums, ETags, ranges, copies and uploads in parts. */
import { unknown } from '../../assembly/refuse.ts';
import type { ToldClock } from '../../clock.ts';
import { type Answer, type AwsCall, AwsError, type KnownCaller, type Service } from '../call.ts';
import { uploadedBytes } from './body.ts';
import { listing, s3Needs, type TagsOf } from './needs.ts';
import { PartialUploads } from './partial-uploads.ts';
import { copySourceOf, type S3Request, s3OperationOf, s3RequestOf } from './request.ts';
import type { BucketStore, StoredObject } from './store.ts';
import { versionsListed } from './versions.ts';
import { textsIn, xmlAnswer, xmlError } from './xml.ts';

export interface S3Options {
  readonly clock: ToldClock;
  readonly buckets: readonly BucketStore[];
  /** Whether the caller may know that an object does not exist. */
  readonly mayList: (caller: KnownCaller, need: ReturnType<typeof listing>) => boolean;
  /** Called for each new object. `reason` is the operation, as events name it. */
  readonly onCreated?: (bucket: BucketStore, key: string, object: StoredObject, reason: string) => void;
}

type Handler = (request: S3Request, call: AwsCall) => Answer;

const MAX_KEY_LENGTH = 1024;
const MAX_TAGS = 10;
const FOUND: Answer = { status: 200 };

/** The service over these buckets. */
export function s3Service({ clock, buckets, mayList, onCreated }: S3Options): Service {
  const uploads = new PartialUploads();
  const bucketOf = (name: string): BucketStore =>
    buckets.find(({ settings }) => settings.name === name) ?? fail('NoSuchBucket', 404, `no bucket ${name}`);

  const find = (bucket: BucketStore, key: string, versionId: string | null, caller: KnownCaller): StoredObject => {
    const isHidden = () => !mayList(caller, listing(bucket.settings, ''));
    if (versionId === null && bucket.newest(key) === null && isHidden())
      fail('AccessDenied', 403, 'no such key, or no access');
    return bucket.find(key, versionId);
  };
  const source = (request: S3Request, caller: KnownCaller): StoredObject => {
    const { bucket, key, versionId } = copySourceOf(request);
    const found = find(bucketOf(bucket), key, versionId, caller);
    const condition = request.headers['x-amz-copy-source-if-match'];
    if (condition !== undefined && condition !== found.etag) fail('PreconditionFailed', 412, 'the ETag is another');
    return found;
  };
  const store = (request: S3Request, object: Pick<StoredObject, 'body'> & Partial<StoredObject>, reason: string) => {
    const bucket = bucketOf(request.bucket);
    if (Buffer.byteLength(request.key) > MAX_KEY_LENGTH) fail('KeyTooLongError', 400, 'the key is too long');
    if (request.headers['if-none-match'] === '*' && bucket.newest(request.key))
      fail('PreconditionFailed', 412, 'it exists');
    const expected = request.headers['if-match'];
    const current = expected === undefined ? null : bucket.newest(request.key);
    if (expected !== undefined && current === null) fail('NoSuchKey', 404, 'nothing to replace');
    if (current !== null && current.etag !== expected) fail('PreconditionFailed', 412, 'the ETag is another');
    const { body, etag } = object;
    const described = { ...describedBy(request, clock.now()), ...object, body };
    const stored = bucket.put(request.key, described, etag);
    onCreated?.(bucket, request.key, stored, reason);
    return { stored, headers: storedHeaders(bucket, stored) };
  };

  const tagsOf: TagsOf = (bucket, key, versionId) => {
    const store = bucketOf(bucket);
    const versions = versionId === null ? [store.newest(key)] : store.versions(key);
    return versions.find((one) => versionId === null || one?.versionId === versionId)?.tags ?? {};
  };

  const handlers: Readonly<Record<string, Handler>> = {
    GetObjectTagging(request) {
      const { tags } = bucketOf(request.bucket).find(request.key, versionOf(request));
      const Tag = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
      return xmlAnswer('Tagging', { TagSet: { Tag } });
    },
    PutObjectTagging(request, call) {
      const xml = call.body.toString('utf8');
      const [names, values] = [textsIn(xml, 'Key'), textsIn(xml, 'Value')];
      if (names.length > MAX_TAGS) fail('BadRequest', 400, 'Object tags cannot be greater than 10');
      const tags = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
      bucketOf(request.bucket).tag(request.key, versionOf(request), tags);
      return FOUND;
    },
    GetObject: (request, { caller }) =>
      read(
        request,
        find(bucketOf(request.bucket), request.key, versionOf(request), caller),
        true,
        bucketOf(request.bucket),
      ),
    HeadObject: (request, { caller }) =>
      read(
        request,
        find(bucketOf(request.bucket), request.key, versionOf(request), caller),
        false,
        bucketOf(request.bucket),
      ),
    PutObject(request, call) {
      const { headers } = store(request, { body: uploadedBytes(request.headers, call.body) }, 'PutObject');
      return { ...FOUND, headers };
    },
    CopyObject(request, { caller }) {
      const { body, tags, metadata, contentType } = source(request, caller);
      const isReplaced = request.headers['x-amz-metadata-directive'] === 'REPLACE';
      const kept = isReplaced ? {} : { metadata, contentType };
      const keptTags = request.headers['x-amz-tagging-directive'] === 'REPLACE' ? {} : { tags };
      const { stored, headers } = store(request, { body, ...kept, ...keptTags }, 'CopyObject');
      return xmlAnswer('CopyObjectResult', { ETag: stored.etag, LastModified: iso(stored) }, headers);
    },
    DeleteObject(request) {
      bucketOf(request.bucket).delete(request.key, versionOf(request));
      return { status: 204 };
    },
    CreateMultipartUpload(request) {
      const id = uploads.begin(describedBy(request, clock.now()));
      return xmlAnswer('InitiateMultipartUploadResult', { Bucket: request.bucket, Key: request.key, UploadId: id });
    },
    UploadPart(request, call) {
      const etag = uploads.add(request.query, uploadedBytes(request.headers, call.body));
      return { ...FOUND, headers: { etag } };
    },
    UploadPartCopy(request, { caller }) {
      const bytes = ranged(source(request, caller).body, request.headers['x-amz-copy-source-range']);
      const etag = uploads.add(request.query, bytes);
      return xmlAnswer('CopyPartResult', { ETag: etag, LastModified: new Date(clock.now()).toISOString() });
    },
    CompleteMultipartUpload(request, call) {
      const object = uploads.complete(request.query, call.body.toString('utf8'));
      const { stored, headers } = store(request, object, 'CompleteMultipartUpload');
      return xmlAnswer('CompleteMultipartUploadResult', { ETag: stored.etag, Key: request.key }, headers);
    },
    AbortMultipartUpload(request) {
      uploads.abort(request.query);
      return { status: 204 };
    },
    ListObjectsV2: (request) => listed(request, bucketOf(request.bucket)),
    ListObjectVersions: (request) => versionsListed(request, bucketOf(request.bucket)),
  };

  return {
    operation: s3OperationOf,
    needs: (call) => s3Needs(call.operation, s3RequestOf(call), (name) => bucketOf(name).settings, tagsOf),
    async answer(call) {
      const handler = handlers[call.operation] ?? unknown('operation of S3', call.operation);
      return handler(s3RequestOf(call), call);
    },
    error: xmlError,
  };
}

function fail(name: string, status: number, message: string): never {
  throw new AwsError(name, status, message);
}

const versionOf = ({ query }: S3Request) => query.versionId ?? null;
const iso = ({ modifiedAt }: StoredObject) => new Date(modifiedAt).toISOString();

function describedBy({ headers }: S3Request, now: number): Omit<StoredObject, 'versionId' | 'etag' | 'body'> {
  return {
    contentType: headers['content-type'] ?? 'binary/octet-stream',
    tags: Object.fromEntries(new URLSearchParams(headers['x-amz-tagging'] ?? '')),
    metadata: {},
    modifiedAt: now,
  };
}

function storedHeaders({ settings }: BucketStore, { etag, versionId }: StoredObject): Record<string, string> {
  return {
    etag,
    ...(settings.isVersioned && { 'x-amz-version-id': versionId }),
    ...(settings.keyArn !== null && {
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': settings.keyArn,
    }),
  };
}

function read({ headers }: S3Request, object: StoredObject, withBody: boolean, bucket: BucketStore): Answer {
  if (headers['if-match'] !== undefined && headers['if-match'] !== object.etag)
    fail('PreconditionFailed', 412, 'the ETag is another');
  const body = ranged(object.body, headers.range);
  const common = {
    ...storedHeaders(bucket, object),
    'content-type': object.contentType,
    'content-length': String(body.length),
    'last-modified': new Date(object.modifiedAt).toUTCString(),
  };
  const status = headers.range === undefined ? 200 : 206;
  return withBody ? { status, headers: common, body } : { status, headers: common };
}

function ranged(body: Buffer, range: string | undefined): Buffer {
  if (range === undefined) return body;
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? unknown('range', range);
  return body.subarray(Number(first), last === '' ? body.length : Number(last) + 1);
}

const PAGE = 1000;

function listed({ query }: S3Request, bucket: BucketStore): Answer {
  const { prefix = '', delimiter = '', 'max-keys': most = String(PAGE) } = query;
  const after = query['continuation-token'] ?? query['start-after'] ?? '';
  // Keys with the same text up to the delimiter are one entry of the list.
  const entryOf = (key: string) => {
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    return at === -1 ? key : key.slice(0, at + delimiter.length);
  };
  const entries = new Set(
    bucket
      .keys()
      .filter((key) => key.startsWith(prefix))
      .map(entryOf),
  );
  const all = [...entries].filter((entry) => Buffer.compare(Buffer.from(entry), Buffer.from(after)) > 0);
  const isGroup = (entry: string) => delimiter !== '' && entry.indexOf(delimiter, prefix.length) !== -1;
  const page = all.slice(0, Math.min(Number(most), PAGE));
  const isTruncated = page.length < all.length;
  return xmlAnswer('ListBucketResult', {
    Name: bucket.settings.name,
    Prefix: prefix,
    KeyCount: page.length,
    IsTruncated: isTruncated,
    ...(isTruncated && { NextContinuationToken: page.at(-1) ?? '' }),
    CommonPrefixes: page.filter(isGroup).map((entry) => ({ Prefix: entry })),
    Contents: page
      .filter((entry) => !isGroup(entry))
      .map((key) => {
        const object = bucket.find(key, null);
        return { Key: key, LastModified: iso(object), ETag: object.etag, Size: object.body.length };
      }),
  });
}
