/**
 * The layout of the index of runs in its DynamoDB table. A run is one item, `run=ID` and `row`. Each fact of it is another item. Its key is
 * the fact, and it is sorted by the time and id of the run. An item of a fact only leads to its run: the list of facts in the run is what
 * counts. Each time that the run was held is an item, too. These items have one common key. Their sort key has the time and the reasons.
 * Beside them lie counts of each hour (`run-counts.ts`).
 */
import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Hold, reasonsIn, reasonsText } from '../../pipeline/runs/hold.ts';
import { placeText, type RunPlace } from '../../pipeline/runs/place.ts';
import type { Fact, IndexedRun, RunRow } from '../../pipeline/runs/row.ts';

export type Item = Record<string, AttributeValue>;

/** The names of the keys in the table. The last one is the attribute with the second after which DynamoDB deletes an item. */
export const PARTITION_KEY = 'pk';
export const SORT_KEY = 'sk';
const EXPIRES = 'expiresAtSeconds';

/** The fact that every run has. */
export const ANY_RUN = 'all';
/** The partition of the times at which mail was held. */
export const HELD = 'held';
/**
 * The attack is a mail with a hundred thousand files or links. An item holds 400 KB, and each fact is an item. A search does not find
 * values over the limit.
 */
export const MAX_FACTS = 4_000;
/** The number of digits of a sorted time. */
const TIME_DIGITS = 15;
/**
 * A value may have any length and any characters. A sender who makes two values with one key gains nothing, because a search then only
 * shows one more mail.
 */
const KEY_BYTES = 16;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A run as the table has it. */
export interface StoredRun {
  readonly row: RunRow;
  /** The keys of its facts. */
  readonly facts: readonly string[];
  /** The counts that include it. A count may be there twice. */
  readonly counts: readonly FactItem[];
  /** Items of facts that may still exist from an earlier version of the run. */
  readonly loose: readonly FactItem[];
  /** False until the items of its facts are written. */
  readonly isSettled: boolean;
  /** Each write increments it. */
  readonly version: number;
}

/** The place of an item of a fact, or of a time that the run was held. For a count, `born` is the beginning of its hour. */
export interface FactItem {
  readonly key: string;
  readonly born: number;
}

/** Returns the partition of a fact. */
export function factKey({ kind, value }: Fact): string {
  const digest = createHash('sha256').update(value).digest().subarray(0, KEY_BYTES);
  return `${kind}=${digest.toString('base64url')}`;
}

/** Returns the keys of the facts of a run. */
export const factKeysOf = ({ facts }: IndexedRun): string[] =>
  [...new Set([ANY_RUN, ...facts.map(factKey)])].slice(0, MAX_FACTS);

/** Returns the items that a run has beside its row. */
export const itemsBeside = ({ row, facts }: Pick<StoredRun, 'row' | 'facts'>): FactItem[] => [
  ...facts.map((key) => ({ key, born: row.bornAt })),
  ...(row.holds ?? []).map(holdItem),
];

/** Two items of a run are the same when they have one name. */
export const nameOf = ({ key, born }: FactItem): string => `${born}:${key}`;

export const holdItem = ({ at, reasons }: Hold): FactItem => ({ key: `${HELD}=${reasonsText(reasons)}`, born: at });

export const rowKey = (runId: string): Item => ({ [PARTITION_KEY]: { S: `run=${runId}` }, [SORT_KEY]: { S: 'row' } });

export function factItemKey(runId: string, { key, born }: FactItem): Item {
  const place = sortText({ born, run: runId });
  if (!key.startsWith(`${HELD}=`)) return { [PARTITION_KEY]: { S: key }, [SORT_KEY]: { S: place } };
  return { [PARTITION_KEY]: { S: HELD }, [SORT_KEY]: { S: `${place}-${key.slice(HELD.length + 1)}` } };
}

/** Sorts like the time and the id. */
export const sortText = (place: RunPlace): string =>
  `${timeText(place.born)}${placeText(place).slice(String(place.born).length)}`;

export const timeText = (ms: number): string => String(ms).padStart(TIME_DIGITS, '0');

/** Returns the place of an item of a fact. */
export function placeOf(item: Item): RunPlace {
  const [time = '', run = ''] = (item[SORT_KEY]?.S ?? '').split('-');
  return { born: Number(time), run };
}

/** Returns the time in an item of the partition of such times. */
export function holdOf(item: Item): Hold {
  const [time = '', , reasons = ''] = (item[SORT_KEY]?.S ?? '').split('-');
  return { at: Number(time), reasons: reasonsIn(reasons) };
}

/**
 * Returns when DynamoDB may delete the data of a run, in milliseconds since the epoch. Data that is written late stays for at least a day.
 */
export function expiryOf({ bornAt, endedAt }: Pick<RunRow, 'bornAt' | 'endedAt'>, keptDays: number, now: number): Item {
  const atMs = Math.max((endedAt ?? bornAt) + keptDays * DAY_MS, now + DAY_MS);
  return { [EXPIRES]: { N: String(Math.ceil(atMs / 1000)) } };
}

export function itemOf(run: StoredRun, expiry: Item): Item {
  return {
    ...rowKey(run.row.runId),
    ...expiry,
    row: { S: JSON.stringify(run.row) },
    facts: { S: run.facts.join(' ') },
    counts: { S: run.counts.map(nameOf).join(' ') },
    loose: { S: run.loose.map(nameOf).join(' ') },
    isSettled: { BOOL: run.isSettled },
    version: { N: String(run.version) },
  };
}

export function storedRun(item: Item): StoredRun {
  const { row, facts, counts, loose, isSettled, version } = item;
  return {
    row: JSON.parse(row?.S ?? 'null') as RunRow,
    facts: wordsOf(facts?.S),
    counts: wordsOf(counts?.S).map(itemNamed),
    loose: wordsOf(loose?.S).map(itemNamed),
    isSettled: isSettled?.BOOL === true,
    version: Number(version?.N),
  };
}

function itemNamed(name: string): FactItem {
  const colon = name.indexOf(':');
  return { born: Number(name.slice(0, colon)), key: name.slice(colon + 1) };
}

const wordsOf = (text: string | undefined) => (text ?? '').split(' ').filter((word) => word !== '');
