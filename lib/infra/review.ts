import { Duration } from 'aws-cdk-lib';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type Buckets, DROPS_SEAL, onlyWriter } from './buckets.ts';
import { type DeskIssuer, issuerSettings } from './desk-issuer.ts';
import { acknowledgeNames, LambdaFunction } from './lambda-function.ts';
import { otherCode } from './other-code.ts';
import type { SigningSecrets } from './signing-secrets.ts';

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
 * The names that it reads in the work bucket: chains, public keys, the audit trail and saved views. It sees by their names whether artifacts are still
 * there.
 */
const READS = ['runs/*.json', 'keys/*', 'audit/*', 'desk/views.json'];
/** The names that it writes: its own entries, who released first, the audit trail, its own public keys, and saved views. */
const WRITES = [
  ...['runs/*/begun.json', 'runs/*/beginning.json', 'runs/*/asked-*.json'],
  ...['audit/*', 'keys/review-*.json', 'desk/views.json'],
];
/** In the intake bucket: copies that people dropped at the desk. */
const DROPS = 'dropped/';
const TIMEOUT = Duration.minutes(2);
const MEMORY_MB = 1_024;

/**
 * Carries out what people decide at the desk. It checks the token of the person once more, so whoever calls it can decide nothing in the name of
 * somebody who has not signed in. It reads no mail and writes neither the clean nor the quarantine bucket: what is released goes through every
 * stage as a new attempt, and `deliver` delivers it.
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
    const places = {
      AIRLOCK_WORK_BUCKET: buckets.of('work').bucketName,
      AIRLOCK_QUARANTINE_BUCKET: buckets.of('quarantine').bucketName,
      AIRLOCK_INTAKE_BUCKET: buckets.of('intake').bucketName,
      AIRLOCK_STATE_MACHINE_ARN: stateMachine.stateMachineArn,
      AIRLOCK_INTAKE_QUEUE: intakeQueue.queueUrl,
      AIRLOCK_INDEX_QUEUE: indexQueue.queueUrl,
    };
    for (const [name, value] of Object.entries(places)) this.function.addEnvironment(name, value);
  }

  /** Who blocks a file has `recheck` tell of the mail that delivered it. */
  tellOfBlocks({ queueArn, queueUrl }: sqs.IQueue): void {
    this.allow(['sqs:SendMessage'], [queueArn]);
    this.function.addEnvironment('AIRLOCK_RECHECK_QUEUE', queueUrl);
  }

  /** Puts copies that people drop where mail comes in. Nobody else writes there: whoever could, would have mail that nobody is told of. */
  takeDrops(buckets: Buckets): void {
    const intake = buckets.of('intake');
    this.allow(['s3:PutObject'], [intake.arnForObjects(`${DROPS}*`)]);
    this.allow(['kms:GenerateDataKey'], [buckets.keyOf('intake').keyArn]);
    acknowledgeNames(this.role, intake, [`${DROPS}*`]);
    onlyWriter(intake, DROPS, this.role, DROPS_SEAL);
  }

  /** A deleted message goes with every version of it. */
  private allowRemoval(buckets: Buckets): void {
    const [intake, quarantine] = [buckets.of('intake'), buckets.of('quarantine')];
    this.allow(['s3:ListBucketVersions'], [quarantine.bucketArn]);
    this.allow(['s3:DeleteObjectVersion'], [quarantine.arnForObjects('*'), intake.arnForObjects('*')]);
    for (const bucket of [intake, quarantine]) acknowledgeNames(this.role, bucket, ['*']);
  }
}
