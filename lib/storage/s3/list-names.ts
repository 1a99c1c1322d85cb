/** Lists the objects of a bucket whose keys begin alike. */
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { awsCall } from '../aws-errors.ts';

export interface FoundName {
  readonly key: string;
  /** The time at which it was written, in milliseconds since the epoch. */
  readonly at: number;
}

/** A page waits for the answer. In a flood of more than this many thousand names, the last ones are not found. */
const MAX_PAGES = 20;

/** Returns the names, in the order of their keys. Throws TransientError. */
export async function namesBelow(client: S3Client, Bucket: string, Prefix: string): Promise<FoundName[]> {
  const found: FoundName[] = [];
  let ContinuationToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const command = new ListObjectsV2Command({ Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) });
    const answer = await awsCall('s3 list', client.send(command));
    for (const { Key = '', LastModified } of answer.Contents ?? [])
      found.push({ key: Key, at: LastModified?.getTime() ?? 0 });
    ContinuationToken = answer.NextContinuationToken;
    if (ContinuationToken === undefined) break;
  }
  return found;
}
