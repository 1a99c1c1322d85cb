import { createHash } from 'node:crypto';
import { Annotations, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import { DROPS, WORK_FOLDERS } from '../pipeline/model.ts';
import type { Bucket as BucketRole } from '../pipeline/ports.ts';
import { acknowledge } from './acknowledge.ts';

export interface BucketsProps {
  /** Existing buckets, which are not changed: their owner decides on encryption, lifecycle and TLS. */
  readonly existing: Readonly<Record<BucketRole, s3.IBucket | undefined>>;
  /** Key of everything but the clean bucket. @default a new key */
  readonly key?: kms.IKey | undefined;
  /** Key of the clean bucket. @default a new key */
  readonly cleanKey?: kms.IKey | undefined;
  readonly retention: Readonly<Record<BucketRole, Duration>>;
  readonly logRetention: Duration;
  readonly removalPolicy: RemovalPolicy;
}

const OUR_BUCKETS: readonly BucketRole[] = ['intake', 'work', 'clean', 'quarantine'];

/**
 * The four buckets of the flow: encrypted, versioned, TLS only, no public access, emptied by age, with access logs. The clean bucket has
 * its own key. Writing to it therefore takes two permissions, which only `deliver` has.
 *
 * @example
 * ```ts
 * import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
 *
 * const retention = { intake: Duration.days(30), work: Duration.days(30), clean: Duration.days(365), quarantine: Duration.days(90) };
 * const existing = { intake: undefined, work: undefined, clean: undefined, quarantine: undefined };
 * const kept = { logRetention: Duration.days(90), removalPolicy: RemovalPolicy.RETAIN };
 * const buckets = new Buckets(new Stack(new App(), 'Mail'), 'Buckets', { existing, retention, ...kept });
 * buckets.of('clean').bucketName;
 * ```
 */
export class Buckets extends Construct {
  readonly key: kms.IKey;
  private readonly cleanKey: kms.IKey;
  private readonly buckets: Readonly<Record<BucketRole, s3.IBucket>>;
  /** False when the policy of the intake bucket belongs to another stack. */
  readonly isIntakeOurs: boolean;

  constructor(scope: Construct, id: string, props: BucketsProps) {
    super(scope, id);
    // A bucket policy allows the delivery of logs. CDK would use ACLs, which are switched off on our buckets.
    this.node.setContext(S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY, true);
    this.key = props.key ?? this.newKey('Key', 'Mail Airlock: mail that is not known to be safe', props);
    this.cleanKey = props.cleanKey ?? this.newKey('CleanKey', 'Mail Airlock: mail that is safe to open', props);
    const isComplete = OUR_BUCKETS.every((role) => props.existing[role] !== undefined);
    const logs = isComplete ? null : this.newLogBucket(props);
    if (props.existing.intake !== undefined) notifyEventBridge(props.existing.intake);
    const bucketOf = (role: BucketRole) => props.existing[role] ?? this.newBucket(role, props, logs);
    this.isIntakeOurs = props.existing.intake === undefined;
    this.buckets = {
      intake: bucketOf('intake'),
      work: bucketOf('work'),
      clean: bucketOf('clean'),
      quarantine: bucketOf('quarantine'),
    };
  }

  of(role: BucketRole): s3.IBucket {
    return this.buckets[role];
  }

  /** Returns the key that encrypts the objects of this bucket. */
  keyOf(role: BucketRole): kms.IKey {
    return this.buckets[role].encryptionKey ?? (role === 'clean' ? this.cleanKey : this.key);
  }

  /**
   * Lets only this role write to the clean bucket, even if other policies of the account allow more. If another stack owns the bucket, its
   * policy cannot be changed here. Synth then warns, and gives the statement to add.
   */
  sealClean(writer: iam.IRole): void {
    onlyWriter(this.buckets.clean, '', writer);
  }

  /**
   * Lets only this role, or nobody at all, put copies of the desk into the intake bucket. If the policy of the bucket belongs to another
   * stack, synth warns and gives the statement to add.
   */
  sealDrops(writer: iam.IRole | null): void {
    onlyWriter(this.buckets.intake, DROPS, writer, DROPS_SEAL);
  }

  /** Lets others put mail into the intake bucket, also from other accounts: both policies name them. They may read nothing. */
  admit(writers: readonly iam.IPrincipal[]): void {
    const [intake, key] = [this.buckets.intake, this.keyOf('intake')];
    const named = { principals: [...writers] };
    const put = { ...named, actions: ['s3:PutObject'], resources: [intake.arnForObjects('*')] };
    // S3 decrypts the parts of a large upload to join them into one object.
    const encrypt = { ...named, actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: ['*'] };
    const isOursAlone = { StringEquals: { 'kms:ViaService': `s3.${Stack.of(this).region}.amazonaws.com` } };
    const added = [
      intake.addToResourcePolicy(new iam.PolicyStatement({ sid: 'WritersOfMail', ...put })).statementAdded,
      key.addToResourcePolicy(new iam.PolicyStatement({ sid: 'WritersOfMail', ...encrypt, conditions: isOursAlone }))
        .statementAdded,
    ];
    if (added.includes(false))
      throw new TypeError(
        'intakeWriters: the policies of a given intake bucket or key belong to another stack; name them there',
      );
  }

  private newKey(id: string, description: string, props: BucketsProps): kms.Key {
    return new kms.Key(this, id, { description, enableKeyRotation: true, removalPolicy: props.removalPolicy });
  }

  private newBucket(role: BucketRole, props: BucketsProps, logs: s3.IBucket | null): s3.IBucket {
    const bucket = new s3.Bucket(this, capitalised(role), {
      ...SAFE,
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: role === 'clean' ? this.cleanKey : this.key,
      bucketKeyEnabled: true,
      versioned: true,
      removalPolicy: props.removalPolicy,
      lifecycleRules: [
        ...AGES[role].map((prefix) => ({
          ...(prefix === '' ? { id: 'age-out' } : { id: `age-out-${prefix.slice(0, -1)}`, prefix }),
          expiration: SHORT_LIVED.has(prefix) ? Duration.days(1) : props.retention[role],
          noncurrentVersionExpiration: NONCURRENT[role],
          abortIncompleteMultipartUploadAfter: ABANDONED_UPLOAD,
        })),
        { id: 'no-empty-names', expiredObjectDeleteMarker: true },
      ],
      ...(logs === null ? {} : { serverAccessLogsBucket: logs, serverAccessLogsPrefix: `${role}/` }),
    });
    if (role === 'intake') notifyEventBridge(bucket as s3.IBucket);
    return bucket as s3.IBucket;
  }

  private newLogBucket(props: BucketsProps): s3.IBucket {
    const logs = new s3.Bucket(this, 'AccessLogs', {
      ...SAFE,
      // S3 delivers access logs to buckets with S3-managed encryption only.
      encryption: s3.BucketEncryption.S3_MANAGED,
      removalPolicy: props.removalPolicy,
      lifecycleRules: [{ id: 'age-out', expiration: props.logRetention }],
    });
    return logs as s3.IBucket;
  }
}

/**
 * Lets only one role write the keys with a given prefix in a bucket, whatever other policies allow. If the policy of the bucket belongs to
 * another stack, synth warns and gives the statement.
 *
 * @example
 * ```ts
 * import type { IRole } from 'aws-cdk-lib/aws-iam';
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * const seal = (results: IBucket, deliver: IRole) => onlyWriter(results, 'team-a/', deliver);
 * ```
 */
export function onlyWriter(
  bucket: s3.IBucket,
  prefix: string,
  writer: iam.IRole | null,
  seal: Seal = CLEAN_SEAL,
): void {
  const suffix = prefix === '' ? '' : createHash('sha256').update(prefix).digest('hex').slice(0, 8);
  const statement = new iam.PolicyStatement({
    sid: `${seal.sid}${suffix}`,
    effect: iam.Effect.DENY,
    principals: [new iam.AnyPrincipal()],
    actions: ['s3:PutObject', 's3:ReplicateObject'],
    resources: [bucket.arnForObjects(`${prefix}*`)],
    ...(writer !== null && { conditions: { ArnNotEquals: { 'aws:PrincipalArn': writer.roleArn } } }),
  });
  if (bucket.addToResourcePolicy(statement).statementAdded) return;
  const text = JSON.stringify(Stack.of(bucket).resolve(statement.toStatementJson()), null, 2);
  Annotations.of(bucket).addWarningV2(
    `mail-airlock:${seal.warning}${suffix && `-${suffix}`}`,
    `Others can write to the given ${seal.bucket} bucket, because its policy belongs to another stack. Add this statement to it:\n${text}`,
  );
}

/** The name of a place with one writer, in its policy and in warnings. */
interface Seal {
  readonly sid: string;
  readonly warning: string;
  readonly bucket: BucketRole;
}
const CLEAN_SEAL: Seal = { sid: 'OnlyDeliverWrites', warning: 'clean-bucket-is-not-sealed', bucket: 'clean' };
/** The place of copies that people drop at the desk. */
const DROPS_SEAL: Seal = { sid: 'OnlyReviewDrops', warning: 'drops-are-not-sealed', bucket: 'intake' };

const ABANDONED_UPLOAD = Duration.days(1);

/**
 * The prefixes of objects that are deleted by their age. In the work bucket, the audit trail and the keys that verify it stay forever. The
 * block list follows from the trail, and a trail without its beginning proves nothing. Lists of the operator and saved views stay, too,
 * because people made them.
 */
const AGES: Readonly<Record<BucketRole, readonly string[]>> = {
  intake: [''],
  work: WORK_FOLDERS.filter((name) => !['audit', 'keys', 'lists', 'desk'].includes(name)).map((name) => `${name}/`),
  clean: [''],
  quarantine: [''],
};

/** Copies for a download, which takes minutes. S3 counts in days. */
const SHORT_LIVED = new Set(['takeouts/']);

/**
 * How long a version is kept after it expired or was replaced. The event of a replaced version of the intake bucket may wait in a queue for
 * two weeks (intake.ts). Its mail must still exist then.
 */
const NONCURRENT: Readonly<Record<BucketRole, Duration>> = {
  intake: Duration.days(14),
  work: Duration.days(1),
  clean: Duration.days(1),
  quarantine: Duration.days(1),
};

const SAFE = {
  blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
} satisfies s3.BucketProps;

const TELLS_EVENT_BRIDGE: s3.CfnBucket.NotificationConfigurationProperty = {
  eventBridgeConfiguration: { eventBridgeEnabled: true },
};

/**
 * Switches on the EventBridge notifications of a bucket. They start `parse` for each new object. Without them no mail is ever scanned. A
 * bucket of this stack gets its own property. For other buckets CDK adds a custom resource with its own Lambda, which keeps the existing
 * notifications.
 *
 * @example
 * ```ts
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 *
 * const listen = (uploads: IBucket) => notifyEventBridge(uploads);
 * ```
 */
export function notifyEventBridge(bucket: s3.IBucket): void {
  const resource = bucket.node.defaultChild;
  // A bucket with several sources comes here several times.
  if (resource instanceof s3.CfnBucket && resource.notificationConfiguration === TELLS_EVENT_BRIDGE) return;
  if (resource instanceof s3.CfnBucket && resource.notificationConfiguration === undefined)
    resource.notificationConfiguration = TELLS_EVENT_BRIDGE;
  else {
    bucket.enableEventBridgeNotification();
    const handlers = Stack.of(bucket).node.children.filter(({ node }) =>
      node.id.startsWith('BucketNotificationsHandler'),
    );
    for (const handler of handlers)
      acknowledge(
        handler,
        'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
        'The handler of bucket notifications is made by CDK, with the managed policy for logs.',
      );
  }
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
