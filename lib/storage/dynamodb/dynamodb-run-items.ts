/**
 * How the index of runs lies in its DynamoDB table. A run is one item, `run=ID` and `row`. Each fact of it is another: the key of the fact, and
 * the time and id of the run, by which it is sorted. An item of a fact only leads to its run; what counts is the list of facts in the run.
 */
import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { placeText, type RunPlace } from '../../pipeline/runs/run-place.ts';
import type { Fact, IndexedRun, RunRow } from '../../pipeline/runs/run-row.ts';

export type Item = Record<string, AttributeValue>;

/** The names of keys in the table, and of the attribute with the second after which DynamoDB deletes an item. */
export const PARTITION_KEY = 'pk';
export const SORT_KEY = 'sk';
const EXPIRES = 'expiresAtSeconds';

/** The fact that every run has. */
export const ANY_RUN = 'all';
/**
 * A mail of a hundred thousand files or links. An item holds 400 KB, and each fact is written by itself. Values over the limit are not
 * found.
 */
export const MOST_FACTS = 4_000;
/** A sorted text of a time has so many digits. */
const TIME_DIGITS = 15;
/**
 * A value may be of any length and have any characters. A sender who makes two values with one key gains nothing: a search then shows one
 * mail more.
 */
const KEY_BYTES = 16;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A run as it lies in the table. */
export interface StoredRun {
  readonly row: RunRow;
  /** The keys of its facts. */
  readonly facts: readonly string[];
  /** Items of facts that may still lie there from before. */
  readonly loose: readonly FactItem[];
  /** False until the items of its facts are written. */
  readonly isSettled: boolean;
  /** Each write counts it up. */
  readonly version: number;
}

/** Where an item of a fact lies. */
export interface FactItem {
  readonly key: string;
  readonly born: number;
}

/** The partition of a fact. */
export function factKey({ kind, value }: Fact): string {
  const digest = createHash('sha256').update(value).digest().subarray(0, KEY_BYTES);
  return `${kind}=${digest.toString('base64url')}`;
}

/** The keys of the facts of a run. */
export const factKeysOf = ({ facts }: IndexedRun): string[] =>
  [...new Set([ANY_RUN, ...facts.map(factKey)])].slice(0, MOST_FACTS);

export const rowKey = (runId: string): Item => ({ [PARTITION_KEY]: { S: `run=${runId}` }, [SORT_KEY]: { S: 'row' } });

export const factItemKey = (runId: string, { key, born }: FactItem): Item => ({
  [PARTITION_KEY]: { S: key },
  [SORT_KEY]: { S: sortText({ born, run: runId }) },
});

/** Sorts as time and id do. */
export const sortText = (place: RunPlace): string =>
  `${timeText(place.born)}${placeText(place).slice(String(place.born).length)}`;

export const timeText = (ms: number): string => String(ms).padStart(TIME_DIGITS, '0');

/** The place of an item of a fact. */
export function placeOf(item: Item): RunPlace {
  const [time = '', run = ''] = (item[SORT_KEY]?.S ?? '').split('-');
  return { born: Number(time), run };
}

/** When DynamoDB may delete what is known of a run, in milliseconds since the epoch. One that is written late is there for a day at least. */
export function expiryOf({ bornAt, endedAt }: RunRow, keptDays: number, now: number): Item {
  const atMs = Math.max((endedAt ?? bornAt) + keptDays * DAY_MS, now + DAY_MS);
  return { [EXPIRES]: { N: String(Math.ceil(atMs / 1000)) } };
}

export function itemOf(run: StoredRun, expiry: Item): Item {
  return {
    ...rowKey(run.row.runId),
    ...expiry,
    row: { S: JSON.stringify(run.row) },
    facts: { S: run.facts.join(' ') },
    loose: { S: run.loose.map(({ key, born }) => `${born}:${key}`).join(' ') },
    isSettled: { BOOL: run.isSettled },
    version: { N: String(run.version) },
  };
}

export function storedRun(item: Item): StoredRun {
  const { row, facts, loose, isSettled, version } = item;
  return {
    row: JSON.parse(row?.S ?? 'null') as RunRow,
    facts: wordsOf(facts?.S),
    loose: wordsOf(loose?.S).map((text) => {
      const colon = text.indexOf(':');
      return { born: Number(text.slice(0, colon)), key: text.slice(colon + 1) };
    }),
    isSettled: isSettled?.BOOL === true,
    version: Number(version?.N),
  };
}

const wordsOf = (text: string | undefined) => (text ?? '').split(' ').filter((word) => word !== '');
