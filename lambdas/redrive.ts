/** Lambda entry point of `redrive`. It begins held runs again. The desk and `airlock redrive --function` call it. It reads no mail. */
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { RedriveContext } from '../lib/pipeline/context.ts';
import { type RedriveAnswer, redriveHeld } from '../lib/pipeline/review/redrive-held.ts';
import { createS3HeldRuns } from '../lib/storage/s3/held-runs.ts';
import { createSqsReadAgain } from '../lib/storage/sqs/read-again.ts';
import { executionPorts } from './shared/ports.ts';
import { redriveRequestOf } from './shared/redrive-request.ts';
import { contextOf, logged, setting } from './shared/runtime.ts';
import { NO_HANGING } from './shared/secrets.ts';

const context = contextOf(executionPorts);

export function handler(event: unknown): Promise<RedriveAnswer> {
  return logged('redrive', null, async () => {
    const request = redriveRequestOf(event);
    return redriveHeld(await redriveContext(), heldRuns(), request);
  });
}

async function redriveContext(): Promise<RedriveContext> {
  const client = new SQSClient({ requestHandler: NO_HANGING });
  const parseAgain = createSqsReadAgain({ client, queueUrl: setting('AIRLOCK_INTAKE_QUEUE') });
  return { ...(await context()), parseAgain };
}

function heldRuns() {
  const client = new S3Client({ requestHandler: NO_HANGING });
  return createS3HeldRuns({ client, bucketName: setting('AIRLOCK_QUARANTINE_BUCKET') });
}
