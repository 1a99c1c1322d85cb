/** Query of DynamoDB: one partition, all of it or between two sort keys, in pages. Everything else is refused. */
import { unknown } from '../../assembly/refuse.ts';
import type { Input } from '../json-service.ts';
import type { Item, Value } from './condition.ts';
import { invalid, type Table } from './table.ts';

export const QUERY_FIELDS = [
  'ConsistentRead',
  'ExclusiveStartKey',
  'ExpressionAttributeValues',
  'KeyConditionExpression',
  'Limit',
  'ScanIndexForward',
  'Select',
  'TableName',
];

/** A page of real DynamoDB has a megabyte. Here it is smaller, so that a run has many of them. */
const MAX_PAGE = 200;
const CONDITION = /^(\w+) = (:\w+)(?: AND (\w+) BETWEEN (:\w+) AND (:\w+))?$/;

/** Answers a query. Throws AwsError, UnknownToTwinError. */
export function query(table: Table, input: Input): unknown {
  const { Limit = MAX_PAGE, ScanIndexForward = true, Select = 'ALL_ATTRIBUTES', ExclusiveStartKey } = input;
  if (Select !== 'ALL_ATTRIBUTES' && Select !== 'COUNT') unknown('Select of a query', Select);
  if (typeof Limit !== 'number' || Limit < 1) throw invalid('Limit must be at least 1');
  const found = matching(table, input);
  if (!ScanIndexForward) found.reverse();
  const rest =
    ExclusiveStartKey === undefined ? found : behind(table, found, ExclusiveStartKey as Item, !ScanIndexForward);
  const page = rest.slice(0, Math.min(Limit, MAX_PAGE));
  const last = page.length < rest.length || page.length === Limit ? page.at(-1) : undefined;
  return {
    Count: page.length,
    ScannedCount: page.length,
    ...(Select === 'COUNT' ? {} : { Items: page }),
    ...(last && { LastEvaluatedKey: table.keyOf(last) }),
  };
}

function matching(table: Table, input: Input): Item[] {
  const { partitionKey, sortKey } = table.settings;
  const values = input.ExpressionAttributeValues as Readonly<Record<string, Value>>;
  const text = String(input.KeyConditionExpression);
  const [, partition, value = '', sort, from = '', to = ''] = CONDITION.exec(text) ?? [];
  if (partition !== partitionKey || (sort !== undefined && sort !== sortKey)) unknown('key condition', text);
  const all = table.partition(textAt(values, value));
  if (sort === undefined) return all;
  const [low, high] = [Buffer.from(textAt(values, from)), Buffer.from(textAt(values, to))];
  if (Buffer.compare(low, high) > 0) throw invalid('The BETWEEN operator requires upper bound to be greater');
  return all.filter((item) => {
    const key = Buffer.from(String(item[sort]?.S));
    return Buffer.compare(low, key) <= 0 && Buffer.compare(key, high) <= 0;
  });
}

function behind(table: Table, found: readonly Item[], start: Item, isDescending: boolean): Item[] {
  const { sortKey } = table.settings;
  if (sortKey === null) unknown('query of a table without sort key', start);
  const place = Buffer.from(String(start[sortKey]?.S));
  return found.filter((item) => {
    const order = Buffer.compare(Buffer.from(String(item[sortKey]?.S)), place);
    return isDescending ? order < 0 : order > 0;
  });
}

function textAt(values: Readonly<Record<string, Value>>, name: string): string {
  const value = values[name]?.S;
  return typeof value === 'string' ? value : unknown('value in a key condition', name);
}
