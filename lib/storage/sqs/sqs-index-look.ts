/** Has the index of runs look at a run over Amazon SQS: the request waits in the queue of the ends that the index hears of. */
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
