/** TransactWriteItems of one table: all of it or nothing. Now and then one meets another one, as it does where many write the same item. */
import { onlyKnown, unknown } from '../../assembly/refuse.ts';
import { AwsError } from '../call.ts';
import type { Input } from '../json-service.ts';
import type { Item, Value } from './condition.ts';
import { invalid, type Table } from './table.ts';

const MOST = 100;
/** Each transaction of this number is cancelled because of another one. */
const CONFLICT_EACH = 7;
const UPDATE = /^ADD (\w+) (:\w+) SET (\w+) = (:\w+)$/;

const ACTIONS = { Put: 'dynamodb:PutItem', Update: 'dynamodb:UpdateItem', Delete: 'dynamodb:DeleteItem' } as const;
type Kind = keyof typeof ACTIONS;
const KINDS = Object.keys(ACTIONS) as Kind[];

interface Write {
  readonly kind: Kind;
  readonly input: Input;
}

/** What a transaction does, in its order. */
export function writesOf({ TransactItems }: Input): Write[] {
  return (TransactItems as readonly Readonly<Record<string, Input>>[]).map((one) => {
    onlyKnown('write of a transaction', one, KINDS);
    const kind = KINDS.find((each) => one[each] !== undefined) ?? unknown('write of a transaction', one);
    return { kind, input: one[kind] as Input };
  });
}

/** The permissions that it needs: those of single writes. */
export const actionsOf = (input: Input): string[] => [...new Set(writesOf(input).map(({ kind }) => ACTIONS[kind]))];

/** The one table of a transaction. Throws UnknownToTwinError for several. */
export function tableOfTransaction(input: Input): string {
  const [name, ...others] = new Set(writesOf(input).map((one) => String(one.input.TableName)));
  return name === undefined || others.length > 0 ? unknown('tables of a transaction', [name, ...others]) : name;
}

/** Carries it out. `check` throws when the condition of a write does not hold. Throws AwsError. */
export function transact(table: Table, input: Input, check: (item: Item | undefined, write: Input) => void): void {
  const writes = writesOf(input);
  if (writes.length === 0 || writes.length > MOST) throw invalid(`a transaction has 1 to ${MOST} writes`);
  const keys = new Set(writes.map((one) => JSON.stringify(table.keyOf(placeOf(one)))));
  if (keys.size < writes.length) throw invalid('Transaction request cannot include multiple operations on one item');
  const codes = writes.map((one) => codeOf(() => check(table.find(placeOf(one)), one.input)));
  if (table.nextTransaction() % CONFLICT_EACH === 0) codes[codes.length - 1] = 'TransactionConflict';
  if (codes.some((code) => code !== 'None')) {
    const reasons = { CancellationReasons: codes.map((Code) => ({ Code })) };
    throw new AwsError('TransactionCanceledException', 400, 'Transaction cancelled', reasons);
  }
  for (const one of writes) carryOut(table, one);
}

const placeOf = ({ input }: Write) => (input.Item ?? input.Key) as Item;

function codeOf(check: () => void): string {
  try {
    check();
    return 'None';
  } catch (error) {
    if (error instanceof AwsError && error.name === 'ConditionalCheckFailedException') return 'ConditionalCheckFailed';
    throw error;
  }
}

function carryOut(table: Table, { kind, input }: Write): void {
  if (kind === 'Put') table.put(input.Item as Item);
  else if (kind === 'Delete') table.delete(input.Key as Item);
  else table.put(updated(table.find(input.Key as Item) ?? (input.Key as Item), input));
}

/** An item with a number raised and another attribute set. */
function updated(item: Item, input: Input): Item {
  const [, number = '', by = '', name = '', value = ''] = UPDATE.exec(String(input.UpdateExpression)) ?? [];
  if (number === '') unknown('update expression', input.UpdateExpression);
  const values = input.ExpressionAttributeValues as Readonly<Record<string, Value>>;
  const sum = Number(item[number]?.N ?? 0) + Number(values[by]?.N);
  if (Number.isNaN(sum)) throw invalid('An operand in the update expression has an incorrect data type');
  return { ...item, [number]: { N: String(sum) }, [name]: values[value] ?? unknown('value of an update', value) };
}
