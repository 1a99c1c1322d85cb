/**
 * Asks `parse` to try words of other mail on held mail, over Amazon SQS. The request waits in the queue of the events about new objects.
 */
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type PasswordTry, passwordTryText } from '../../pipeline/passwords/password-try.ts';
import { awsCall } from '../aws-errors.ts';

export interface SqsPasswordTryOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
}

/** Resolves when the request waits. Throws TransientError. */
export function createSqsPasswordTry({ client, queueUrl: QueueUrl }: SqsPasswordTryOptions) {
  return async (passwordTry: PasswordTry): Promise<void> => {
    const MessageBody = passwordTryText(passwordTry);
    await awsCall('sqs send', client.send(new SendMessageCommand({ QueueUrl, MessageBody })));
  };
}
