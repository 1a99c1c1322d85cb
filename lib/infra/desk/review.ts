import { Duration } from 'aws-cdk-lib';
import type * as logs from 'aws-cdk-lib/aws-logs';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { DROPS } from '../../pipeline/model.ts';
import type { Buckets } from '../buckets.ts';
import { acknowledgeNames, LambdaFunction } from '../lambda-function.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import { takeFrom } from '../queue-source.ts';
import { otherCode } from '../sources/other-code.ts';
import type { SigningSecrets } from '../stages/signing-secrets.ts';
import { type DeskIssuer, issuerSettings } from './issuer.ts';

export interface ReviewProps {
  readonly buckets: Buckets;
  readonly signing: SigningSecrets;
  readonly stateMachine: sfn.IStateMachine;
  /** The queue that parse reads. */
  readonly intakeQueue: sqs.IQueue;
  /** The queue that `index-run` reads. */
  readonly indexQueue: sqs.IQueue;
  readonly issuer: DeskIssuer;
  readonly environment: Readonly<Record<string, string>>;
  /** A policy document (JSON) for the bundle. @default the policy as shipped */
  readonly policyJson?: string | undefined;
  readonly logRetention: logs.RetentionDays;
}

/**
 * The names that it reads in the work bucket: chains, public keys, the audit trail and saved views. Listing names shows it whether
 * artifacts still exist.
 */
const READS = ['runs/*.json', 'keys/*', 'audit/*', 'desk/views.json'];
/** The names that it writes: its own entries, the first release of a mail, the audit trail, its own public keys, and saved views. */
const WRITES = [
  ...['runs/*/begun.json', 'runs/*/beginning.json', 'runs/*/asked-*.json', 'runs/*/dropped.json'],
  ...['audit/*', 'keys/review-*.json', 'desk/views.json'],
];
const TIMEOUT = Duration.minutes(2);
const MEMORY_MB = 1_024;
/**
 * Deleted mail is removed once more after this time, the longest delay of SQS. A function of `quarantine` could still have been filing it,
 * but none lives that long.
 */
const REMOVED_AGAIN_AFTER = Duration.minutes(15);
/** A failed removal is tried again for most of a day. */
const REMOVALS = { every: Duration.minutes(10), attempts: 100, batchSize: 5, maxConcurrency: 2 } as const;
const SAFE = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: Duration.days(14) };

/**
 * Carries out the decisions of people at the desk. It checks the token of the person once more. A caller can therefore decide nothing in
 * the name of somebody who has not signed in. It reads no mail, and does not write the clean bucket or the quarantine bucket. Released mail
 * goes through every stage as a new attempt, and `deliver` delivers it. Deleted mail is removed at once. Its own queue makes it remove the
 * mail once more.
 *
 * @example
 * ```ts
 * import { CfnOutput, type Stack } from 'aws-cdk-lib';
 *
 * function reviewOf(stack: Stack, props: ReviewProps): void {
 *   const { functionName } = new Review(stack, 'Review', props).function;
 *   new CfnOutput(stack, 'ReviewFunction', { value: functionName });
 * }
 * ```
 */
export class Review extends LambdaFunction {
  /** The queue of removals that failed again and again. */
  private readonly removalLetters: sqs.Queue;

  constructor(scope: Construct, id: string, props: ReviewProps) {
    super(scope, id, {
      description: 'Mail Airlock, review',
      code: otherCode('review', props.policyJson),
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: { ...props.environment, ...issuerSettings(props.issuer) },
      logRetention: props.logRetention,
    });
    const { buckets, signing, stateMachine, intakeQueue, indexQueue } = props;
    this.allowNames(buckets.of('work'), READS, WRITES);
    this.allow(['kms:Decrypt', 'kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    this.allowRemoval(buckets);
    this.allow(['states:StartExecution'], [stateMachine.stateMachineArn]);
    this.allow(['sqs:SendMessage'], [intakeQueue.queueArn, indexQueue.queueArn]);
    signing.grantTo('review', this);
    this.removalLetters = new sqs.Queue(this, 'RemovalLetters', SAFE);
    const removals = this.newRemovals(this.removalLetters);
    const places = {
      AIRLOCK_WORK_BUCKET: buckets.of('work').bucketName,
      AIRLOCK_QUARANTINE_BUCKET: buckets.of('quarantine').bucketName,
      AIRLOCK_INTAKE_BUCKET: buckets.of('intake').bucketName,
      AIRLOCK_STATE_MACHINE_ARN: stateMachine.stateMachineArn,
      AIRLOCK_INTAKE_QUEUE: intakeQueue.queueUrl,
      AIRLOCK_INDEX_QUEUE: indexQueue.queueUrl,
      AIRLOCK_REMOVALS_QUEUE: removals.queueUrl,
    };
    for (const [name, value] of Object.entries(places)) this.function.addEnvironment(name, value);
  }

  /**
   * Makes an alarm for deleted mail that could not be removed. When a person blocks a file, `recheck` (if it exists) tells of the mail that
   * delivered it.
   */
  tell(monitoring: Monitoring, recheckQueue: sqs.IQueue | null): void {
    monitoring.watchLetters('Removals', 'of deleted mail could not be done', this.removalLetters);
    if (recheckQueue === null) return;
    this.allow(['sqs:SendMessage'], [recheckQueue.queueArn]);
    this.function.addEnvironment('AIRLOCK_RECHECK_QUEUE', recheckQueue.queueUrl);
  }

  /** From here the page of a deleted mail is written anew, because no end of a run follows a delete. */
  tellPages({ queueArn, queueUrl }: sqs.IQueue): void {
    this.allow(['sqs:SendMessage'], [queueArn]);
    this.function.addEnvironment('AIRLOCK_PAGES_QUEUE', queueUrl);
  }

  /**
   * Lets it put dropped copies where mail comes in. Nobody else may write there, because mail put there is scanned without any notice to
   * people.
   */
  takeDrops(buckets: Buckets): void {
    const intake = buckets.of('intake');
    this.allow(['s3:PutObject'], [intake.arnForObjects(`${DROPS}*`)]);
    this.allow(['kms:GenerateDataKey'], [buckets.keyOf('intake').keyArn]);
    acknowledgeNames(this.role, intake, [`${DROPS}*`]);
    buckets.sealDrops(this.role);
  }

  /** Returns the queue of deleted mail that is removed a second time. */
  private newRemovals(queue: sqs.Queue): sqs.Queue {
    const { every, attempts, ...source } = REMOVALS;
    const removals = new sqs.Queue(this, 'Removals', {
      ...SAFE,
      deliveryDelay: REMOVED_AGAIN_AFTER,
      visibilityTimeout: every,
      deadLetterQueue: { queue, maxReceiveCount: attempts },
    });
    takeFrom(this.function, removals, source);
    this.allow(['sqs:SendMessage'], [removals.queueArn]);
    return removals;
  }

  /** Every version of a deleted message is removed. */
  private allowRemoval(buckets: Buckets): void {
    const [intake, quarantine] = [buckets.of('intake'), buckets.of('quarantine')];
    this.allow(['s3:ListBucketVersions'], [quarantine.bucketArn]);
    this.allow(['s3:DeleteObjectVersion'], [quarantine.arnForObjects('*'), intake.arnForObjects('*')]);
    for (const bucket of [intake, quarantine]) acknowledgeNames(this.role, bucket, ['*']);
  }
}
