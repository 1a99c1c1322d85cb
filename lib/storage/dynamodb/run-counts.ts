/**
 * Counts in the index of runs in DynamoDB: of the runs with a state or a reason by the hour in which they came in, and of holds by their
 * hour. They change in one transaction with the row of a run, so a row that is written twice counts once. An overview of a month then reads
 * some items for each hour, and not one for each mail.
 */
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { TallySpan } from '../../pipeline/ports.ts';
import type { IndexedRun } from '../../pipeline/runs/row.ts';
import {
  expiryOf,
  type FactItem,
  factItemKey,
  factKeysOf,
  HELD,
  holdItem,
  type Item,
  nameOf,
  PARTITION_KEY,
} from './run-items.ts';

export const HOUR_MS = 3_600_000;
/** The attack is a run with hundreds of holds. A transaction writes 100 items: the row, and the counts that it had and that it gets. */
const MAX_COUNTS = 49;
/** The kinds of facts that are counted. */
const COUNTED = ['state=', 'reason='];

/** Returns the partition with the counts of a fact, or of `HELD`. */
export const countsKey = (key: string): string => `count=${key}`;

/** Returns true for the key of a fact whose runs are counted. */
const isCounted = (key: string): boolean => COUNTED.some((kind) => key.startsWith(kind));

/** Returns the counts that include this run. */
export function countsOf(run: IndexedRun): FactItem[] {
  const { bornAt, holds = [] } = run.row;
  const facts = factKeysOf(run).filter(isCounted);
  const all = [...facts.map((key) => ({ key, born: bornAt })), ...holds.map(holdItem)];
  return all.slice(0, MAX_COUNTS).map(({ key, born }) => ({ key, born: hourOf(born) }));
}

/** Returns the writes that turn the counts of a run from the earlier into the later ones. */
export function countChanges(
  { tableName, keptDays, now }: { readonly tableName: string; readonly keptDays: number; readonly now: number },
  runId: string,
  before: readonly FactItem[],
  after: readonly FactItem[],
): TransactWriteItem[] {
  const changes = new Map<string, { readonly item: FactItem; readonly by: number }>();
  const add = (item: FactItem, by: number) =>
    changes.set(nameOf(item), { item, by: (changes.get(nameOf(item))?.by ?? 0) + by });
  for (const item of before) add(item, -1);
  for (const item of after) add(item, 1);
  const changed = [...changes.values()].filter(({ by }) => by !== 0);
  return changed.map(({ item, by }) => {
    const expiry = expiryOf({ bornAt: item.born, endedAt: item.born + HOUR_MS }, keptDays, now);
    const [[name, at] = ['', { N: '' }]] = Object.entries(expiry);
    return {
      Update: {
        TableName: tableName,
        Key: countItemKey(runId, item),
        UpdateExpression: `ADD runs :by SET ${name} = :at`,
        ExpressionAttributeValues: { ':by': { N: String(by) }, ':at': at },
      },
    };
  });
}

/** Runs that end at the same moment would wait for one item. The first digit of their ids spreads them over sixteen. */
function countItemKey(runId: string, item: FactItem): Item {
  const key = factItemKey(runId.slice(0, 1), item);
  return { ...key, [PARTITION_KEY]: { S: countsKey(key[PARTITION_KEY]?.S ?? HELD) } };
}

/** Returns the number in a count. It is below zero when its item expired before that of a run that changes later. */
export const numberIn = ({ runs }: Item): number => Math.max(0, Number(runs?.N ?? 0));

/** Returns the beginning of the first hour that begins at this time or later. */
export const nextHour = (ms: number): number => Math.ceil(ms / HOUR_MS) * HOUR_MS;

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/** Returns the time until which counts can tell the runs of a fact in these slots. Behind it, its items are counted one by one. */
export function countedUntil(key: string, { since, until, slotMs }: TallySpan): number {
  const isWhole = since % HOUR_MS === 0 && (slotMs % HOUR_MS === 0 || slotMs >= until - since);
  return isCounted(key) && isWhole ? hourOf(until) : since;
}
