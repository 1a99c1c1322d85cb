/** Removes what is held of a run from S3, with every version of it. Nobody can bring it back. */
import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { ReviewContext } from '../../pipeline/context.ts';
import { keys } from '../../pipeline/keys.ts';
import { awsCall } from '../aws-errors.ts';

export interface S3HeldRemovalOptions {
  readonly client: S3Client;
  /** Real names of both buckets. */
  readonly quarantineBucket: string;
  readonly intakeBucket: string;
}

interface Version {
  readonly key: string;
  readonly versionId: string;
}

/**
 * Removes the copy in the quarantine bucket, and the version that came in when the intake bucket has versions. An object of another bucket
 * belongs to its owner, and an object without a version may have been replaced: both stay. Throws TransientError.
 */
export function createS3HeldRemoval(options: S3HeldRemovalOptions): ReviewContext['removeHeld'] {
  const { client, quarantineBucket, intakeBucket } = options;
  const remove = (Bucket: string, Key: string, VersionId: string) =>
    awsCall('s3 delete', client.send(new DeleteObjectCommand({ Bucket, Key, VersionId })));
  return async (runId, intake) => {
    for (const { key, versionId } of await versionsBelow(client, quarantineBucket, keys.held(runId)))
      await remove(quarantineBucket, key, versionId);
    if (intake !== null && intake.bucket === intakeBucket && intake.versionId !== '')
      await remove(intakeBucket, intake.untrustedKey, intake.versionId);
  };
}

/** Each version of each object whose key begins so, and each mark of a deletion. */
async function versionsBelow(client: S3Client, Bucket: string, Prefix: string): Promise<Version[]> {
  const found: Version[] = [];
  let from: Pick<ListObjectVersionsCommandInput, 'KeyMarker' | 'VersionIdMarker'> | null = {};
  while (from !== null) {
    const asked: ListObjectVersionsCommandInput = { Bucket, Prefix, ...from };
    const page: ListObjectVersionsCommandOutput = await awsCall(
      's3 list',
      client.send(new ListObjectVersionsCommand(asked)),
    );
    for (const { Key, VersionId } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
      found.push({ key: Key ?? '', versionId: VersionId ?? '' });
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    from = page.IsTruncated === true ? { KeyMarker, VersionIdMarker } : null;
  }
  return found;
}
