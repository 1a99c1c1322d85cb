/** Whether artifacts are still there, for a function that may list names of the work bucket and must not read artifacts. */
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import type { Blobs } from '../../pipeline/ports.ts';
import { awsCall } from '../aws-errors.ts';

export interface ArtifactNames {
  readonly client: S3Client;
  readonly workBucket: string;
}

const ARTIFACTS = 'artifacts/';

/** The same blobs, which list the name of an artifact where they would ask for it: S3 answers that only to a caller who may read it. */
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
