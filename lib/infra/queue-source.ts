import { Names } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';

export interface QueueSourceProps {
  /** The number of messages in one invocation. */
  readonly batchSize: number;
  /** The number of invocations at the same time. */
  readonly maxConcurrency: number;
}

/** The actions that Lambda needs to read a queue. Lambda does not look up the queue, and does not make messages visible again. */
const ACTIONS = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];

/**
 * Lets a function take messages from a queue, with exactly the permissions that Lambda uses for that.
 *
 * @example
 * ```ts
 * import type { IFunction } from 'aws-cdk-lib/aws-lambda';
 * import type { Queue } from 'aws-cdk-lib/aws-sqs';
 *
 * function readOneByOne(parse: IFunction, queue: Queue): void {
 *   takeFrom(parse, queue, { batchSize: 1, maxConcurrency: 20 });
 * }
 * ```
 */
export function takeFrom(target: lambda.IFunction, queue: sqs.IQueue, props: QueueSourceProps): void {
  const { batchSize, maxConcurrency } = props;
  target.addToRolePolicy(new iam.PolicyStatement({ actions: ACTIONS, resources: [queue.queueArn] }));
  // CDK's own event source uses this name. A deployed stack therefore keeps its resource.
  target.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
    eventSourceArn: queue.queueArn,
    batchSize,
    maxConcurrency,
    reportBatchItemFailures: true,
  });
}
