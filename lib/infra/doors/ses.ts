import { Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import * as ses from 'aws-cdk-lib/aws-ses';
import * as sns from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { bundleOtherLambda } from '#bundles';
import type { Buckets } from '../buckets.ts';
import { acknowledgeNames, bundledCode, LambdaFunction, type Network } from '../lambda-function.ts';
import { takeFrom } from '../queue-source.ts';

export interface SesDoorProps {
  readonly buckets: Buckets;
  /** Addresses and domains whose mail is received. */
  readonly recipients: readonly string[];
  /** An existing receipt rule set. @default a new one, which a person must make the active one */
  readonly ruleSetName?: string | undefined;
  readonly logRetention: logs.RetentionDays;
  /** @default no VPC */
  readonly network?: Network | undefined;
}

/** The place in the intake bucket where SES puts mail. SES makes up the rest of the key. */
export const SES_PREFIX = 'ses/';
/** The place of envelopes in the work bucket (`keys.ts` of the pipeline). */
const ENVELOPES = 'envelopes/*';
const TIMEOUT = Duration.minutes(1);
const MEMORY_MB = 512;
const KEPT = Duration.days(14);
const ATTEMPTS = 10;
const BATCH = 10;
const MAX_CONCURRENT = 10;

/**
 * Mail that SES receives. A receipt rule puts it into the intake bucket through a role of ours. The envelope is written beside it. SES asks
 * for TLS, and adds its spam and virus verdicts to the header.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * function receive(stack: Stack, props: Omit<SesDoorProps, 'recipients'>): void {
 *   new SesDoor(stack, 'Ses', { ...props, recipients: ['example.com'] });
 * }
 * ```
 */
export class SesDoor extends Construct {
  /** The rule set that must be the active one of the region. */
  readonly ruleSetName: string;
  /** Notifications of SES about mail whose envelope could not be written. */
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, id: string, props: SesDoorProps) {
    super(scope, id);
    this.ruleSetName = props.ruleSetName ?? new ses.CfnReceiptRuleSet(this, 'Rules').ref;
    const topic = new sns.Topic(this, 'Received', { enforceSSL: true });
    const role = this.newRole(props.buckets, topic);
    const rule = new ses.CfnReceiptRule(this, 'Rule', {
      ruleSetName: this.ruleSetName,
      rule: {
        enabled: true,
        recipients: [...props.recipients],
        scanEnabled: true,
        tlsPolicy: 'Require',
        actions: [
          {
            s3Action: {
              bucketName: props.buckets.of('intake').bucketName,
              objectKeyPrefix: SES_PREFIX,
              iamRoleArn: role.roleArn,
              topicArn: topic.topicArn,
            },
          },
        ],
      },
    });
    // SES tries the role when the rule is created.
    rule.node.addDependency(role);
    const safe = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: KEPT };
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', safe);
    const queue = new sqs.Queue(this, 'Queue', {
      ...safe,
      visibilityTimeout: Duration.seconds(TIMEOUT.toSeconds() * 2),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: ATTEMPTS },
    });
    topic.addSubscription(new SqsSubscription(queue, { rawMessageDelivery: true }));
    takeFrom(this.newWriter(props).function, queue, { batchSize: BATCH, maxConcurrency: MAX_CONCURRENT });
  }

  /** Only SES may use the role, and only for this rule set. It may put mail and send notifications, and read nothing. */
  private newRole(buckets: Buckets, topic: sns.ITopic): iam.Role {
    const { account, partition, region } = Stack.of(this);
    const rules = `arn:${partition}:ses:${region}:${account}:receipt-rule-set/${this.ruleSetName}:receipt-rule/*`;
    const role = new iam.Role(this, 'Role', {
      description: 'Mail Airlock: SES puts mail into the intake bucket',
      assumedBy: new iam.ServicePrincipal('ses.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account }, ArnLike: { 'aws:SourceArn': rules } },
      }),
    });
    const allow = (actions: string[], resource: string) =>
      role.addToPolicy(new iam.PolicyStatement({ actions, resources: [resource] }));
    allow(['s3:PutObject'], buckets.of('intake').arnForObjects(`${SES_PREFIX}*`));
    allow(['kms:Encrypt', 'kms:GenerateDataKey'], buckets.keyOf('intake').keyArn);
    allow(['sns:Publish'], topic.topicArn);
    acknowledgeNames(role, buckets.of('intake'), [`${SES_PREFIX}*`]);
    return role;
  }

  private newWriter({ buckets, logRetention, network }: SesDoorProps): LambdaFunction {
    const writer = new LambdaFunction(this, 'Envelope', {
      description: 'Mail Airlock: notes the envelopes of mail that SES received',
      code: bundledCode(['envelope'], (outDir) => bundleOtherLambda('envelope', outDir)),
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: {},
      logRetention,
      network,
    });
    const work = buckets.of('work');
    writer.allow(['s3:PutObject'], [work.arnForObjects(ENVELOPES)]);
    writer.allow(['kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    writer.acknowledgeObjects(work, [ENVELOPES]);
    writer.function.addEnvironment('AIRLOCK_WORK_BUCKET', work.bucketName);
    return writer;
  }
}
