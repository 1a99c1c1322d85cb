/** The question of a list: the allowed filters in the address of a page, and their query of the index. */

import { mended } from '../formats/names/defanged.ts';
import { normalFact } from '../pipeline/ledger/header-addresses.ts';
import type { RunQuery } from '../pipeline/ports.ts';
import { REASON_CODES } from '../pipeline/reason-codes.ts';
import { type Fact, type FactKind, RUN_STATES, wordsIn } from '../pipeline/runs/row.ts';
import { referenceIn } from '../words/reference.ts';

/** The names of filters in an address. No other is read. */
export const FILTERS = ['state', 'reason', 'sender', 'recipient', 'words', 'hash', 'host', 'since', 'until'] as const;
export type Filter = (typeof FILTERS)[number];

/** The requested values: only allowed ones. */
export interface Ask {
  readonly values: Readonly<Record<Filter, string>>;
  readonly after: string | null;
  /**
   * Filters with an invalid value. Nothing is listed then. Without the filter, the list would show all other mail, and a person may delete
   * it.
   */
  readonly wrong: readonly Filter[];
}

const MAX_VALUE_LENGTH = 300;

/** Returns a value of an address as it is read: without spaces around it, and not longer than any value that means something. */
export const givenValue = (text: string): string => text.trim().slice(0, MAX_VALUE_LENGTH);

const GRAMMAR: Readonly<Record<Filter, RegExp>> = {
  state: new RegExp(`^(?:${RUN_STATES.join('|')})?$`),
  reason: new RegExp(`^(?:${REASON_CODES.join('|')})?$`),
  sender: /^[^\p{Cc}]*$/u,
  recipient: /^[^\p{Cc}]*$/u,
  words: /^[^\p{Cc}]*$/u,
  hash: /^(?:[0-9a-fA-F]{64})?$/,
  host: /^[^\p{Cc}\s]*$/u,
  since: /^(?:\d{4}-\d{2}-\d{2})?$/,
  until: /^(?:\d{4}-\d{2}-\d{2})?$/,
};

/** Filters into which people paste what a page shows, where addresses are broken (`evil[.]example`). */
const PASTED: ReadonlySet<Filter> = new Set<Filter>(['sender', 'recipient', 'host']);

/** Reads an address. Without a state, it means held mail. */
export function askOf(query: (name: string) => string | undefined): Ask {
  const given = (name: Filter) => {
    const text = givenValue(query(name) ?? (name === 'state' ? 'quarantined' : ''));
    return PASTED.has(name) ? mended(text) : text;
  };
  const wrong = FILTERS.filter((name) => !isOfItsKind(name, given(name)));
  const value = (name: Filter) => (wrong.includes(name) ? '' : given(name));
  const after = query('after') ?? '';
  const values = Object.fromEntries(FILTERS.map((name) => [name, value(name)])) as Record<Filter, string>;
  return { values, after: /^\d{1,15}-[0-9a-f]{32}$/.test(after) ? after : null, wrong };
}

function isOfItsKind(name: Filter, value: string): boolean {
  const isDay = name === 'since' || name === 'until';
  return GRAMMAR[name].test(value) && (!isDay || value === '' || dayOf(value) !== null);
}

/** Turns what a person asks into a question to the index. Returns at most `most` rows. */
export function queryOf({ values, after }: Ask, most: number): RunQuery {
  const one = (kind: FactKind, value: string): Fact[] => (value === '' ? [] : [{ kind, value: normalFact(value) }]);
  // A person who quotes a reference means that mail, in any state.
  const reference = referenceIn(values.words);
  if (reference !== null)
    return { facts: [{ kind: 'reference', value: reference }], since: null, until: null, after, most };
  const facts = [
    ...one('state', values.state),
    ...one('reason', values.reason),
    ...one('sender', values.sender),
    ...one('recipient', values.recipient),
    ...wordsIn(values.words).map((word): Fact => ({ kind: 'word', value: word })),
    ...one('hash', values.hash),
    ...one('host', values.host),
  ];
  return { facts, since: dayOf(values.since), until: dayOf(values.until), after, most };
}

/** Returns milliseconds since the epoch, or null when no day, or no day of the calendar, is given. */
function dayOf(value: string): number | null {
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

/** Returns the address of a list with these changes. */
export function addressOf({ values }: Pick<Ask, 'values'>, changes: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = { ...values, ...changes };
  const given = Object.entries(all).filter(([name, value]) => value !== '' || name === 'state');
  return `/mails?${new URLSearchParams(given)}`;
}
