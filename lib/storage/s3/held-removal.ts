/** Removes the stored objects of a held run from S3, with every version of them. Nobody can restore them. */
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
  /** The real names of both buckets. */
  readonly quarantineBucket: string;
  readonly intakeBucket: string;
}

interface Version {
  readonly key: string;
  readonly versionId: string;
}

/**
 * Removes the copy in the quarantine bucket, and the version that came in when the intake bucket has versions. Objects of other buckets
 * belong to their owners, so they stay. An object without a version stays, too: another one may have replaced it. Throws TransientError.
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

/** Returns each version of each object whose key begins so, and each mark of a deletion. */
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
