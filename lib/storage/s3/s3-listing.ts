/** The objects of a bucket that are there now, in the order of their keys. */
import { ListObjectVersionsCommand, type ObjectVersion, type S3Client } from '@aws-sdk/client-s3';
import { awsCall } from '../aws-errors.ts';

export interface ListedPlace {
  readonly bucket: string;
  /** How the keys begin; empty for all. */
  readonly prefix: string;
  /** Only keys behind this one; null for all. */
  readonly after: string | null;
}

/** An object in the version that a reader gets. */
export interface ListedObject {
  readonly key: string;
  /** `null`, as a word, in a bucket that never had versions. */
  readonly versionId: string;
  /** Without the quotes in which S3 writes it. */
  readonly etag: string;
  readonly size: number;
  /** True when it lies in an archive and cannot be read without waiting for hours. */
  readonly isArchived: boolean;
  /** Where a listing goes on behind it: the key, or a row of a report. */
  readonly position: string;
}

const ARCHIVES: ReadonlySet<string | undefined> = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/**
 * Lists the objects of a place, page by page. Versions that were replaced and objects that were deleted are left out. It needs
 * `s3:ListBucketVersions`. Throws TransientError, and the error of the SDK when AWS refuses.
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

/** The key as it is. It may hold characters that XML has no place for, so S3 is asked to write keys as in a form. Throws URIError. */
export const decodedKey = (key: string): string => decodeURIComponent(key.replace(/\+/g, ' '));

/** True for a storage class whose objects cannot be read without waiting for hours. */
export const isArchive = (storageClass: string | undefined): boolean => ARCHIVES.has(storageClass);
