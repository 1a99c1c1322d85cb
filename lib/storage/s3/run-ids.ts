/** Lists the ids of the runs whose chains are in a work bucket. */
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { awsCall } from '../aws-errors.ts';

const FOLDER = 'runs/';
const RUN = /^runs\/([0-9a-f]{32})\/$/;

/** Lists them in order, a thousand with each request. Throws TransientError. */
export async function* runIdsIn(client: S3Client, bucket: string): AsyncGenerator<string> {
  let ContinuationToken: string | undefined;
  do {
    const command: ListObjectsV2Command = new ListObjectsV2Command({
      ...{ Bucket: bucket, Prefix: FOLDER, Delimiter: '/' },
      ...(ContinuationToken !== undefined && { ContinuationToken }),
    });
    const page = await awsCall('s3 list', client.send(command));
    for (const { Prefix = '' } of page.CommonPrefixes ?? []) {
      const runId = RUN.exec(Prefix)?.[1];
      if (runId !== undefined) yield runId;
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}
