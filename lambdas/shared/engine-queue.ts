/** The queues of the engines, for the stage that sends jobs. */
import { SQSClient } from '@aws-sdk/client-sqs';
import { createSqsJobs, type SqsJobsOptions } from '../../lib/storage/sqs/jobs.ts';
import { NO_HANGING } from './secrets.ts';

/** Returns the queue of each kind. */
export const openQueue = (queueUrls: SqsJobsOptions['queueUrls']) =>
  createSqsJobs({ client: new SQSClient({ requestHandler: NO_HANGING }), queueUrls });
