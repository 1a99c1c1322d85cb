/**
 * The Submissions port over one DynamoDB table: `pk`, `claimedBy`, `expiresAtSeconds` (the table's TTL attribute) and the
 * whole record as JSON. Every write is conditional, so two runs never both win a claim.
 */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { SubmissionRecord, Submissions } from '../../pipeline/ports.ts';
import { awsCall } from '../aws-errors.ts';
import { parseSubmissionRecord, submissionRecordJson } from '../submission-record.ts';

export interface DynamoSubmissionsOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

type Item = Record<string, AttributeValue>;

/** Makes the port over DynamoDB. Throws TransientError for throttling, 5xx and broken connections, CorruptDataError. */
export function createDynamoSubmissions({ client, tableName }: DynamoSubmissionsOptions): Submissions {
  const put = (record: SubmissionRecord, condition: string, values: Item) =>
    refusedBy(
      client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: itemOf(record),
          ConditionExpression: condition,
          ExpressionAttributeValues: values,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    );
  return {
    async claim(record, nowSeconds) {
      // DynamoDB may delete expired items days late, so this code also compares the expiry.
      const holder = await put(record, 'attribute_not_exists(pk) OR expiresAtSeconds <= :now', {
        ':now': { N: String(nowSeconds) },
      });
      return holder === null ? { record, won: true } : { record: recordOf(holder), won: false };
    },
    async find(key, nowSeconds) {
      const command = new GetItemCommand({ TableName: tableName, Key: { pk: { S: key } }, ConsistentRead: true });
      const { Item } = await awsCall('dynamodb get', client.send(command));
      const record = Item === undefined ? null : recordOf(Item);
      return record === null || record.expiresAtSeconds <= nowSeconds ? null : record;
    },
    async update(record) {
      const holder = await put(record, 'claimedBy = :me', { ':me': { S: record.claimedBy } });
      return holder === null;
    },
    async release(key, runId) {
      const command = new DeleteItemCommand({
        TableName: tableName,
        Key: { pk: { S: key } },
        ConditionExpression: 'claimedBy = :me',
        ExpressionAttributeValues: { ':me': { S: runId } },
      });
      await refusedBy(client.send(command));
    },
  };
}

function itemOf(record: SubmissionRecord): Item {
  return {
    pk: { S: record.key },
    claimedBy: { S: record.claimedBy },
    expiresAtSeconds: { N: String(record.expiresAtSeconds) },
    record: { S: submissionRecordJson(record) },
  };
}

/** Reads the record of an item. A damaged item throws CorruptDataError. */
function recordOf(item: Item): SubmissionRecord {
  return parseSubmissionRecord(item.record?.S ?? '');
}

/**
 * Returns null when the conditional write succeeded. Otherwise returns the item that prevented it; the item is empty when there was none.
 */
async function refusedBy(write: Promise<unknown>): Promise<Item | null> {
  try {
    await awsCall('dynamodb write', write);
    return null;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error.Item ?? {};
    throw error;
  }
}
