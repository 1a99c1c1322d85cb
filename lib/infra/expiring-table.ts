import type { RemovalPolicy } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

export interface ExpiringTableProps {
  readonly key: kms.IKey;
  readonly removalPolicy: RemovalPolicy;
  /** @default each partition has one item */
  readonly sortKey?: string;
}

/**
 * Makes a table whose items DynamoDB deletes after the second in `expiresAtSeconds`. It is encrypted, is paid by the request, and can be
 * recovered to any moment.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * const claims = (stack: Stack, props: ExpiringTableProps) => expiringTable(stack, 'Claims', props).tableName;
 * ```
 */
export function expiringTable(scope: Construct, id: string, props: ExpiringTableProps): dynamodb.ITable {
  const { key, removalPolicy, sortKey } = props;
  const table = new dynamodb.Table(scope, id, {
    partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
    ...(sortKey !== undefined && { sortKey: { name: sortKey, type: dynamodb.AttributeType.STRING } }),
    billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: 'expiresAtSeconds',
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    removalPolicy,
  });
  return table as dynamodb.ITable;
}
