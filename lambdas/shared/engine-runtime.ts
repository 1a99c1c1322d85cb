/** The parts that the lambdas of the engines share: the work bucket, and a queue that gives out jobs one by one. */
import { S3Client } from '@aws-sdk/client-s3';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { Job } from '../../lib/jobs/job.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { logger, setting } from './runtime.ts';
import { NO_HANGING } from './secrets.ts';

/** Returns the work bucket. These lambdas have no other port. */
export function workBucket(): Blobs {
  const client = new S3Client({ requestHandler: NO_HANGING });
  return createS3Blobs({ client, buckets: { work: setting('AIRLOCK_WORK_BUCKET') } });
}

/** Returns how often the queue has given out the job of a record. */
export function receivesOf({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}

/**
 * Does the jobs of a batch in order. A job goes back to the queue when its work throws or returns false. A message that is no job goes
 * back, too: after a few times it waits in the last queue, where an alarm finds it.
 */
export async function eachJob(
  { Records }: SQSEvent,
  work: (job: Job, record: SQSRecord) => Promise<boolean>,
): Promise<SQSBatchResponse> {
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const record of Records) {
    logger.resetKeys();
    const isDone = await worked(record, work).catch((error: unknown) => {
      logger.error('the job failed', error instanceof Error ? error : new Error(String(error)));
      return false;
    });
    if (!isDone) batchItemFailures.push({ itemIdentifier: record.messageId });
  }
  return { batchItemFailures };
}

async function worked(record: SQSRecord, work: (job: Job, record: SQSRecord) => Promise<boolean>): Promise<boolean> {
  const job = Job.parse(JSON.parse(record.body));
  logger.appendKeys({ engine: job.kind, runId: job.group, question: job.question, receives: receivesOf(record) });
  return await work(job, record);
}
