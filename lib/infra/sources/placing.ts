import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Buckets, onlyWriter } from '../buckets.ts';
import { takeFrom } from '../queue-source.ts';
import type { StageFunction } from '../stages/function.ts';
import type { Results } from './results.ts';
import { objectsOf, patternOf, type Source } from './source.ts';

export interface PlacingProps {
  /** The only stage that writes results. */
  readonly deliver: StageFunction;
  readonly buckets: Buckets;
  /** @default the default bus of the account */
  readonly eventBus?: events.IEventBus | undefined;
  /** The longest time that `deliver` works. */
  readonly timeout: Duration;
}

/** The longest time that SQS keeps a message. */
const KEPT = Duration.days(14);
const VISIBILITY_FACTOR = 2;
const ATTEMPTS = 10;
const BATCH = 5;
const MAX_CONCURRENT = 10;
/** Notes of placed results, so that these are not scanned as uploads. */
const NOTES = ['placed/*'];
/** Deliveries by run. */
const DELIVERED = ['*/message.eml', '*/files/*'];

/**
 * Has `deliver` put results where their sources want them, after runs have ended. A queue tells it of deliveries. A result that it cannot
 * put waits in `deadLetters`.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 * import { resultsOf } from './lib/infra/sources/results.ts';
 * import type { Source } from './lib/infra/sources/source.ts';
 *
 * function placeResults(stack: Stack, props: PlacingProps, source: Source): void {
 *   const results = resultsOf(source, props.buckets.of('clean'));
 *   if (results !== null) new Placing(stack, 'Placing', props).add(source, results);
 * }
 * ```
 */
export class Placing extends Construct {
  readonly deadLetters: sqs.Queue;
  private readonly props: PlacingProps;
  private readonly queue: sqs.Queue;
  private readonly heard = new Set<string>();

  constructor(scope: Construct, id: string, props: PlacingProps) {
    super(scope, id);
    this.props = props;
    const { deliver, timeout, buckets } = props;
    const safe = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: KEPT };
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', safe);
    this.queue = new sqs.Queue(this, 'Queue', {
      ...safe,
      visibilityTimeout: Duration.seconds(timeout.toSeconds() * VISIBILITY_FACTOR),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: ATTEMPTS },
    });
    takeFrom(deliver.function, this.queue, { batchSize: BATCH, maxConcurrency: MAX_CONCURRENT });
    const [work, clean] = [buckets.of('work'), buckets.of('clean')];
    deliver.allow(['s3:PutObject'], namesIn(work, NOTES));
    deliver.acknowledgeObjects(work, NOTES);
    deliver.allow(['s3:GetObject'], namesIn(clean, DELIVERED));
    deliver.allow(['s3:ListBucket'], [clean.bucketArn]);
    deliver.allow(['kms:Decrypt'], [buckets.keyOf('clean').keyArn]);
    deliver.acknowledgeObjects(clean, DELIVERED);
  }

  /** Also puts the results of a source. */
  add(source: Source, results: Results): void {
    this.hear(source.bucket);
    const isInPlace = results.keys === 'in-place';
    if (results.keys !== 'by-run') this.readVersions(source);
    const pattern = isInPlace ? patternOf(source) : `${results.prefix}*`;
    this.write(results.bucket, pattern);
    // Uploaders write into the place of uploads, too.
    const isOurs = results.bucket.bucketName === this.props.buckets.of('clean').bucketName;
    if (!isInPlace && !isOurs) onlyWriter(results.bucket, results.prefix, this.props.deliver.role);
  }

  private hear({ bucketName }: s3.IBucket): void {
    if (this.heard.has(bucketName)) return;
    this.heard.add(bucketName);
    const { eventBus } = this.props;
    new events.Rule(this, `Delivered${this.heard.size}`, {
      description: 'Mail Airlock: put the results of a source where it wants them',
      ...(eventBus && { eventBus }),
      eventPattern: {
        source: ['mail-airlock'],
        detailType: ['MessageDelivered'],
        detail: { intake: { bucket: [bucketName] } },
      },
      targets: [new targets.SqsQueue(this.queue, { deadLetterQueue: this.deadLetters })],
    });
  }

  /** Lets it learn which version is the newest. S3 has no separate permission for that. */
  private readVersions(source: Source): void {
    const { deliver } = this.props;
    deliver.allow(['s3:GetObject'], [objectsOf(source)]);
    deliver.allow(['s3:ListBucket'], [source.bucket.bucketArn]);
    if (source.bucket.encryptionKey) deliver.allow(['kms:Decrypt'], [source.bucket.encryptionKey.keyArn]);
    deliver.acknowledgeObjects(source.bucket, [patternOf(source)]);
  }

  /** A conditional write also needs the permission to read. */
  private write(bucket: s3.IBucket, pattern: string): void {
    const { deliver, buckets } = this.props;
    const actions = ['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject', 's3:PutObjectTagging'];
    deliver.allow(actions, [bucket.arnForObjects(pattern)]);
    deliver.allow(['s3:ListBucket'], [bucket.bucketArn]);
    const isOurs = bucket.bucketName === buckets.of('clean').bucketName;
    const key = isOurs ? buckets.keyOf('clean') : bucket.encryptionKey;
    if (key) deliver.allow(['kms:Decrypt', 'kms:GenerateDataKey'], [key.keyArn]);
    deliver.acknowledgeObjects(bucket, [pattern]);
  }
}

const namesIn = (bucket: s3.IBucket, names: readonly string[]) => names.map((name) => bucket.arnForObjects(name));
