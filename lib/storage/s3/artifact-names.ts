/** Finds out whether artifacts still exist, for a function that may list names of the work bucket and must not read artifacts. */
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { Blobs } from '../../pipeline/ports.ts';
import { awsCall } from '../aws-errors.ts';

export interface ArtifactNames {
  readonly client: S3Client;
  readonly workBucket: string;
}

const ARTIFACTS = 'artifacts/';

/**
 * Returns the same blobs, but a question about an artifact lists its name. S3 answers the direct question only to callers that may read the
 * object.
 */
export function withArtifactNames(blobs: Blobs, { client, workBucket: Bucket }: ArtifactNames): Blobs {
  return {
    ...blobs,
    async has(bucket, key) {
      if (bucket !== 'work' || !key.startsWith(ARTIFACTS)) return blobs.has(bucket, key);
      const command = new ListObjectsV2Command({ Bucket, Prefix: key, MaxKeys: 1 });
      const { Contents = [] } = await awsCall('s3 list', client.send(command));
      return Contents[0]?.Key === key;
    },
  };
}
