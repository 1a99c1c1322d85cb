import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { expiringTable } from './expiring-table.ts';
import { WayOut, type WayOutProps } from './way-out.ts';

export interface RunIndexProps extends Omit<WayOutProps, 'name' | 'ends'> {
  /** For how long chains are kept. The index keeps a run as long. */
  readonly kept: Duration;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The index of runs: a table, and what writes it after runs have ended. No stage reads it, and nobody decides by it. It follows from the chains, so
 * `airlock index rebuild` makes it anew.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const tableOf = (stack: Stack, props: RunIndexProps) => new RunIndex(stack, 'Index', props).table;
 * ```
 */
export class RunIndex extends WayOut {
  readonly table: dynamodb.ITable;

  constructor(scope: Construct, id: string, props: RunIndexProps) {
    super(scope, id, { ...props, name: 'index-run', ends: ['MessageDelivered', 'MessageQuarantined'] });
    const { buckets, kept, removalPolicy } = props;
    this.table = expiringTable(this, 'Runs', { key: buckets.key, removalPolicy, sortKey: 'sk' });
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:BatchWriteItem'], [this.table.tableArn]);
    // DynamoDB decrypts the key of the table on behalf of whoever reads or writes an item.
    this.allow(['kms:Decrypt'], [buckets.key.keyArn]);
    this.function.addEnvironment('AIRLOCK_RUNS_TABLE', this.table.tableName);
    this.function.addEnvironment('AIRLOCK_RUNS_KEPT_DAYS', String(Math.ceil(kept.toDays())));
  }
}
