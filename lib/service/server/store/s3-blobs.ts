/** Blobs in an S3 bucket, each under its SHA-256. A blob is written into a file of this machine until its hash is known. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { ServiceError } from '../service-error.ts';
import { type BlobStore, type BlobWriter, checkSha256 } from './blobs.ts';

/** The place of blobs in S3. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or a folder without a slash at its ends. */
  readonly prefix: string;
}

export interface S3Access {
  /** @default from the environment of the SDK */
  readonly credentials?: S3ClientConfig['credentials'];
  /** Whether the path of a URL has the bucket, as foreign servers need it, instead of the host name. */
  readonly isPathStyle: boolean;
}

const FILE_MODE = 0o600;
/** How often a file is sent. The SDK cannot repeat a request whose body it has already read. */
const ATTEMPTS = 3;
const RETRY_AFTER_SECONDS = 30;
/** Milliseconds. A request without an answer would hold its upload or its job. */
const REQUEST_HANDLER = { connectionTimeout: 5_000, requestTimeout: 60_000, throwOnRequestTimeout: true };

/** Returns a client with the region and the endpoint that the SDK finds in its environment, and in its files. */
export function s3FromEnvironment({ credentials, isPathStyle }: S3Access): S3Client {
  return new S3Client({
    requestHandler: REQUEST_HANDLER,
    forcePathStyle: isPathStyle,
    ...(credentials && { credentials }),
  });
}

/** Blobs of a bucket. Rejects with ServiceError STORAGE_UNAVAILABLE while S3 does not answer. */
export async function openS3Blobs(client: S3Client, { bucket, prefix }: S3Place): Promise<BlobStore> {
  const incoming = await mkdtemp(join(tmpdir(), 'airlock-incoming-'));
  const objectOf = (sha256: string) => {
    const name = checkSha256(sha256);
    return { Bucket: bucket, Key: [...(prefix === '' ? [] : [prefix]), name.slice(0, 2), name].join('/') };
  };
  const get = async (sha256: string) => {
    const command = new GetObjectCommand(objectOf(sha256));
    return await client.send(command).catch(nullIfMissing);
  };
  return {
    create: () => fileWriter(join(incoming, randomUUID()), (path, sha256) => put(client, objectOf(sha256), path)),
    read: async (sha256) => {
      const found = await get(sha256);
      return found?.Body ? await found.Body.transformToByteArray().catch(unavailable) : null;
    },
    open: async (sha256) => {
      const found = await get(sha256);
      const { Body: body } = found ?? {};
      if (!(body instanceof Readable)) return null;
      return { size: found?.ContentLength ?? 0, stream: () => ReadableStream.from<Uint8Array>(body) };
    },
    remove: async (sha256) => {
      await client.send(new DeleteObjectCommand(objectOf(sha256))).catch(unavailable);
    },
  };
}

async function fileWriter(path: string, keep: (path: string, sha256: string) => Promise<void>): Promise<BlobWriter> {
  const file = await open(path, 'wx', FILE_MODE).catch(unavailable);
  let isOpen = true;
  const discard = async () => {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
    await rm(path, { force: true });
  };
  return {
    write: async (chunk) => await file.appendFile(chunk).catch(unavailable),
    commit: async (sha256) => {
      await keep(path, sha256);
      await discard();
    },
    discard,
  };
}

async function put(client: S3Client, object: { Bucket: string; Key: string }, path: string): Promise<void> {
  const { size } = await stat(path);
  for (let attempt = 1; ; attempt += 1) {
    const body = createReadStream(path);
    try {
      await client.send(new PutObjectCommand({ ...object, Body: body, ContentLength: size }));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) return unavailable(error);
    } finally {
      body.destroy();
    }
  }
}

function nullIfMissing(error: unknown): null {
  if (statusOf(error) === 404) return null;
  return unavailable(error);
}

const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Turns every failure of S3 into "the storage does not answer now". The error of S3 is the cause. */
function unavailable(error: unknown): never {
  const away = new ServiceError('STORAGE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  throw Object.assign(away, { cause: error });
}
