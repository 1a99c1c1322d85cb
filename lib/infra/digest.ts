import { Stack } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Buckets } from './buckets.ts';
import { Scheduled, type ScheduledProps } from './scheduled.ts';
import { grantSecret } from './service-secrets.ts';

export interface DigestProps extends Omit<ScheduledProps, 'name' | 'environment'> {
  readonly buckets: Buckets;
  /** The index of runs. */
  readonly table: dynamodb.ITable;
  /** The secret that signs links. */
  readonly links: secretsmanager.ISecret;
  /** Where links lead. */
  readonly url: string;
  readonly linkDays: number;
  /** The address in whose name digests are sent. SES has verified it, or its domain. */
  readonly from: string;
}

/** The names that it reads: chains with the keys with which they are checked, and its own notes. */
const READS = ['runs/*.json', 'keys/*', 'digests/*'];
const WRITES = ['digests/*'];

/**
 * Sends each recipient one mail a day about what was held for him, by SES. Its role reads chains and the index, and no mail; it signs links, and
 * sends in the name of one address.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const queueOf = (stack: Stack, props: DigestProps) => new Digest(stack, 'Digest', props).queue;
 * ```
 */
export class Digest extends Scheduled {
  constructor(scope: Construct, id: string, props: DigestProps) {
    const environment = { AIRLOCK_RECIPIENTS_URL: props.url, AIRLOCK_LINK_DAYS: String(props.linkDays) };
    super(scope, id, { ...props, name: 'digest', environment });
    const { buckets, table, links, from } = props;
    const work = buckets.of('work');
    this.allowNames(work, READS, WRITES);
    this.allow(['kms:Decrypt', 'kms:GenerateDataKey'], [buckets.keyOf('work').keyArn]);
    this.allow(['dynamodb:Query', 'dynamodb:BatchGetItem'], [table.tableArn]);
    // DynamoDB decrypts the key of the table on behalf of whoever reads an item.
    this.allow(['kms:Decrypt'], [buckets.key.keyArn]);
    grantSecret(this, links, 'AIRLOCK_LINKS_SECRET');
    // The identity may be a whole domain, and the digests come from one address of it.
    const onlyFrom = { StringEquals: { 'ses:FromAddress': from } };
    this.allow(['ses:SendEmail', 'ses:SendRawEmail'], this.identitiesOf(from), onlyFrom);
    this.function.addEnvironment('AIRLOCK_WORK_BUCKET', work.bucketName);
    this.function.addEnvironment('AIRLOCK_RUNS_TABLE', table.tableName);
  }

  /** SES knows the address or its domain. */
  private identitiesOf(from: string): string[] {
    return [from, from.slice(from.lastIndexOf('@') + 1)].map((resourceName) =>
      Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName }),
    );
  }
}
