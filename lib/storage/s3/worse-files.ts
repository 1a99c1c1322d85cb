/** Lists on S3 the delivered files that a later analysis judged worse. */
import type { S3Client } from '@aws-sdk/client-s3';
import { hashesIn } from '../../pipeline/recall/worse.ts';
import { namesBelow } from './list-names.ts';

const ALL = 'worse/';

/** Returns the SHA-256 hashes of the delivered files that were judged worse later. Throws TransientError. */
export async function s3WorseFiles(client: S3Client, workBucket: string): Promise<string[]> {
  const found = await namesBelow(client, workBucket, ALL);
  return hashesIn(found.map(({ key }) => key.slice(ALL.length)));
}
