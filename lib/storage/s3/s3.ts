/** The Blobs port over Amazon S3. The buckets themselves define encryption, versions and lifecycles (lib/infra/buckets.ts). */
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { LimitExceededError, NotFoundError } from '../../pipeline/errors.ts';
import type { Blobs, Bucket, GetOptions, PutOptions } from '../../pipeline/ports.ts';
import { awsCall, httpStatusOf } from '../aws-errors.ts';
import { copyObject, entityTag } from './copy.ts';

export interface S3BlobsOptions {
  readonly client: S3Client;
  /** Real bucket names. A function does not get the name of a bucket that it may not use. */
  readonly buckets: Partial<Readonly<Record<Bucket, string>>>;
  /**
   * Real names of other buckets from which objects come in. They are searched only for objects that did not come in by the intake bucket.
   * @default none
   */
  readonly sources?: () => readonly string[];
  /** The key for encryption. @default the bucket's own default encryption */
  readonly kmsKeyId?: string;
}

const NOT_FOUND = 404;
const PRECONDITION_FAILED = 412;
const DEFAULT_TYPE = 'application/octet-stream';

/**
 * Blobs over S3. `get` reads at most `maxBytes`, by the announced length and again while streaming. Throws NotFoundError,
 * LimitExceededError, TransientError (throttling, 5xx, broken connections), and the SDK's own error for refusals.
 */
export function createS3Blobs(options: S3BlobsOptions): Blobs {
  const { client } = options;
  const bucketName = (bucket: Bucket): string => {
    const name = options.buckets[bucket];
    if (name === undefined) throw new TypeError(`this function may not use the ${bucket} bucket`);
    return name;
  };
  /** Returns the name of a bucket. An event that names a bucket gives no right to read it. The bucket must be one of ours, or a source. */
  const sourceName = (bucket: Bucket, source: string | undefined): string => {
    const isOther = bucket === 'intake' && source !== undefined && source !== options.buckets.intake;
    return isOther && options.sources?.().includes(source) ? source : bucketName(bucket);
  };
  return {
    async put(bucket, key, body, put = {}) {
      const command = new PutObjectCommand({
        Bucket: bucketName(bucket),
        Key: key,
        Body: body,
        ...putParameters(put),
        ...encryption(options.kmsKeyId),
      });
      try {
        await awsCall('s3 put', client.send(command));
        return true;
      } catch (error) {
        if (put.ifAbsent === true && httpStatusOf(error) === PRECONDITION_FAILED) return false;
        throw error;
      }
    },
    get(bucket, key, get) {
      return mapNotFound({ bucket, key }, readBounded(client, sourceName(bucket, get.source), key, get));
    },
    async has(bucket, key) {
      const head = awsCall('s3 head', client.send(new HeadObjectCommand({ Bucket: bucketName(bucket), Key: key })));
      try {
        await head;
        return true;
      } catch (error) {
        if (httpStatusOf(error) === NOT_FOUND) return false;
        throw error;
      }
    },
    async copy(source, target) {
      const { key, versionId, etag } = source;
      const from = {
        bucketName: sourceName(source.bucket, source.source),
        key,
        versionId,
        ...(etag !== undefined && { etag }),
      };
      const to = { Bucket: bucketName(target.bucket), Key: target.key, ContentType: DEFAULT_TYPE };
      const copied = copyObject(client, from, { ...to, ...encryption(options.kmsKeyId) });
      await mapNotFound(source, awsCall('s3 copy', copied));
    },
  };
}

function putParameters(put: PutOptions) {
  const tags = Object.entries(put.tags ?? {}).map((pair) => pair.map(encodeURIComponent).join('='));
  return {
    ContentType: put.contentType ?? DEFAULT_TYPE,
    ...(put.ifAbsent === true ? { IfNoneMatch: '*' } : {}),
    ...(tags.length > 0 ? { Tagging: tags.join('&') } : {}),
  };
}

function encryption(kmsKeyId: string | undefined) {
  return kmsKeyId === undefined ? {} : { ServerSideEncryption: 'aws:kms' as const, SSEKMSKeyId: kmsKeyId };
}

async function mapNotFound<T>(object: { bucket: Bucket; key: string }, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    // A failed precondition: other bytes have replaced those with the ETag.
    if ([NOT_FOUND, PRECONDITION_FAILED].includes(httpStatusOf(error) ?? 0))
      throw new NotFoundError(object.bucket, object.key);
    throw error;
  }
}

async function readBounded(client: S3Client, bucketName: string, key: string, get: GetOptions): Promise<Uint8Array> {
  const version = get.versionId === undefined || get.versionId === '' ? {} : { VersionId: get.versionId };
  const condition = get.etag === undefined ? {} : { IfMatch: entityTag(get.etag) };
  const answer = await awsCall(
    's3 get',
    client.send(new GetObjectCommand({ Bucket: bucketName, Key: key, ...version, ...condition })),
  );
  return collectBounded(answer, get.maxBytes);
}

/** Reads the bytes of an answer, up to the limit. Throws LimitExceededError, TransientError. */
export function collectBounded(answer: GetObjectCommandOutput, maxBytes: number): Promise<Uint8Array> {
  const body = answer.Body as (AsyncIterable<Uint8Array> & { destroy?(): void }) | undefined;
  if (body === undefined) return Promise.resolve(new Uint8Array(0));
  const announced = answer.ContentLength ?? null;
  if (announced !== null && announced > maxBytes) {
    // Without this, the connection would stay in use until S3 has sent the whole object.
    body.destroy?.();
    return Promise.reject(new LimitExceededError('object bytes', maxBytes, announced));
  }
  return awsCall('s3 get', collect(body, maxBytes));
}

/** The announced length is not trusted, so the arriving bytes are counted. */
async function collect(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new LimitExceededError('object bytes', maxBytes, null);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
