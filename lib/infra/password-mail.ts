import { Duration } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { WayOut, type WayOutProps } from './way-out.ts';

/** The index takes the same ends of runs, and has written them by then. */
const INDEXED_BY = Duration.minutes(1);

export interface PasswordMailProps extends Omit<WayOutProps, 'name' | 'ends' | 'patience'> {
  /** The index of runs. */
  readonly table: dynamodb.ITable;
  /** The queue that parse reads. */
  readonly intakeQueue: sqs.IQueue;
}

/**
 * Finds held mail that the password of another mail may open, and asks `parse` to try. It reads chains and the index, and no mail. Only
 * `parse`, which reads every mail anyway, sees the words.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const lettersOf = (stack: Stack, props: PasswordMailProps) => new PasswordMail(stack, 'PasswordMail', props).deadLetters;
 * ```
 */
export class PasswordMail extends WayOut {
  constructor(scope: Construct, id: string, props: PasswordMailProps) {
    super(scope, id, {
      ...props,
      name: 'password-mail',
      ends: ['MessageDelivered', 'MessageQuarantined'],
      patience: { deliveryDelay: INDEXED_BY },
    });
    const { buckets, table, intakeQueue } = props;
    this.allowIndex(table, buckets.key);
    this.allow(['sqs:SendMessage'], [intakeQueue.queueArn]);
    this.function.addEnvironment('AIRLOCK_INTAKE_QUEUE', intakeQueue.queueUrl);
  }
}
