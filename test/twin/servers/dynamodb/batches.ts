/** BatchGetItem and BatchWriteItem of one table. Some of what is asked is left over now and then, as it is where a table is throttled. */
import { onlyKnown, unknown } from '../../assembly/refuse.ts';
import type { Input } from '../json-service.ts';
import type { Item } from './condition.ts';
import { invalid, type Table } from './table.ts';

const MAX_WRITTEN = 25;
const MAX_READ = 100;
/** Each batch of this number leaves its last item over. */
const LEFT_OVER_EACH = 5;

interface WriteRequest {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

/** The one table of a batch. Throws UnknownToTwinError for several. */
export function tableIn({ RequestItems }: Input): string {
  const names = Object.keys(RequestItems as object);
  const [name, ...others] = names;
  return name === undefined || others.length > 0 ? unknown('tables of a batch', names) : name;
}

export function batchGet(table: Table, { RequestItems }: Input): unknown {
  const { name } = table.settings;
  const asked = (RequestItems as Record<string, { readonly Keys: Item[] }>)[name];
  onlyKnown('field of a batch', asked ?? {}, ['ConsistentRead', 'Keys']);
  const { now, left } = split(table, asked?.Keys ?? [], (key) => key, MAX_READ);
  return {
    Responses: { [name]: now.flatMap((key) => table.find(key) ?? []) },
    UnprocessedKeys: left.length === 0 ? {} : { [name]: { Keys: left } },
  };
}

export function batchWrite(table: Table, { RequestItems }: Input): unknown {
  const { name } = table.settings;
  const asked = (RequestItems as Record<string, WriteRequest[]>)[name] ?? [];
  const keyOf = ({ PutRequest, DeleteRequest }: WriteRequest) =>
    PutRequest?.Item ?? DeleteRequest?.Key ?? unknown('request of a batch', PutRequest);
  const { now, left } = split(table, asked, keyOf, MAX_WRITTEN);
  for (const { PutRequest, DeleteRequest } of now) {
    if (PutRequest) table.put(PutRequest.Item);
    if (DeleteRequest) table.delete(DeleteRequest.Key);
  }
  return { UnprocessedItems: left.length === 0 ? {} : { [name]: left } };
}

function split<T>(table: Table, all: readonly T[], keyOf: (one: T) => Item, most: number) {
  if (all.length === 0 || all.length > most) throw invalid(`a batch has 1 to ${most} items, not ${all.length}`);
  const keys = new Set(all.map((one) => JSON.stringify(table.keyOf(keyOf(one)))));
  if (keys.size < all.length) throw invalid('Provided list of item keys contains duplicates');
  const isCut = all.length > 1 && table.nextBatch() % LEFT_OVER_EACH === 0;
  const done = isCut ? all.length - 1 : all.length;
  return { now: all.slice(0, done), left: all.slice(done) };
}
