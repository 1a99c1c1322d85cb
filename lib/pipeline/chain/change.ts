/** The changes that a stage made: found by comparing, and put into a ledger again. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { CorruptDataError, StageOrderError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Writer } from '../model.ts';
import {
  type Change,
  type ChangedBy,
  type Item,
  itemFields,
  LIST_NAMES,
  LISTS,
  type ListName,
  ownFields,
} from './may-change.ts';

/** Returns the fields that differ after a stage. Throws StageOrderError when the stage changed a field that it may not change. */
export function changeBetween<S extends Writer>(stage: S, before: Ledger, after: ChangedBy<S>): Change {
  const given = after as Partial<Ledger>;
  const own = ownFields(stage).filter((field) => field in given && !isSame(before[field], given[field]));
  const lists = LIST_NAMES.filter((list) => itemFields(stage, list).length > 0).flatMap((list) => {
    const items = changedItems(stage, list, before[list], given[list] ?? before[list]);
    return items.length === 0 ? [] : [[list, items] as const];
  });
  return {
    ...(own.length > 0 && { ledger: Object.fromEntries(own.map((field) => [field, given[field]])) }),
    ...Object.fromEntries(lists),
  };
}

/** Returns true when a stage changed nothing. */
export function isNothing(change: Change): boolean {
  return Object.keys(change).length === 0;
}

function changedItems(stage: Writer, list: ListName, before: readonly object[], after: readonly object[]): Item[] {
  if (before.length !== after.length) throw new StageOrderError(`${stage} may not change how many ${list} there are`);
  const allowed = itemFields(stage, list);
  return before.flatMap((item, index) => {
    const [old, now] = [item, after[index]] as readonly Item[] as [Item, Item];
    const fields = Object.keys(now).filter((field) => !isSame(old[field], now[field]));
    const odd = fields.find((field) => !allowed.includes(field));
    if (odd !== undefined) throw new StageOrderError(`${stage} may not change the field ${odd} of ${list}`);
    const name = LISTS[list];
    return fields.length === 0
      ? []
      : [{ [name]: old[name], ...Object.fromEntries(fields.map((field) => [field, now[field]])) }];
  });
}

const isSame = (one: unknown, other: unknown): boolean => one === other || isDeepStrictEqual(one, other);

/** Returns the ledger after a change. Throws CorruptDataError when the change names something that the ledger does not have. */
export function withChange(ledger: Ledger, change: Change): Ledger {
  const lists = LIST_NAMES.map((list) => [list, withItems(list, ledger[list], change[list] ?? [])] as const);
  return { ...ledger, ...change.ledger, ...Object.fromEntries(lists) };
}

function withItems(list: ListName, items: readonly object[], changes: readonly Item[]): readonly object[] {
  if (changes.length === 0) return items;
  const name = LISTS[list];
  const byName = new Map(changes.map((change) => [change[name], change]));
  const names = new Set((items as readonly Item[]).map((item) => item[name]));
  if (byName.size !== changes.length || [...byName.keys()].some((each) => !names.has(each)))
    throw new CorruptDataError(`an entry changes ${list} that the ledger does not have, or changes them twice`);
  return (items as readonly Item[]).map((item) => {
    const change = byName.get(item[name]);
    return change === undefined ? item : { ...item, ...change };
  });
}
