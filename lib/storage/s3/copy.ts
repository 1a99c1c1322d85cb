/** Copies within S3. The bytes do not pass through this process, so an object of any size can be quarantined. */
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { mapBounded } from '../../pipeline/bounded.ts';
import { httpStatusOf } from '../aws-errors.ts';

/** The largest copy that S3 makes in one request. Larger objects must be quarantined, too. */
const ONE_REQUEST_BYTES = 5 * 1024 ** 3;
const PART_BYTES = 1024 ** 3;
const CONCURRENT_PARTS = 16;
const BAD_REQUEST = 400;

export interface S3Source {
  readonly bucketName: string;
  readonly key: string;
  /** Empty for the newest. */
  readonly versionId: string;
  /** Copy only the bytes with this ETag. @default any */
  readonly etag?: string;
}

/** The bucket, key, type and encryption of the copy. Those of the source do not matter. */
export interface S3Target {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
  readonly ServerSideEncryption?: 'aws:kms';
  readonly SSEKMSKeyId?: string;
}

/** Copies one version of an object without its metadata and tags. Throws the SDK's errors. */
export async function copyObject(client: S3Client, source: S3Source, target: S3Target): Promise<void> {
  const from = copySource(source);
  // The sender may have chosen the type, metadata and tags of the source, so the copy gets none of them.
  const replaced = { MetadataDirective: 'REPLACE', TaggingDirective: 'REPLACE' } as const;
  try {
    await client.send(new CopyObjectCommand({ ...target, ...from, ...replaced }));
  } catch (error) {
    const size = httpStatusOf(error) === BAD_REQUEST ? await sizeOf(client, source) : 0;
    if (size <= ONE_REQUEST_BYTES) throw error;
    await copyInParts(client, from, size, target);
  }
}

interface CopySource {
  readonly CopySource: string;
  readonly CopySourceIfMatch?: string;
}

/** Returns the source as header values: everything but the slashes of the key is percent-encoded. */
function copySource({ bucketName, key, versionId, etag }: S3Source): CopySource {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const version = versionId === '' ? '' : `?versionId=${encodeURIComponent(versionId)}`;
  return {
    CopySource: `${bucketName}/${path}${version}`,
    ...(etag !== undefined && { CopySourceIfMatch: entityTag(etag) }),
  };
}

/** Writes an ETag as a header value (RFC 9110 section 8.8.3): in quotes, which events of S3 omit. */
export function entityTag(etag: string): string {
  return etag.startsWith('"') ? etag : `"${etag}"`;
}

async function sizeOf(client: S3Client, { bucketName, key, versionId }: S3Source): Promise<number> {
  const version = versionId === '' ? {} : { VersionId: versionId };
  const head = await client.send(new HeadObjectCommand({ Bucket: bucketName, Key: key, ...version }));
  return head.ContentLength ?? 0;
}

/** An interrupted upload leaves nothing readable. The lifecycle of the bucket deletes its parts. */
async function copyInParts(client: S3Client, from: CopySource, size: number, target: S3Target): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
  const starts = Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, index) => index * PART_BYTES);
  const Parts = await mapBounded(starts, CONCURRENT_PARTS, async (start, index) => {
    const CopySourceRange = `bytes=${start}-${Math.min(start + PART_BYTES, size) - 1}`;
    const PartNumber = index + 1;
    const part = await client.send(new UploadPartCopyCommand({ ...upload, ...from, CopySourceRange, PartNumber }));
    return { PartNumber, ETag: part.CopyPartResult?.ETag };
  });
  await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
}
