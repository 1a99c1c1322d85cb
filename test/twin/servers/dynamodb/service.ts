/** DynamoDB: single items with conditions, queries of a partition, batches, and the time to live. */
import type { ToldClock } from '../../clock.ts';
import type { Need } from '../../policies/gate.ts';
import { AwsError, type Service } from '../call.ts';
import { type Input, jsonService, type Operation } from '../json-service.ts';
import { batchGet, batchWrite, tableIn } from './batches.ts';
import { conditionHolds, type Item, type Value } from './condition.ts';
import { QUERY_FIELDS, query } from './query.ts';
import { Table, type TableSettings } from './table.ts';
import { actionsOf, tableOfTransaction, transact } from './transactions.ts';

const WRITE_FIELDS = [
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
  'TableName',
];

/** The service over these tables. */
export function dynamoService(settings: readonly TableSettings[], clock: ToldClock): Service {
  const tables = new Map(settings.map((one) => [one.name, new Table(one, clock)]));
  const tableOf = (input: Input): Table => {
    const name = nameIn(input);
    const table = tables.get(name);
    if (!table) throw new AwsError('ResourceNotFoundException', 400, `no table ${name}`);
    return table;
  };
  const operation = (
    action: string,
    fields: readonly string[],
    run: (table: Table, input: Input) => unknown,
  ): Operation => ({
    fields,
    needs: (input) => needsOf(tableOf(input).settings, action),
    run: (input) => run(tableOf(input), input),
  });
  return jsonService('DynamoDB_20120810', {
    GetItem: operation('dynamodb:GetItem', ['ConsistentRead', 'Key', 'TableName'], (table, { Key }) => {
      const found = table.find(Key as Item);
      return found === undefined ? {} : { Item: found };
    }),
    PutItem: operation('dynamodb:PutItem', ['Item', ...WRITE_FIELDS], (table, input) => {
      checkCondition(table.find(input.Item as Item), input);
      table.put(input.Item as Item);
    }),
    DeleteItem: operation('dynamodb:DeleteItem', ['Key', ...WRITE_FIELDS], (table, input) => {
      checkCondition(table.find(input.Key as Item), input);
      table.delete(input.Key as Item);
    }),
    Query: operation('dynamodb:Query', QUERY_FIELDS, query),
    BatchGetItem: operation('dynamodb:BatchGetItem', ['RequestItems'], batchGet),
    BatchWriteItem: operation('dynamodb:BatchWriteItem', ['RequestItems'], batchWrite),
    TransactWriteItems: {
      fields: ['ClientRequestToken', 'TransactItems'],
      needs: (input) => actionsOf(input).flatMap((action) => needsOf(tableOf(input).settings, action)),
      run: (input) => transact(tableOf(input), input, checkCondition),
    },
  });
}

function nameIn(input: Input): string {
  if ('TransactItems' in input) return tableOfTransaction(input);
  return 'RequestItems' in input ? tableIn(input) : String(input.TableName);
}

/** DynamoDB asks KMS, for each caller, whether it may use the key of the table. */
function needsOf({ arn, keyArn }: TableSettings, action: string): Need[] {
  const table = { action, resource: arn };
  if (keyArn === null) return [table];
  const service = `dynamodb.${keyArn.split(':')[3]}.amazonaws.com`;
  return [table, { action: 'kms:Decrypt', resource: keyArn, owner: keyArn, facts: { 'kms:ViaService': service } }];
}

function checkCondition(item: Item | undefined, input: Input): void {
  if (input.ConditionExpression === undefined) return;
  const places = {
    names: (input.ExpressionAttributeNames ?? {}) as Record<string, string>,
    values: (input.ExpressionAttributeValues ?? {}) as Record<string, Value>,
  };
  if (conditionHolds(String(input.ConditionExpression), item ?? {}, places)) return;
  const isWanted = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  const fields = isWanted && item !== undefined ? { Item: item } : {};
  throw new AwsError('ConditionalCheckFailedException', 400, 'The conditional request failed', fields);
}
