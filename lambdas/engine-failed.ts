/** Lambda entry point of the jobs that no function could do: each time, the file killed it. Their reports say so, and their runs go on. */
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
