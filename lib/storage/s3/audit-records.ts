/** Counts all records of the audit trail in a work bucket, also those behind a gap. */
import { ListObjectsV2Command, type ListObjectsV2CommandOutput, type S3Client } from '@aws-sdk/client-s3';
import { awsCall } from '../aws-errors.ts';

const RECORD = /^audit\/\d{9}\.json$/;

/** Counts them. Throws TransientError. */
export async function auditRecordsIn(client: S3Client, Bucket: string): Promise<number> {
  let [count, after]: [number, string | undefined] = [0, undefined];
  do {
    const asked = new ListObjectsV2Command({ Bucket, Prefix: 'audit/', ContinuationToken: after });
    const page: ListObjectsV2CommandOutput = await awsCall('s3 list', client.send(asked));
    count += (page.Contents ?? []).filter(({ Key = '' }) => RECORD.test(Key)).length;
    after = page.NextContinuationToken;
  } while (after !== undefined);
  return count;
}
