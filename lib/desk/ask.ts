/** The question of a list: the allowed filters in the address of a page, and their query of the index. */

import { mended } from '../formats/names/defanged.ts';
import { normalFact } from '../pipeline/ledger/header-addresses.ts';
import type { RunQuery } from '../pipeline/ports.ts';
import { REASON_CODES } from '../pipeline/reason-codes.ts';
import { type Fact, type FactKind, RUN_STATES, wordsIn } from '../pipeline/runs/row.ts';
import { referenceIn } from '../words/reference.ts';

/** The names of filters in an address. */
export const FILTERS = ['state', 'reason', 'sender', 'recipient', 'words', 'hash', 'host', 'since', 'until'] as const;
export type Filter = (typeof FILTERS)[number];

/** One more name in the address of a list: the place where the page before ended. */
const AFTER = 'after';

/** The requested values: only allowed ones. */
export interface Ask {
  readonly values: Readonly<Record<Filter, string>>;
  readonly after: string | null;
  /**
   * Filters with an invalid value, and names in the address that are no filter or stand there twice. Nothing is listed then. Without the
   * filter, the list would show all other mail, and a person may delete it.
   */
  readonly wrong: readonly Filter[];
  readonly untrustedNames: readonly string[];
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

/** Reads the names and values of an address. Without a state, it means held mail. */
export function askOf(pairs: Iterable<readonly [string, string]>): Ask {
  const query = new Map<string, string>();
  const names = new Set<string>();
  for (const [name, value] of pairs) {
    if (query.has(name) || !isKnown(name)) names.add(name);
    else query.set(name, value);
  }
  const given = (name: Filter) => {
    const text = givenValue(query.get(name) ?? (name === 'state' ? 'quarantined' : ''));
    return PASTED.has(name) ? mended(text) : text;
  };
  const wrong = FILTERS.filter((name) => !isOfItsKind(name, given(name)));
  const value = (name: Filter) => (wrong.includes(name) ? '' : given(name));
  const after = query.get(AFTER) ?? '';
  const values = Object.fromEntries(FILTERS.map((name) => [name, value(name)])) as Record<Filter, string>;
  return { values, after: /^\d{1,15}-[0-9a-f]{32}$/.test(after) ? after : null, wrong, untrustedNames: [...names] };
}

const isKnown = (name: string): boolean => name === AFTER || FILTERS.some((known) => known === name);

/** Returns false for a list of which nothing may be searched, because it would show more than was asked for. */
export const isClear = ({ wrong, untrustedNames }: Ask): boolean => wrong.length === 0 && untrustedNames.length === 0;

function isOfItsKind(name: Filter, value: string): boolean {
  if (value === '') return true;
  if (!GRAMMAR[name].test(value)) return false;
  // Signs alone are in no index: a search for `*` would be a search for everything.
  if (name === 'words') return referenceIn(value) !== null || wordsIn(value).length > 0;
  return name !== 'since' && name !== 'until' ? true : dayOf(value) !== null;
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
