/** Asks `parse` to read intake objects again, over Amazon SQS. The request waits in the queue of the events about new objects. */
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { newRun } from '../../pipeline/chain/new-run.ts';
import type { RedriveContext } from '../../pipeline/context.ts';
import { runIdOf } from '../../pipeline/keys.ts';
import { readAgainText } from '../../pipeline/review/read-again.ts';
import { awsCall } from '../aws-errors.ts';

export interface SqsReadAgainOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
}

/** Resolves when the request waits. Throws TransientError. */
export function createSqsReadAgain({ client, queueUrl }: SqsReadAgainOptions): RedriveContext['parseAgain'] {
  return async (intake, attempt) => {
    const MessageBody = readAgainText({ intake, attempt });
    await awsCall('sqs send', client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody })));
    return newRun(runIdOf(intake), attempt.number);
  };
}
