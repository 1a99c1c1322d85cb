import { Duration } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type * as logs from 'aws-cdk-lib/aws-logs';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Scheduled as ScheduledName } from '../pipeline/model.ts';
import type { Buckets } from './buckets.ts';
import { LambdaFunction, type Network } from './lambda-function.ts';
import { takeFrom } from './queue-source.ts';
import { otherCode } from './sources/other-code.ts';

/** The settings of such a function that the owner of a stack chooses. */
export interface ScheduledChoice {
  readonly buckets: Buckets;
  /** The index of runs. */
  readonly table: dynamodb.ITable;
  /** The hour of each day (UTC) at which it starts. */
  readonly hour: number;
  readonly logRetention: logs.RetentionDays;
  /** @default no VPC */
  readonly network?: Network | undefined;
  /** A policy document (JSON) for the bundle. @default the policy as shipped */
  readonly policyJson?: string | undefined;
}

export interface ScheduledProps extends ScheduledChoice {
  readonly name: ScheduledName;
  readonly environment: Readonly<Record<string, string>>;
  /** The names that it reads in the work bucket, and the names that it writes. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** The longest time that a function may live. */
const TIMEOUT = Duration.minutes(15);
const MEMORY_MB = 1_024;
const VISIBILITY = Duration.minutes(30);
/** Failed work is tried again for five hours. */
const ATTEMPTS = 10;
const SAFE = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: Duration.days(14) };
/** Rounds of one day follow each other. Rounds of two days may overlap. SQS accepts no smaller number. */
const MAX_CONCURRENT = 2;

/**
 * A function that a clock starts once a day, through its own queue. When there is too much work for one function, it puts a message for the
 * rest into that queue. It finds runs in the index. Work that it cannot do waits in `deadLetters`. A person can have SQS move it back into
 * the queue.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const lettersOf = (stack: Stack, props: ScheduledProps) => new Scheduled(stack, 'Digest', props).deadLetters;
 * ```
 */
export class Scheduled extends LambdaFunction {
  readonly queue: sqs.Queue;
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string, props: ScheduledProps) {
    const { name, hour, buckets, table } = props;
    const work = buckets.of('work');
    super(scope, id, {
      description: `Mail Airlock, once a day: ${name}`,
      code: otherCode(name, props.policyJson),
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: { ...props.environment, AIRLOCK_WORK_BUCKET: work.bucketName },
      logRetention: props.logRetention,
      network: props.network,
    });
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', SAFE);
    this.queue = new sqs.Queue(this, 'Queue', {
      ...SAFE,
      visibilityTimeout: VISIBILITY,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: ATTEMPTS },
    });
    takeFrom(this.function, this.queue, { batchSize: 1, maxConcurrency: MAX_CONCURRENT });
    new events.Rule(this, 'Daily', {
      description: `Mail Airlock: ${name} once a day`,
      schedule: events.Schedule.cron({ hour: String(hour), minute: '15' }),
      targets: [new targets.SqsQueue(this.queue, { deadLetterQueue: this.deadLetters })],
    });
    this.allowNames(work, props.reads, props.writes);
    this.allow(['kms:Decrypt', 'kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    this.allowIndex(table, buckets.key);
    this.allow(['sqs:SendMessage'], [this.queue.queueArn]);
    this.function.addEnvironment(`AIRLOCK_${name.toUpperCase()}_QUEUE`, this.queue.queueUrl);
  }
}
