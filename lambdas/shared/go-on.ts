/** Work that is too long for one invocation. The rest of it waits in the queue of the function. */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsCall } from '../../lib/storage/aws-errors.ts';
import { NO_HANGING } from './secrets.ts';

const client = new SQSClient({ requestHandler: NO_HANGING });

/** Resolves when the request for the rest waits in this queue. Throws TransientError. */
export async function goOn(queueUrl: string, rest: object): Promise<void> {
  const command = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(rest) });
  await awsCall('sqs send', client.send(command));
}
