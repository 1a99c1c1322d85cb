/** One table of DynamoDB: its items by their key, those of a partition in the order of the sort key, and the time to live. */
import { unknown } from '../../assembly/refuse.ts';
import type { ToldClock } from '../../clock.ts';
import { AwsError } from '../call.ts';
import type { Item } from './condition.ts';

export interface TableSettings {
  readonly name: string;
  readonly arn: string;
  readonly partitionKey: string;
  /** Null: each partition has one item. */
  readonly sortKey: string | null;
  readonly keyArn: string | null;
  /** Attribute with the second after which an item is deleted, or null. */
  readonly timeToLive: string | null;
}

/** DynamoDB deletes items some time after they expired. We do it after two days, which is the longest that it says. */
const DELETED_AFTER_SECONDS = 2 * 24 * 60 * 60;
/** The longest keys and the largest item that DynamoDB takes, in bytes. */
const MAX_PARTITION_KEY_LENGTH = 2_048;
const MAX_SORT_KEY_LENGTH = 1_024;
const MAX_ITEM = 400 * 1024;

export class Table {
  readonly settings: TableSettings;
  private readonly partitions = new Map<string, Map<string, Item>>();
  private readonly clock: ToldClock;
  private batches = 0;
  private transactions = 0;

  constructor(settings: TableSettings, clock: ToldClock) {
    this.settings = settings;
    this.clock = clock;
  }

  find(key: Item): Item | undefined {
    const [partition, sort] = this.idOf(key);
    const item = this.partitions.get(partition)?.get(sort);
    return item && !this.isDeleted(item) ? item : undefined;
  }

  put(item: Item): void {
    const [partition, sort] = this.idOf(item);
    // Each name and each text counts with its bytes, and a few more that nobody says exactly.
    if (Buffer.byteLength(JSON.stringify(item)) > MAX_ITEM) throw invalid('Item size has exceeded the maximum');
    const items = this.partitions.get(partition) ?? new Map<string, Item>();
    this.partitions.set(partition, items.set(sort, structuredClone(item)));
  }

  delete(key: Item): void {
    const [partition, sort] = this.idOf(key);
    this.partitions.get(partition)?.delete(sort);
  }

  /** The items of a partition in the order of their sort keys. */
  partition(value: string): Item[] {
    const items = [...(this.partitions.get(value) ?? [])].filter(([, item]) => !this.isDeleted(item));
    return items.sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other))).map(([, item]) => item);
  }

  /** Counts the batches. */
  nextBatch(): number {
    this.batches += 1;
    return this.batches;
  }

  /** Counts the transactions. */
  nextTransaction(): number {
    this.transactions += 1;
    return this.transactions;
  }

  /** The key of an item. */
  keyOf(item: Item): Item {
    const { partitionKey, sortKey } = this.settings;
    const names = sortKey === null ? [partitionKey] : [partitionKey, sortKey];
    return Object.fromEntries(names.map((name) => [name, item[name] ?? {}]));
  }

  /** Throws AwsError when the item has no key, or one that is too long. */
  private idOf(item: Item): [string, string] {
    const { partitionKey, sortKey } = this.settings;
    const partition = keyText(item, partitionKey, MAX_PARTITION_KEY_LENGTH);
    return [partition, sortKey === null ? '' : keyText(item, sortKey, MAX_SORT_KEY_LENGTH)];
  }

  private isDeleted(item: Item): boolean {
    const { timeToLive } = this.settings;
    const at = timeToLive === null ? undefined : item[timeToLive]?.N;
    return typeof at === 'string' && Number(at) + DELETED_AFTER_SECONDS < this.clock.now() / 1000;
  }
}

function keyText(item: Item, name: string, longest: number): string {
  const value = item[name]?.S;
  if (typeof value !== 'string' || value === '') throw invalid(`the item has no key ${name}`);
  if (Buffer.byteLength(value) > longest) throw invalid(`the key ${name} has over ${longest} bytes`);
  return value;
}

export const invalid = (message: string) => new AwsError('ValidationException', 400, message);

/** A table with keys of type text is all that the twin knows. */
export function tableSettingsOf(resource: {
  readonly name: string;
  readonly arn: string;
  readonly properties: Readonly<Record<string, unknown>>;
}): TableSettings {
  const { KeySchema, AttributeDefinitions, SSESpecification, TimeToLiveSpecification } = resource.properties;
  const [hash, range, ...others] = KeySchema as { readonly AttributeName: string }[];
  const isText = (AttributeDefinitions as { readonly AttributeType: string }[]).every(
    ({ AttributeType }) => AttributeType === 'S',
  );
  if (!hash || others.length > 0 || !isText) unknown('key of a table', [KeySchema, AttributeDefinitions]);
  const key = (SSESpecification as { readonly KMSMasterKeyId?: string } | undefined)?.KMSMasterKeyId ?? null;
  const lives = TimeToLiveSpecification as { readonly AttributeName: string } | undefined;
  return {
    name: resource.name,
    arn: resource.arn,
    partitionKey: hash.AttributeName,
    sortKey: range?.AttributeName ?? null,
    keyArn: key,
    timeToLive: lives?.AttributeName ?? null,
  };
}
