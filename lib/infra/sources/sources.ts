import { Annotations, Lazy, Stack } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { limitIssues } from '../aws-limits.ts';
import { notifyEventBridge } from '../buckets.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import type { StageFunction } from '../stages/function.ts';
import { Placing, type PlacingProps } from './placing.ts';
import { destinationIssues, type Results, resultsOf } from './results.ts';
import { objectsOf, patternOf, type Source, sourceIssues } from './source.ts';

export interface SourcesProps {
  /** The stages that read incoming objects. */
  readonly readers: readonly StageFunction[];
  /** The queue that parse reads, and the queue for events that cannot be put there. */
  readonly queue: sqs.IQueue;
  readonly deadLetters: sqs.IQueue;
  /** The construct that puts results where a source wants them. The first source that wants it makes it. */
  readonly placing: PlacingProps;
}

/** Each source adds a statement to the policies of two queues. SQS allows 20 statements and 8,192 bytes, and some of both are ours. */
const MAX_SOURCES = 16;

/**
 * Buckets of others whose objects also go through the airlock.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 * import type { IBucket } from 'aws-cdk-lib/aws-s3';
 * import type { Monitoring } from './lib/infra/monitoring/monitoring.ts';
 *
 * function scanUploads(stack: Stack, uploads: IBucket, props: SourcesProps, monitoring: Monitoring): void {
 *   new Sources(stack, 'Sources', props).add({ bucket: uploads, prefix: 'in/', maximumBytes: 10_000_000 }, monitoring);
 * }
 * ```
 */
export class Sources extends Construct {
  private readonly props: SourcesProps;
  private readonly sources: Source[] = [];
  private placing: Placing | null = null;

  constructor(scope: Construct, id: string, props: SourcesProps) {
    super(scope, id);
    this.props = props;
    // Sources are what makes a stack large.
    this.node.addValidation({ validate: () => limitIssues(scope) });
  }

  /** Sends new objects of a source through the airlock. Throws a TypeError with one line for each fault. */
  add(source: Source, monitoring: Monitoring): void {
    const { buckets } = this.props.placing;
    const ours = { clean: buckets.of('clean'), intake: buckets.of('intake') };
    const issues = [
      ...sourceIssues(source),
      ...destinationIssues([...this.sources, source], ours),
      ...(this.sources.length < MAX_SOURCES ? [] : [TOO_MANY]),
    ];
    if (issues.length > 0) throw new TypeError(issues.join('\n'));
    if (this.sources.length === 0) this.tellReaders();
    this.sources.push(source);
    this.checkVersions(source.bucket);
    notifyEventBridge(source.bucket);
    this.route(source);
    for (const reader of this.props.readers) grantRead(reader, source);
    const results = resultsOf(source, buckets.of('clean'));
    if (results !== null) this.placingFor(monitoring).add(source, results);
  }

  /** Every function that reads objects gets the list of all sources, including those that are added later. */
  private tellReaders(): void {
    for (const reader of this.props.readers) reader.function.addEnvironment('AIRLOCK_SOURCES', this.setting());
  }

  private placingFor(monitoring: Monitoring): Placing {
    if (this.placing !== null) return this.placing;
    this.placing = new Placing(this, 'Placing', this.props.placing);
    this.props.placing.deliver.function.addEnvironment('AIRLOCK_SOURCES', this.setting());
    monitoring.watchLetters('Results', 'could not be put where their source wants them', this.placing.deadLetters);
    return this.placing;
  }

  /** Returns all sources in the form that functions read. */
  private setting(): string {
    const clean = this.props.placing.buckets.of('clean');
    const settings = () => this.sources.map((source) => settingOf(source, resultsOf(source, clean)));
    return Lazy.string({ produce: () => Stack.of(this).toJsonString(settings()) });
  }

  private route(source: Source): void {
    const { queue, deadLetters } = this.props;
    new events.Rule(this, `Created${this.sources.length}`, {
      description: `Mail Airlock: scan new objects ${patternOf(source)} of a source`,
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [source.bucket.bucketName] }, ...keyFilter(source) },
      },
      targets: [new targets.SqsQueue(queue, { deadLetterQueue: deadLetters })],
    });
  }

  /** Without versions, a judged object may be replaced before anybody reads it, and nothing can be tagged. */
  private checkVersions(bucket: s3.IBucket): void {
    const resource = bucket.node.defaultChild;
    if (!(resource instanceof s3.CfnBucket) || resource.versioningConfiguration !== undefined) return;
    Annotations.of(this).addWarningV2(
      `mail-airlock:source-has-no-versions-${bucket.node.id}`,
      `Bucket ${bucket.node.path} has no versions: its objects are scanned, and are not tagged. Set versioned: true.`,
    );
  }
}

const TOO_MANY = `an airlock has at most ${MAX_SOURCES} sources: give one of them a shorter prefix, or build another airlock`;

function settingOf({ bucket, prefix, suffix, maximumBytes }: Source, results: Results | null) {
  return {
    bucket: bucket.bucketName,
    ...(prefix && { prefix }),
    ...(suffix && { suffix }),
    ...(maximumBytes !== undefined && { maximumBytes }),
    ...(results !== null && { results: { ...results, bucket: results.bucket.bucketName } }),
  };
}

function keyFilter({ prefix = '', suffix = '' }: Source): object {
  if (prefix !== '' && suffix !== '') return { object: { key: [{ wildcard: patternOf({ prefix, suffix }) }] } };
  if (prefix !== '') return { object: { key: [{ prefix }] } };
  return suffix === '' ? {} : { object: { key: [{ suffix }] } };
}

function grantRead(reader: StageFunction, source: Source): void {
  const { bucket } = source;
  reader.allow(['s3:GetObject', 's3:GetObjectVersion'], [objectsOf(source)]);
  // Without this permission, S3 answers 403 for a missing object.
  reader.allow(['s3:ListBucket'], [bucket.bucketArn]);
  if (bucket.encryptionKey) reader.allow(['kms:Decrypt'], [bucket.encryptionKey.keyArn]);
  reader.acknowledgeObjects(bucket, [patternOf(source)]);
}
