import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type * as events from 'aws-cdk-lib/aws-events';
import type { StageName } from '../../pipeline/model.ts';
import type { Bucket } from '../../pipeline/ports.ts';
import type { Buckets } from '../buckets.ts';
import type { Engines } from '../engines/engines.ts';
import { STAGE_ACCESS, TAGGED, writtenBuckets } from './access.ts';
import type { StageFunction } from './function.ts';
import type { ServiceSecrets } from './service-secrets.ts';
import type { SigningSecrets } from './signing-secrets.ts';

export interface Resources {
  readonly buckets: Buckets;
  readonly table: dynamodb.ITable;
  /** Null when no service is asked. */
  readonly secrets: ServiceSecrets | null;
  /** Null when a service does every kind of analysis. */
  readonly engines: Engines | null;
  readonly signing: SigningSecrets;
  readonly eventBus: events.IEventBus;
}

/**
 * Gives a stage exactly the permissions of STAGE_ACCESS, and the names of exactly those resources.
 *
 * @example
 * ```ts
 * import { STAGE_NAMES, type StageName } from './lib/pipeline/model.ts';
 * import type { StageFunction } from './lib/infra/stages/function.ts';
 *
 * function grantAll(stages: Record<StageName, StageFunction>, resources: Resources): void {
 *   for (const stage of STAGE_NAMES) grantAccess(stage, stages[stage], resources);
 * }
 * ```
 */
export function grantAccess(stage: StageName, target: StageFunction, resources: Resources): void {
  const { reads, writes, uses } = STAGE_ACCESS[stage];
  for (const bucket of reads) grantRead(target, resources.buckets, bucket);
  const written = writtenBuckets(stage);
  for (const bucket of written) grantWrite(target, resources.buckets, bucket, writes[bucket] ?? []);
  for (const bucket of new Set([...reads, ...written])) {
    const name = resources.buckets.of(bucket).bucketName;
    target.function.addEnvironment(`AIRLOCK_${bucket.toUpperCase()}_BUCKET`, name);
  }
  resources.signing.grantTo(stage, target);
  if (uses.includes('submissions')) grantSubmissions(stage, target, resources);
  if (uses.includes('analysis')) {
    resources.secrets?.grantTo(target);
    resources.engines?.grantTo(stage, target);
  }
  if (uses.includes('events')) {
    target.allow(['events:PutEvents'], [resources.eventBus.eventBusArn]);
    target.function.addEnvironment('AIRLOCK_EVENT_BUS', resources.eventBus.eventBusName);
  }
}

function grantRead(target: StageFunction, buckets: Buckets, role: Bucket): void {
  const bucket = buckets.of(role);
  // The judged version of an email is also the delivered one, even if the email is overwritten meanwhile.
  const actions = role === 'intake' ? ['s3:GetObject', 's3:GetObjectVersion'] : ['s3:GetObject'];
  target.allow(actions, [bucket.arnForObjects('*')]);
  // Without this permission, S3 answers 403 for a missing object, so "missing" would look like "not allowed".
  target.allow(['s3:ListBucket'], [bucket.bucketArn]);
  target.allow(['kms:Decrypt'], [buckets.keyOf(role).keyArn]);
  target.acknowledgeObjects(bucket, ['*']);
}

function grantWrite(target: StageFunction, buckets: Buckets, role: Bucket, names: readonly string[]): void {
  const bucket = buckets.of(role);
  const tagging = TAGGED.includes(role) ? ['s3:PutObjectTagging'] : [];
  target.allow(
    ['s3:PutObject', ...tagging],
    names.map((name) => bucket.arnForObjects(name)),
  );
  target.allow(['kms:GenerateDataKey'], [buckets.keyOf(role).keyArn]);
  target.acknowledgeObjects(bucket, names);
}

function grantSubmissions(stage: StageName, target: StageFunction, { table, buckets }: Resources): void {
  // Only poll reads the records of other runs. A stage that claims learns of them from the refused write.
  const reads = stage === 'poll' || stage === 'submit' ? ['dynamodb:GetItem'] : [];
  target.allow([...reads, 'dynamodb:DeleteItem', 'dynamodb:PutItem'], [table.tableArn]);
  // DynamoDB decrypts the key of the table on behalf of anybody who reads or writes an item. All other uses of the key happened when the
  // table was made.
  target.allow(['kms:Decrypt'], [buckets.key.keyArn]);
  target.function.addEnvironment('AIRLOCK_SUBMISSIONS_TABLE', table.tableName);
}
