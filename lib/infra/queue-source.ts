import { Names } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';

export interface QueueSourceProps {
  /** Messages of one invocation. */
  readonly batchSize: number;
  /** Invocations at the same time. */
  readonly maxConcurrency: number;
}

/** The actions that Lambda needs to read a queue. It neither looks the queue up nor makes messages visible again. */
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
  // The name that CDK's own event source gives it, so that a deployed stack keeps it.
  target.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
    eventSourceArn: queue.queueArn,
    batchSize,
    maxConcurrency,
    reportBatchItemFailures: true,
  });
}
