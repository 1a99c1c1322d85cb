/**
 * Reads and writes many items of one DynamoDB table at once. Items that the table does not process at first are requested again, with
 * growing pauses, and so is a transaction that met another one.
 */
import { setTimeout } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { TransientError } from '../../pipeline/errors.ts';
import { awsCall } from '../aws-errors.ts';
import type { Item } from './run-items.ts';

export interface DynamoTable {
  readonly client: DynamoDBClient;
  readonly tableName: string;
}

/** The most items that DynamoDB takes or gives at once. */
const WRITTEN = 25;
export const READ = 100;
/** The first pause in milliseconds, and the number of tries, for a table that is asked for more than it can give. */
const PAUSE_MS = 50;
const TRIES = 6;

/** Writes items, and deletes the items with the given keys. No key may occur twice. Throws TransientError. */
export async function writeAll(table: DynamoTable, items: readonly Item[], keys: readonly Item[] = []): Promise<void> {
  const all: WriteRequest[] = [
    ...items.map((Item) => ({ PutRequest: { Item } })),
    ...keys.map((Key) => ({ DeleteRequest: { Key } })),
  ];
  for (const requests of chunks(all, WRITTEN)) await untilNone(requests, (left) => write(table, left));
}

/** Returns the items of these keys that exist, in any order. No key may occur twice. Throws TransientError. */
export async function readAll(table: DynamoTable, keys: readonly Item[]): Promise<Item[]> {
  const found: Item[] = [];
  for (const part of chunks(keys, READ))
    await untilNone(part, async (left) => {
      const RequestItems = { [table.tableName]: { Keys: [...left], ConsistentRead: true } };
      const answer = await awsCall('dynamodb read', table.client.send(new BatchGetItemCommand({ RequestItems })));
      found.push(...(answer.Responses?.[table.tableName] ?? []));
      return answer.UnprocessedKeys?.[table.tableName]?.Keys ?? [];
    });
  return found;
}

/**
 * Writes all of it or nothing. Returns false, and writes nothing, when a condition does not hold. No key may occur twice. Throws
 * TransientError.
 */
export async function writeTogether({ client }: DynamoTable, items: readonly TransactWriteItem[]): Promise<boolean> {
  let isWritten = true;
  await untilNone([items], async (left) => {
    try {
      await awsCall('dynamodb write', client.send(new TransactWriteItemsCommand({ TransactItems: [...items] })));
      return [];
    } catch (error) {
      const codes = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : null;
      if (codes === null) throw error;
      const causes = codes.map(({ Code }) => Code).filter((code) => code !== 'None');
      if (causes.includes('ConditionalCheckFailed')) isWritten = false;
      else if (causes.some((code) => !PASSING_CAUSES.has(code))) throw error;
      return isWritten ? left : [];
    }
  });
  return isWritten;
}

/** Another write of one of the items at the same moment, and a table that is asked for more than it can give. */
const PASSING_CAUSES = new Set<string | undefined>([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

async function write({ client, tableName }: DynamoTable, requests: readonly WriteRequest[]): Promise<WriteRequest[]> {
  const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: [...requests] } });
  const { UnprocessedItems } = await awsCall('dynamodb write', client.send(command));
  return UnprocessedItems?.[tableName] ?? [];
}

async function untilNone<T>(all: readonly T[], ask: (left: readonly T[]) => Promise<readonly T[]>): Promise<void> {
  let left = all;
  for (let tried = 0; tried < TRIES; tried += 1) {
    if (tried > 0) await setTimeout(PAUSE_MS * 2 ** (tried - 1));
    left = await ask(left);
    if (left.length === 0) return;
  }
  throw new TransientError(`dynamodb: ${left.length} items were not handled`);
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, number) =>
    all.slice(number * size, (number + 1) * size),
  );
}
