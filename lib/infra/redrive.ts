import { Duration } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { bundleOtherLambda } from '#bundles';
import type { Buckets } from './buckets.ts';
import { bundledCode, LambdaFunction } from './lambda-function.ts';
import type { SigningSecrets } from './stages/signing-secrets.ts';

export interface RedriveProps {
  readonly buckets: Buckets;
  readonly signing: SigningSecrets;
  readonly stateMachine: sfn.IStateMachine;
  /** The queue that parse reads. */
  readonly intakeQueue: sqs.IQueue;
  readonly environment: Readonly<Record<string, string>>;
  readonly logRetention: logs.RetentionDays;
  /** @default no VPC */
  readonly vpc?: ec2.IVpc | undefined;
}

/**
 * The names that `redrive` reads in the work bucket: chains and public keys. It also sees whether artifacts still exist. A rebuilt message
 * is no JSON, so it cannot read one.
 */
const READS = ['runs/*.json', 'keys/*', 'artifacts/*'];
/** The names that it writes: its own entries, and its own public keys. */
const WRITES = ['runs/*/begun.json', 'runs/*/beginning.json', 'keys/redrive-*.json'];
const TIMEOUT = Duration.minutes(5);
const MEMORY_MB = 512;

/**
 * Begins held runs again. No part of the stack calls it, only people and programs with the permission. It reads no mail, and does not write
 * the clean bucket or the quarantine bucket. Each attempt goes through every stage like the first one.
 *
 * @example
 * ```ts
 * import { CfnOutput, type Stack } from 'aws-cdk-lib';
 *
 * function redriveOf(stack: Stack, props: RedriveProps): void {
 *   const { functionName } = new Redrive(stack, 'Redrive', props).function;
 *   new CfnOutput(stack, 'RedriveFunction', { value: functionName });
 * }
 * ```
 */
export class Redrive extends LambdaFunction {
  constructor(scope: Construct, id: string, props: RedriveProps) {
    super(scope, id, {
      description: 'Mail Airlock, redrive',
      code: bundledCode(['redrive'], (outDir) => bundleOtherLambda('redrive', outDir)),
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: props.environment,
      logRetention: props.logRetention,
      network: props.vpc && { vpc: props.vpc },
    });
    const { buckets, signing, stateMachine, intakeQueue } = props;
    this.allowNames(buckets.of('work'), READS, WRITES);
    this.allow(['kms:Decrypt', 'kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    // These are the names and times of records, not their content.
    this.allow(['s3:ListBucket'], [buckets.of('quarantine').bucketArn]);
    this.allow(['states:StartExecution'], [stateMachine.stateMachineArn]);
    this.allow(['sqs:SendMessage'], [intakeQueue.queueArn]);
    signing.grantTo('redrive', this);
    const places = {
      AIRLOCK_WORK_BUCKET: buckets.of('work').bucketName,
      AIRLOCK_QUARANTINE_BUCKET: buckets.of('quarantine').bucketName,
      AIRLOCK_STATE_MACHINE_ARN: stateMachine.stateMachineArn,
      AIRLOCK_INTAKE_QUEUE: intakeQueue.queueUrl,
    };
    for (const [name, value] of Object.entries(places)) this.function.addEnvironment(name, value);
  }
}
