/**
 * Writes to the index of runs in DynamoDB, where no transaction spans the thousands of facts that a run may have. A run is written first,
 * with the list of earlier facts to delete, and in one transaction with the counts that change by it. Then come the items of its facts. The
 * last write says that all is done. If a writer dies in between, a repetition finishes its work. A writer that is overtaken removes its rows
 * that the other writer does not have.
 */

import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { TransientError } from '../../pipeline/errors.ts';
import type { Clock } from '../../pipeline/ports.ts';
import { type IndexedRun, isLater } from '../../pipeline/runs/row.ts';
import { awsCall } from '../aws-errors.ts';
import { type DynamoTable, writeAll, writeTogether } from './batches.ts';
import { countChanges, countsOf } from './run-counts.ts';
import {
  expiryOf,
  type FactItem,
  factItemKey,
  factKeysOf,
  type Item,
  itemOf,
  itemsBeside,
  nameOf,
  rowKey,
  type StoredRun,
  storedRun,
} from './run-items.ts';

export interface RunsTable extends DynamoTable {
  /** The number of days after the end of a run after which DynamoDB deletes its data. */
  readonly keptDays: number;
  readonly clock: Clock;
}

/** The attack is several writers that write the same run at the same time. */
const TRIES = 5;

/** Returns the run as the table has it, or null. */
export async function findRun({ client, tableName }: DynamoTable, runId: string): Promise<StoredRun | null> {
  const command = new GetItemCommand({ TableName: tableName, Key: rowKey(runId), ConsistentRead: true });
  const { Item } = await awsCall('dynamodb get', client.send(command));
  return Item === undefined ? null : storedRun(Item);
}

/** Replaces the data of the run, unless the stored data is later. Throws TransientError, also when others write it all the time. */
export async function putRun(table: RunsTable, run: IndexedRun): Promise<void> {
  const [facts, counts] = [factKeysOf(run), countsOf(run)];
  for (let tried = 0; tried < TRIES; tried += 1) {
    const known = await findRun(table, run.row.runId);
    if (known !== null && isLater(known.row, run.row)) return await takeBack(table, facts, run, known);
    const next = { row: run.row, facts, counts, isSettled: false, version: (known?.version ?? 0) + 1 };
    if (known?.isSettled && isDeepStrictEqual([known.row, known.facts, known.counts], [run.row, facts, counts])) return;
    const stored = { ...next, loose: looseOf(known, next) };
    if (!(await writeRow(table, stored, known))) continue;
    if (await settle(table, stored)) return;
  }
  throw new TransientError('dynamodb: others write the same run');
}

/** Deletes the data of the run. A missing run is no error. Throws TransientError, also when others write it all the time. */
export async function removeRun(table: RunsTable, runId: string): Promise<void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const known = await findRun(table, runId);
    if (known === null) return;
    const beside = [...itemsBeside(known), ...known.loose];
    await writeAll(
      table,
      [],
      beside.map((fact) => factItemKey(runId, fact)),
    );
    const row = { TableName: table.tableName, Key: rowKey(runId), ...seenBefore(known) };
    const changes = countChanges({ ...table, now: table.clock.now() }, runId, known.counts, []);
    if (await writeTogether(table, [{ Delete: row }, ...changes])) return;
  }
  throw new TransientError('dynamodb: others write the same run');
}

/** Writes the missing items of the facts and deletes the others. Returns false when somebody else has written the run meanwhile. */
async function settle(table: RunsTable, run: StoredRun): Promise<boolean> {
  const { row, loose } = run;
  const expiry = expiryOf(row, table.keptDays, table.clock.now());
  const written = itemsBeside(run).map((item) => ({ ...factItemKey(row.runId, item), ...expiry }));
  const gone = loose.map((fact) => factItemKey(row.runId, fact));
  await writeAll(table, written, gone);
  return writeRow(table, { ...run, loose: [], isSettled: true, version: run.version + 1 }, run);
}

/** Deletes the items that this writer may have written before it was overtaken. */
async function takeBack(
  table: RunsTable,
  facts: readonly string[],
  { row }: IndexedRun,
  known: StoredRun,
): Promise<void> {
  const isThere = new Set(itemsBeside(known).map(nameOf));
  const extra = itemsBeside({ row, facts }).filter((item) => !isThere.has(nameOf(item)));
  await writeAll(
    table,
    [],
    extra.map((item) => factItemKey(row.runId, item)),
  );
}

/** Items that may still exist although the run no longer has them. */
function looseOf(known: StoredRun | null, next: Pick<StoredRun, 'row' | 'facts'>): FactItem[] {
  if (known === null) return [];
  const isHad = new Set(itemsBeside(next).map(nameOf));
  const before = [...itemsBeside(known), ...known.loose];
  return [...new Map(before.map((item) => [nameOf(item), item])).values()].filter((item) => !isHad.has(nameOf(item)));
}

/** Writes the row with the counts that change by it. Returns false when the run has changed meanwhile. */
async function writeRow(table: RunsTable, run: StoredRun, known: StoredRun | null): Promise<boolean> {
  const { client, tableName, keptDays, clock } = table;
  const now = clock.now();
  const put = { TableName: tableName, Item: itemOf(run, expiryOf(run.row, keptDays, now)), ...seenBefore(known) };
  const changes = countChanges({ tableName, keptDays, now }, run.row.runId, known?.counts ?? [], run.counts);
  if (changes.length > 0) return writeTogether(table, [{ Put: put }, ...changes]);
  try {
    await awsCall('dynamodb write', client.send(new PutItemCommand(put)));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues?: Item;
}

/** Returns the condition that the run is still as it was read. */
const seenBefore = (known: StoredRun | null): Condition =>
  known === null
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : {
        ConditionExpression: 'version = :seen',
        ExpressionAttributeValues: { ':seen': { N: String(known.version) } },
      };
