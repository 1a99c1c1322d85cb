/** Lists the current objects of a bucket in the order of their keys. */
import { ListObjectVersionsCommand, type ObjectVersion, type S3Client } from '@aws-sdk/client-s3';
import { awsCall } from '../aws-errors.ts';

export interface ListedPlace {
  readonly bucket: string;
  /** The beginning of the keys; empty for all. */
  readonly prefix: string;
  /** Only keys after this one; null for all. */
  readonly after: string | null;
}

/** An object in the version that a reader gets. */
export interface ListedObject {
  readonly key: string;
  /** `null`, as a word, in a bucket that never had versions. */
  readonly versionId: string;
  /** Without the quotes that S3 writes around it. */
  readonly etag: string;
  readonly size: number;
  /** True when it is in an archive, and reading it would take hours of waiting. */
  readonly isArchived: boolean;
  /** The position from which the caller continues behind this object: its key, or a row of a report. */
  readonly position: string;
}

const ARCHIVES: ReadonlySet<string | undefined> = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/**
 * Lists the objects of a place, page by page, without replaced versions and deleted objects. It needs `s3:ListBucketVersions`. Throws
 * TransientError, and the error of the SDK when AWS refuses.
 */
export async function* listedObjects(
  client: S3Client,
  { bucket, prefix, after }: ListedPlace,
): AsyncGenerator<ListedObject> {
  let marker: { KeyMarker?: string; VersionIdMarker?: string } | null = after === null ? {} : { KeyMarker: after };
  while (marker !== null) {
    const command: ListObjectVersionsCommand = new ListObjectVersionsCommand({
      ...{ Bucket: bucket, Prefix: prefix, EncodingType: 'url' },
      ...marker,
    });
    const page = await awsCall('s3 list', client.send(command));
    for (const version of page.Versions ?? []) if (version.IsLatest) yield listed(version);
    marker = null;
    if (page.IsTruncated && page.NextKeyMarker !== undefined) {
      const { NextKeyMarker, NextVersionIdMarker } = page;
      marker = {
        KeyMarker: decodedKey(NextKeyMarker),
        ...(NextVersionIdMarker !== undefined && { VersionIdMarker: NextVersionIdMarker }),
      };
    }
  }
}

function listed({ Key = '', VersionId = 'null', ETag = '', Size = 0, StorageClass }: ObjectVersion): ListedObject {
  const key = decodedKey(Key);
  return {
    key,
    position: key,
    versionId: VersionId,
    etag: ETag.replace(/^"|"$/g, ''),
    size: Size,
    isArchived: isArchive(StorageClass),
  };
}

/** Decodes a key. A key may hold characters that XML cannot carry, so S3 is asked to encode keys as in a form. Throws URIError. */
export const decodedKey = (key: string): string => decodeURIComponent(key.replace(/\+/g, ' '));

/** Returns true for a storage class whose objects can only be read after hours of waiting. */
export const isArchive = (storageClass: string | undefined): boolean => ARCHIVES.has(storageClass);
