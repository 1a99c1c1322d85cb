/** DynamoDB: single items with conditions, and the time to live. */
import { unknown } from '../../assembly/refuse.ts';
import type { ToldClock } from '../../clock.ts';
import type { Need } from '../../policies/gate.ts';
import { AwsError, type Service } from '../call.ts';
import { type Input, jsonService, type Operation } from '../json-service.ts';
import { conditionHolds, type Item, type Value } from './condition.ts';

export interface TableSettings {
  readonly name: string;
  readonly arn: string;
  readonly partitionKey: string;
  readonly keyArn: string | null;
  /** Attribute with the second after which an item is deleted, or null. */
  readonly timeToLive: string | null;
}

/** DynamoDB deletes items some time after they expired. We do it after two days, which is the longest that it says. */
const DELETED_AFTER_SECONDS = 2 * 24 * 60 * 60;

class Table {
  readonly settings: TableSettings;
  private readonly items = new Map<string, Item>();
  private readonly clock: ToldClock;

  constructor(settings: TableSettings, clock: ToldClock) {
    this.settings = settings;
    this.clock = clock;
  }

  find(key: Item): Item | undefined {
    const item = this.items.get(this.idOf(key));
    return item && !this.isDeleted(item) ? item : undefined;
  }

  put(item: Item): void {
    this.items.set(this.idOf(item), structuredClone(item));
  }

  delete(key: Item): void {
    this.items.delete(this.idOf(key));
  }

  /** Throws AwsError when the item has no partition key. */
  private idOf(item: Item): string {
    const value = item[this.settings.partitionKey]?.S;
    if (typeof value !== 'string' || value === '')
      throw new AwsError('ValidationException', 400, 'the item has no partition key');
    return value;
  }

  private isDeleted(item: Item): boolean {
    const { timeToLive } = this.settings;
    const at = timeToLive === null ? undefined : item[timeToLive]?.N;
    return typeof at === 'string' && Number(at) + DELETED_AFTER_SECONDS < this.clock.now() / 1000;
  }
}

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
  const tableOf = ({ TableName }: Input): Table => {
    const table = tables.get(String(TableName));
    if (!table) throw new AwsError('ResourceNotFoundException', 400, `no table ${TableName}`);
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
  });
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

/** A table with one partition key of type text is all that the twin knows. */
export function tableSettingsOf(resource: {
  readonly name: string;
  readonly arn: string;
  readonly properties: Readonly<Record<string, unknown>>;
}): TableSettings {
  const { KeySchema, SSESpecification, TimeToLiveSpecification } = resource.properties;
  const [hash, ...others] = KeySchema as { readonly AttributeName: string }[];
  if (!hash || others.length > 0) unknown('key of a table', KeySchema);
  const key = (SSESpecification as { readonly KMSMasterKeyId?: string } | undefined)?.KMSMasterKeyId ?? null;
  const lives = TimeToLiveSpecification as { readonly AttributeName: string } | undefined;
  const { name, arn } = resource;
  return { name, arn, partitionKey: hash.AttributeName, keyArn: key, timeToLive: lives?.AttributeName ?? null };
}
