/** A small DynamoDB behind a mocked client. It evaluates the condition expressions it is sent, and never deletes what expired. */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';

type Item = Record<string, AttributeValue>;

/** `OR` of comparisons and attribute_not_exists: what this project writes. Anything else throws. */
function holds(expression: string | undefined, item: Item | undefined, values: Item): boolean {
  if (expression === undefined) return true;
  return expression.split(' OR ').some((term) => termHolds(term.trim(), item, values));
}

function termHolds(term: string, item: Item | undefined, values: Item): boolean {
  const absent = /^attribute_not_exists\((\w+)\)$/.exec(term);
  if (absent?.[1]) return item?.[absent[1]] === undefined;
  const comparison = /^(\w+) (<=|=) (:\w+)$/.exec(term);
  if (!comparison) throw new Error(`unsupported condition: ${term}`);
  const [, name = '', operator, placeholder = ''] = comparison;
  const [left, right] = [item?.[name], values[placeholder]];
  if (right === undefined) throw new Error(`no value for ${placeholder}`);
  // An attribute that is not there compares with nothing.
  if (left === undefined) return false;
  if (operator === '=') return left.S === right.S && left.N === right.N;
  return left.N !== undefined && right.N !== undefined && Number(left.N) <= Number(right.N);
}

export function fakeDynamoDb(tableName: string) {
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  const mock = mockClient(client);
  const items = new Map<string, Item>();
  const checkTable = (input: { TableName?: string }) => {
    if (input.TableName !== tableName) throw new Error(`no such table: ${input.TableName}`);
  };
  const check = (
    input: { TableName?: string; ConditionExpression?: string; ReturnValuesOnConditionCheckFailure?: string },
    key: string,
    values: Item | undefined,
  ) => {
    checkTable(input);
    const item = items.get(key);
    if (holds(input.ConditionExpression, item, values ?? {})) return;
    throw new ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: { httpStatusCode: 400 },
      ...(item !== undefined && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? { Item: item } : {}),
    });
  };
  mock.on(PutItemCommand).callsFake((input) => {
    check(input, input.Item.pk.S, input.ExpressionAttributeValues);
    items.set(input.Item.pk.S, structuredClone(input.Item));
    return {};
  });
  mock.on(GetItemCommand).callsFake((input) => {
    checkTable(input);
    if (input.ConsistentRead !== true) throw new Error('a claim must be seen at once by everybody');
    return { Item: items.get(input.Key.pk.S) };
  });
  mock.on(DeleteItemCommand).callsFake((input) => {
    check(input, input.Key.pk.S, input.ExpressionAttributeValues);
    items.delete(input.Key.pk.S);
    return {};
  });
  return { client, mock, items };
}
