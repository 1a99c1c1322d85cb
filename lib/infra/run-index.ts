import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { expiringTable } from './expiring-table.ts';
import { WayOut, type WayOutProps } from './way-out.ts';

/** The index waits this long, so that a run that ends meanwhile is written only once. */
const USUAL_RUN_TIME = Duration.minutes(1);

export interface RunIndexProps extends Omit<WayOutProps, 'name' | 'ends'> {
  /** How long chains are kept. The index keeps a run as long. */
  readonly kept: Duration;
  /** Its executions are runs. Mail under way is therefore listed, too. */
  readonly stateMachine: sfn.IStateMachine;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The index of runs: a table, and the function that writes it when runs begin and end. No stage reads it, and no decision depends on it. It
 * follows from the chains, so `airlock index rebuild` makes it anew.
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
    const { buckets, kept, removalPolicy, stateMachine } = props;
    this.table = expiringTable(this, 'Runs', { key: buckets.key, removalPolicy, sortKey: 'sk' });
    new events.Rule(this, 'RunBegan', {
      description: 'Mail Airlock: index-run when a run begins',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { stateMachineArn: [stateMachine.stateMachineArn], status: ['RUNNING'] },
      },
      targets: [this.target(this.newQueue('Begun', { deliveryDelay: USUAL_RUN_TIME }))],
    });
    this.allow(
      ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:BatchWriteItem'],
      [this.table.tableArn],
    );
    // DynamoDB decrypts the key of the table on behalf of anybody who reads or writes an item.
    this.allow(['kms:Decrypt'], [buckets.key.keyArn]);
    this.function.addEnvironment('AIRLOCK_RUNS_TABLE', this.table.tableName);
    this.function.addEnvironment('AIRLOCK_RUNS_KEPT_DAYS', String(Math.ceil(kept.toDays())));
  }
}
