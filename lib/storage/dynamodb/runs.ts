/**
 * The Runs port over one DynamoDB table. A page is read along the rarest fact, newest first. Each run on this way is read, and is shown
 * when it has every wanted fact. Facts are counted by their items, which may lag behind for a moment. Tallies add up the counts of whole
 * hours, and the items of an hour that is not whole.
 */
import { type AttributeValue, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { RunPage, RunQuery, Runs, TallySpan } from '../../pipeline/ports.ts';
import { type HoldCount, reasonsText } from '../../pipeline/runs/hold.ts';
import { placeIn, placeOfRow, placeText, type RunPlace } from '../../pipeline/runs/place.ts';
import type { Fact, RunRow } from '../../pipeline/runs/row.ts';
import { awsCall } from '../aws-errors.ts';
import { type DynamoTable, READ, readAll } from './batches.ts';
import { countedUntil, countsKey, nextHour, numberIn } from './run-counts.ts';
import {
  ANY_RUN,
  factKey,
  HELD,
  holdOf,
  type Item,
  placeOf,
  rowKey,
  SORT_KEY,
  sortText,
  storedRun,
  timeText,
} from './run-items.ts';
import { findRun, putRun, type RunsTable, removeRun } from './run-writes.ts';

/** Facts with more runs than this count as equally frequent. */
const COUNTED = 1_000;
/** Frequent facts may never occur together. A page reads at most this many runs of the rarest fact. */
const LOOKED_AT = 2_500;
/** The greatest time that its text can express. */
const END_OF_TIME = 999_999_999_999_999;

/** Returns the index of runs over DynamoDB. Its methods throw TransientError for throttling, 5xx and broken connections. */
export function createDynamoRuns(table: RunsTable): Runs {
  return {
    put: (run) => putRun(table, run),
    get: async (runId) => (await findRun(table, runId))?.row ?? null,
    list: (query) => page(table, query),
    tally: (fact, span) => tallyOf(table, factKey(fact), span),
    holds: (sinces) => holdsSince(table, sinces),
    oldest: (fact) => oldestOf(table, fact),
    count: (fact, most, since = null) => countOf(table, factKey(fact), most, since),
    remove: (runId) => removeRun(table, runId),
  };
}

async function page(table: DynamoTable, query: RunQuery): Promise<RunPage> {
  const { most, after } = query;
  const keys = query.facts.map(factKey);
  const along = keys.length < 2 ? (keys[0] ?? ANY_RUN) : await rarestOf(table, keys);
  if (along === null) return { rows: [], next: null };
  let place = after === null ? null : placeIn(after);
  let lookedAt = 0;
  const rows: RunRow[] = [];
  while (lookedAt < LOOKED_AT) {
    const wanted = keys.length < 2 ? Math.min(READ, most + 1 - rows.length) : READ;
    const places = await placesAlong(table, along, { ...query, after: place }, wanted);
    for (const found of await runsAt(table, places, [along, ...keys])) {
      const last = rows.at(-1);
      if (rows.length === most) return { rows, next: last === undefined ? null : placeText(placeOfRow(last)) };
      rows.push(found);
    }
    if (places.length < wanted) return { rows, next: null };
    place = places.at(-1) ?? null;
    lookedAt += places.length;
  }
  return { rows, next: place === null ? null : placeText(place) };
}

interface Along {
  readonly since: number | null;
  readonly until: number | null;
  /** Only runs behind this place, which came in earlier. */
  readonly after: RunPlace | null;
}

/** Returns the places of the next runs of a fact, newest first. Fewer than wanted means that there are no more. */
async function placesAlong(table: DynamoTable, key: string, { since, until, after }: Along, wanted: number) {
  const earliest = timeText(since ?? 0);
  const before = timeText(until ?? END_OF_TIME);
  const last = after === null ? before : sortText(after);
  const places: RunPlace[] = [];
  const span = { earliest, latest: last < before ? last : before };
  for await (const item of itemsOf(table, key, span, { ScanIndexForward: false, Limit: wanted + 1 })) {
    const place = placeOf(item);
    if (after !== null && place.born === after.born && place.run === after.run) continue;
    places.push(place);
    if (places.length === wanted) break;
  }
  return places;
}

/** Returns the runs at these places that have all of these facts, in the order of the places. */
async function runsAt(table: DynamoTable, places: readonly RunPlace[], keys: readonly string[]): Promise<RunRow[]> {
  const items = await readAll(
    table,
    places.map(({ run }) => rowKey(run)),
  );
  const found = new Map(items.map(storedRun).map((run) => [run.row.runId, run]));
  return places.flatMap(({ run, born }) => {
    const stored = found.get(run);
    const hasAll = stored?.row.bornAt === born && keys.every((key) => stored.facts.includes(key));
    return stored !== undefined && hasAll ? [stored.row] : [];
  });
}

/**
 * A page is read along one fact. The fact with the fewest runs is the cheapest; null when one has none. The facts are counted one after
 * another, and none further than the rarest before it: most searches have a fact without any run.
 */
async function rarestOf(table: DynamoTable, keys: readonly string[]): Promise<string | null> {
  let [rarest = ANY_RUN] = keys;
  let fewest = COUNTED;
  for (const key of keys) {
    const runs = await countOf(table, key, fewest);
    if (runs === 0) return null;
    if (runs < fewest) [rarest, fewest] = [key, runs];
  }
  return rarest;
}

async function countOf(table: DynamoTable, key: string, most: number, since: number | null = null): Promise<number> {
  let runs = 0;
  const span = since === null ? null : { earliest: timeText(since), latest: timeText(END_OF_TIME) };
  for await (const answer of pagesOf(table, key, span, { Select: 'COUNT', Limit: most })) {
    runs += answer.Count ?? 0;
    if (runs >= most) break;
  }
  return Math.min(runs, most);
}

async function tallyOf(table: DynamoTable, key: string, asked: TallySpan) {
  const { since, until, slotMs } = asked;
  if (until <= since) return [];
  const slots = new Map<number, number>();
  const add = (born: number, runs: number) => {
    const at = since + Math.floor((born - since) / slotMs) * slotMs;
    slots.set(at, (slots.get(at) ?? 0) + runs);
  };
  const counted = countedUntil(key, asked);
  const span = (from: number, to: number) => ({ earliest: timeText(from), latest: timeText(to) });
  if (counted > since)
    for await (const item of itemsOf(table, countsKey(key), span(since, counted), {}))
      add(placeOf(item).born, numberIn(item));
  for await (const item of itemsOf(table, key, span(counted, until), {})) add(placeOf(item).born, 1);
  const found = [...slots].map(([at, runs]) => ({ at, runs })).filter(({ runs }) => runs > 0);
  return found.sort((one, other) => one.at - other.at);
}

/** Reads the counts of whole hours once, and the single times in the rest of the first hour of each span. */
async function holdsSince(table: DynamoTable, sinces: readonly number[]): Promise<HoldCount[]> {
  const counts = new Map<string, { readonly reasons: readonly string[]; readonly holds: number[] }>();
  const add = (item: Item, span: number, holds: number) => {
    const { reasons } = holdOf(item);
    const name = reasonsText(reasons);
    const count = counts.get(name) ?? { reasons, holds: sinces.map(() => 0) };
    counts.set(name, count);
    count.holds[span] = (count.holds[span] ?? 0) + holds;
  };
  const hours = { earliest: timeText(nextHour(Math.min(...sinces))), latest: timeText(END_OF_TIME) };
  for await (const item of itemsOf(table, countsKey(HELD), hours, {}))
    for (const [span, since] of sinces.entries())
      if (holdOf(item).at >= since && numberIn(item) > 0) add(item, span, numberIn(item));
  for (const [span, since] of sinces.entries()) {
    const rest = { earliest: timeText(since), latest: timeText(nextHour(since)) };
    for await (const item of itemsOf(table, HELD, rest, {})) add(item, span, 1);
  }
  return [...counts.values()];
}

async function oldestOf(table: DynamoTable, fact: Fact): Promise<RunRow | null> {
  const key = factKey(fact);
  for await (const item of itemsOf(table, key, null, { Limit: READ })) {
    const [row] = await runsAt(table, [placeOf(item)], [key]);
    if (row !== undefined) return row;
  }
  return null;
}

/** Sort keys, both inclusive. */
interface Span {
  readonly earliest: string;
  readonly latest: string;
}

type Manner = Pick<QueryCommandInput, 'Limit' | 'ScanIndexForward' | 'Select'>;

async function* itemsOf(table: DynamoTable, key: string, span: Span | null, manner: Manner): AsyncGenerator<Item> {
  if (span !== null && span.latest < span.earliest) return;
  for await (const { Items = [] } of pagesOf(table, key, span, manner)) yield* Items;
}

async function* pagesOf({ client, tableName }: DynamoTable, key: string, span: Span | null, manner: Manner) {
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  const within = span === null ? '' : ` AND ${SORT_KEY} BETWEEN :earliest AND :latest`;
  const ends: Item = span === null ? {} : { ':earliest': { S: span.earliest }, ':latest': { S: span.latest } };
  do {
    const command: QueryCommand = new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: `pk = :key${within}`,
      ExpressionAttributeValues: { ':key': { S: key }, ...ends },
      ConsistentRead: true,
      ...manner,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const answer = await awsCall('dynamodb query', client.send(command));
    yield answer;
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}
