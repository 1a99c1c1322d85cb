/** Lambda entry point for jobs that killed every function that tried them. It writes their reports, so that their runs continue. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { failJob } from '../lib/jobs/fail-job.ts';
import { eachJob, workBucket } from './shared/engine-runtime.ts';
import { logger } from './shared/runtime.ts';

export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const blobs = workBucket();
  return await eachJob(event, async (job) => {
    await failJob(blobs, job);
    logger.warn('an engine failed', { fault: 'engine_failed' });
    return true;
  });
}
