/** The queues of the engines over Amazon SQS: one queue for each kind of analysis. */
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Job, JobQueue } from '../../jobs/job.ts';
import type { Kind } from '../../pipeline/model.ts';
import { awsCall } from '../aws-errors.ts';

export interface SqsJobsOptions {
  readonly client: SQSClient;
  /** The queue of each kind; null for a kind without an engine here. */
  readonly queueUrls: Readonly<Record<Kind, string | null>>;
}

/**
 * Sends jobs. The group of a message is its run. A standard queue with groups lets runs take turns, so a mail of a thousand files does not
 * delay the next mail. Throws TransientError for throttling, 5xx and broken connections.
 */
export function createSqsJobs({ client, queueUrls }: SqsJobsOptions): JobQueue {
  return {
    async send(job: Job) {
      const QueueUrl = queueUrls[job.kind];
      if (QueueUrl === null) throw new TypeError(`this function has no queue for ${job.kind}`);
      const message = { QueueUrl, MessageBody: JSON.stringify(job), MessageGroupId: job.group };
      await awsCall('sqs send', client.send(new SendMessageCommand(message)));
    },
  };
}
