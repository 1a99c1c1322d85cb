/** Asks the index of runs to read a run again, over Amazon SQS. The request waits in the queue that brings ends of runs to the index. */
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { indexLookText } from '../../pipeline/runs/index-look.ts';
import { awsCall } from '../aws-errors.ts';

export interface SqsIndexLookOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
}

/** Resolves when the request waits. Throws TransientError. */
export function createSqsIndexLook({ client, queueUrl }: SqsIndexLookOptions) {
  return async (runId: string, attempt: number): Promise<void> => {
    const command = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: indexLookText({ runId, attempt }) });
    await awsCall('sqs send', client.send(command));
  };
}
