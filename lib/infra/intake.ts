import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';

export interface IntakeProps {
  readonly intakeBucket: s3.IBucket;
  readonly stateMachine: sfn.IStateMachine;
  readonly parse: lambda.IFunction;
  readonly quarantine: lambda.IFunction;
  readonly functionTimeout: Duration;
  /** Lambdas that parse at the same time. */
  readonly maxConcurrentParses: number;
}

/** As long as SQS keeps anything: two weeks to mend whatever keeps mail from even being quarantined. */
const KEPT = Duration.days(14);
/**
 * A message must not come back while a function may still hold it. The event source has a concurrency of its own, so Lambda
 * never takes what it cannot run, and a mail that failed in passing is tried again within minutes.
 */
const VISIBILITY_FACTOR = 2;
const PARSE_ATTEMPTS = 3;
/** One email an invocation: one that exhausts time or memory must not take its neighbours along. */
const PARSE_BATCH = 1;
const QUARANTINE_BATCH = 5;
const FEWEST_CONCURRENT = 2;

/**
 * The way in, and the two ways to quarantine that need no stage to work: intake events that parse gave up on, and executions
 * that ended badly. Both end in one queue, which quarantine works off for as long as it takes.
 */
export class Intake extends Construct {
  readonly queue: sqs.Queue;
  readonly casualties: sqs.Queue;

  constructor(scope: Construct, id: string, props: IntakeProps) {
    super(scope, id);
    const visibilityTimeout = Duration.seconds(props.functionTimeout.toSeconds() * VISIBILITY_FACTOR);
    const safe = {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: KEPT,
      visibilityTimeout,
    };
    this.casualties = new sqs.Queue(this, 'Casualties', safe);
    this.queue = new sqs.Queue(this, 'Queue', {
      ...safe,
      deadLetterQueue: { queue: this.casualties, maxReceiveCount: PARSE_ATTEMPTS },
    });
    this.routeEvents(props);
    props.parse.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: PARSE_BATCH,
        maxConcurrency: props.maxConcurrentParses,
        reportBatchItemFailures: true,
      }),
    );
    props.quarantine.addEventSource(
      new SqsEventSource(this.casualties, {
        batchSize: QUARANTINE_BATCH,
        maxConcurrency: FEWEST_CONCURRENT,
        reportBatchItemFailures: true,
      }),
    );
  }

  private routeEvents(props: IntakeProps): void {
    new events.Rule(this, 'ObjectCreated', {
      description: 'Mail Airlock: an object in the intake bucket is to be scanned',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [props.intakeBucket.bucketName] } },
      },
      targets: [new targets.SqsQueue(this.queue, { deadLetterQueue: this.casualties })],
    });
    new events.Rule(this, 'ExecutionEndedBadly', {
      description: 'Mail Airlock: an execution that ended without a terminal state is to be quarantined',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { stateMachineArn: [props.stateMachine.stateMachineArn], status: ['FAILED', 'TIMED_OUT', 'ABORTED'] },
      },
      targets: [new targets.SqsQueue(this.casualties)],
    });
  }
}
