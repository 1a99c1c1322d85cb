/** The noted files that are worse than when they were delivered, over S3. */
import type { S3Client } from '@aws-sdk/client-s3';
import { hashesIn } from '../../pipeline/recall/worse.ts';
import { namesBelow } from './list-names.ts';

const ALL = 'worse/';

/** Returns their hashes. Throws TransientError. */
export async function s3WorseFiles(client: S3Client, workBucket: string): Promise<string[]> {
  const found = await namesBelow(client, workBucket, ALL);
  return hashesIn(found.map(({ key }) => key.slice(ALL.length)));
}
