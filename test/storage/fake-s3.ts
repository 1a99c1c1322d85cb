/** A small S3 behind a mocked client: versions, If-None-Match, tags, copies and its errors, as S3 does them. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientResolvedConfig,
  S3ServiceException,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-s3';
import { type AwsStub, mockClient } from 'aws-sdk-client-mock';

export interface StoredVersion {
  readonly versionId: string;
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly tagging: string | undefined;
}

type S3Mock = AwsStub<ServiceInputTypes, ServiceOutputTypes, S3ClientResolvedConfig>;

export interface FakeS3 {
  readonly client: S3Client;
  readonly mock: S3Mock;
  /** Versions by `bucket/key`, oldest first. */
  readonly objects: Map<string, StoredVersion[]>;
}

/** The error S3 answers with. */
export function s3Error(name: string, httpStatusCode: number): S3ServiceException {
  return new S3ServiceException({ name, message: name, $fault: 'client', $metadata: { httpStatusCode } });
}

/** Bytes as the SDK hands them out: a stream. */
export function s3Body(...chunks: Uint8Array[]) {
  return Readable.from(chunks) as never;
}

/** The ETag of these bytes, in quotes, as S3 answers. */
export function etagOf(body: Uint8Array): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

/** One client with an S3 of its own. */
export function fakeS3(): FakeS3 {
  const client = new S3Client({ region: 'eu-central-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } });
  const mock = mockClient(client);
  return { client, mock, objects: answerAsS3(mock) };
}

/** Answers the mocked commands. Returns what is stored, by `bucket/key`. */
export function answerAsS3(mock: S3Mock): Map<string, StoredVersion[]> {
  const objects = new Map<string, StoredVersion[]>();
  const find = (path: string, versionId: string | undefined, missing: string): StoredVersion => {
    const versions = objects.get(path) ?? [];
    const found = versionId === undefined ? versions.at(-1) : versions.find((each) => each.versionId === versionId);
    if (found === undefined) throw s3Error(versionId === undefined ? missing : 'NoSuchVersion', 404);
    return found;
  };
  const store = (path: string, version: Omit<StoredVersion, 'versionId'>) => {
    const versions = objects.get(path) ?? [];
    const versionId = `v${versions.length + 1}`;
    objects.set(path, [...versions, { ...version, versionId }]);
    return { ETag: etagOf(version.body), VersionId: versionId };
  };

  mock.on(PutObjectCommand).callsFake((input) => {
    const path = `${input.Bucket}/${input.Key}`;
    if (input.IfNoneMatch === '*' && objects.has(path)) throw s3Error('PreconditionFailed', 412);
    const current = input.IfMatch === undefined ? null : find(path, undefined, 'NoSuchKey');
    if (current !== null && etagOf(current.body) !== input.IfMatch) throw s3Error('PreconditionFailed', 412);
    return store(path, { body: Uint8Array.from(input.Body), contentType: input.ContentType, tagging: input.Tagging });
  });
  mock.on(GetObjectCommand).callsFake((input) => {
    const { body } = find(`${input.Bucket}/${input.Key}`, input.VersionId, 'NoSuchKey');
    if (input.IfMatch !== undefined && input.IfMatch !== etagOf(body)) throw s3Error('PreconditionFailed', 412);
    return { Body: s3Body(Uint8Array.from(body)), ContentLength: body.byteLength };
  });
  mock.on(HeadObjectCommand).callsFake((input) => {
    const { body, versionId } = find(`${input.Bucket}/${input.Key}`, input.VersionId, 'NotFound');
    return { ContentLength: body.byteLength, ETag: etagOf(body), VersionId: versionId };
  });
  mock.on(CopyObjectCommand).callsFake((input) => {
    const [path = '', version] = String(input.CopySource).split('?versionId=');
    // A header line is ASCII: what was not percent-encoded would have been refused on the way.
    if (!/^[\x21-\x7e]+$/.test(input.CopySource)) throw s3Error('InvalidArgument', 400);
    const source = find(decodeURIComponent(path), version && decodeURIComponent(version), 'NoSuchKey');
    if (input.CopySourceIfMatch !== undefined && input.CopySourceIfMatch !== etagOf(source.body))
      throw s3Error('PreconditionFailed', 412);
    const isReplaced = input.MetadataDirective === 'REPLACE' && input.TaggingDirective === 'REPLACE';
    return store(`${input.Bucket}/${input.Key}`, {
      body: source.body,
      contentType: isReplaced ? input.ContentType : source.contentType,
      tagging: isReplaced ? input.Tagging : source.tagging,
    });
  });
  return objects;
}
