import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { takeFrom } from '../queue-source.ts';

export interface IntakeProps {
  readonly intakeBucket: s3.IBucket;
  readonly stateMachine: sfn.IStateMachine;
  readonly parse: lambda.IFunction;
  readonly quarantine: lambda.IFunction;
  readonly functionTimeout: Duration;
  /** The number of Lambdas that parse at the same time. */
  readonly maxConcurrentParses: number;
}

/** The longest time that SQS keeps a message: two weeks to repair the fault that prevents even a quarantine. */
const KEPT = Duration.days(14);
/**
 * A message must not come back while a function may still work on it. The event source has its own limit of concurrency, so Lambda never
 * takes a message that it cannot process. A mail with a temporary failure is tried again within minutes.
 */
const VISIBILITY_FACTOR = 2;
const PARSE_ATTEMPTS = 3;
/** One email per invocation: an email that uses up time or memory must not harm others. */
const PARSE_BATCH = 1;
const QUARANTINE_BATCH = 5;
const FEWEST_CONCURRENT = 2;
/** Quarantine tries a message every ten minutes for half a week. Then it goes to the last queue, where a person reads it. */
const QUARANTINE_ATTEMPTS = 500;

/**
 * The intake, and two paths to quarantine that work without any stage. One is for intake events on which parse gave up, the other for
 * failed executions. Both paths end in one queue. Quarantine tries its messages for days. A message that it still cannot file waits in a
 * last queue for a person.
 *
 * @example
 * ```ts
 * import { Duration, Stack } from 'aws-cdk-lib';
 *
 * function intakeOf(stack: Stack, props: Omit<IntakeProps, 'functionTimeout' | 'maxConcurrentParses'>): Intake {
 *   return new Intake(stack, 'Intake', { ...props, functionTimeout: Duration.minutes(5), maxConcurrentParses: 20 });
 * }
 * ```
 */
export class Intake extends Construct {
  readonly queue: sqs.Queue;
  readonly deadLetters: sqs.Queue;
  /** Messages that even quarantine could not file. No function reads it. An alarm tells when it is not empty. */
  readonly unfiled: sqs.Queue;

  constructor(scope: Construct, id: string, props: IntakeProps) {
    super(scope, id);
    const visibilityTimeout = Duration.seconds(props.functionTimeout.toSeconds() * VISIBILITY_FACTOR);
    const safe = {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: KEPT,
      visibilityTimeout,
    };
    this.unfiled = new sqs.Queue(this, 'Unfiled', safe);
    this.deadLetters = new sqs.Queue(this, 'Casualties', {
      ...safe,
      deadLetterQueue: { queue: this.unfiled, maxReceiveCount: QUARANTINE_ATTEMPTS },
    });
    this.queue = new sqs.Queue(this, 'Queue', {
      ...safe,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: PARSE_ATTEMPTS },
    });
    this.routeEvents(props);
    takeFrom(props.parse, this.queue, { batchSize: PARSE_BATCH, maxConcurrency: props.maxConcurrentParses });
    takeFrom(props.quarantine, this.deadLetters, { batchSize: QUARANTINE_BATCH, maxConcurrency: FEWEST_CONCURRENT });
  }

  private routeEvents(props: IntakeProps): void {
    new events.Rule(this, 'ObjectCreated', {
      description: 'Mail Airlock: scan a new object in the intake bucket',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [props.intakeBucket.bucketName] } },
      },
      targets: [new targets.SqsQueue(this.queue, { deadLetterQueue: this.deadLetters })],
    });
    new events.Rule(this, 'ExecutionEndedBadly', {
      description: 'Mail Airlock: quarantine the mail of an execution that ended without a terminal state',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { stateMachineArn: [props.stateMachine.stateMachineArn], status: ['FAILED', 'TIMED_OUT', 'ABORTED'] },
      },
      targets: [new targets.SqsQueue(this.deadLetters)],
    });
  }
}
