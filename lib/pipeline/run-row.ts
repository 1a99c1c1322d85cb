/** What the index keeps of a run: a row to show, and the facts by which it is found. Pure: the same ledger always gives the same row. */
import { parseUrl } from '../formats/urls/parse-url.ts';
import { leavesOf } from './artifacts-of.ts';
import type { Ledger } from './ledger.ts';
import { DISPOSITIONS, type Disposition } from './model.ts';
import { inertText } from './safe-text.ts';

/** What a run can be searched by. `address` and `domain` are of senders and recipients. */
export const FACT_KINDS = [
  'reference',
  'state',
  'reason',
  'sender',
  'recipient',
  'address',
  'domain',
  'word',
  'message-id',
  'hash',
  'host',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export interface Fact {
  readonly kind: FactKind;
  readonly value: string;
}

/** `running` also for a run whose process was killed. */
export type RunState = 'running' | 'delivered' | 'quarantined' | 'deleted';
export const RUN_STATES: readonly RunState[] = ['running', 'delivered', 'quarantined', 'deleted'];

/** One run in the index. Every text of a sender was cut, and nothing in it acts or becomes a link. */
export interface RunRow {
  readonly runId: string;
  readonly reference: string;
  readonly attempt: number;
  readonly state: RunState;
  readonly reasons: readonly string[];
  /** Milliseconds since the epoch. */
  readonly bornAt: number;
  /** Milliseconds since the epoch; null until the run has ended. */
  readonly endedAt: number | null;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  /** Bytes of what came in; null when they were not counted. */
  readonly size: number | null;
  /** How many parts of the message were kept, disarmed and removed. */
  readonly parts: Readonly<Record<Disposition, number>>;
}

/** A row with the facts by which it is found. */
export interface IndexedRun {
  readonly row: RunRow;
  readonly facts: readonly Fact[];
}

const SHOWN = 200;
/** A header of a megabyte is not searched for addresses or words. */
const SEARCHED = 10_000;
const MOST_ADDRESSES = 200;
const MOST_WORDS = 50;
const LONGEST_FACT = 250;

/** What the index keeps of this ledger. */
export function indexedRun(ledger: Ledger): IndexedRun {
  const { message, terminal } = ledger;
  const row: RunRow = {
    runId: ledger.runId,
    reference: referenceOf(ledger.runId),
    attempt: ledger.attempt.number,
    state: terminal?.state ?? 'running',
    reasons: [...new Set(ledger.reasons.map(({ code }) => code))],
    bornAt: Date.parse(ledger.bornAt),
    endedAt: terminal ? Date.parse(terminal.at) : null,
    from: inertText(message?.untrustedFrom ?? '', SHOWN),
    to: inertText(message?.untrustedTo ?? '', SHOWN),
    subject: inertText(titleOf(ledger), SHOWN),
    messageId: inertText(message?.untrustedMessageId ?? '', SHOWN),
    size: ledger.intake.size,
    parts: countsOf(ledger),
  };
  return { row, facts: factsOf(row, ledger) };
}

/** The subject; of a file that came without a mail, its name. */
function titleOf({ kind, message, parts }: Ledger): string {
  return (kind === 'file' ? parts[0]?.untrustedNames[0] : message?.untrustedSubject) ?? '';
}

/** Crockford's alphabet: no letter that is mistaken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The reference that people quote, made from the id of the run: `A7-4KQ9`. Two runs of a million may share one, so a search by it can
 * find several.
 */
export function referenceOf(runId: string): string {
  const bits = Number.parseInt(runId.slice(0, 8), 16) >>> 2;
  const letters = [25, 20, 15, 10, 5, 0].map((shift) => ALPHABET[(bits >>> shift) & 31]).join('');
  return `${letters.slice(0, 2)}-${letters.slice(2)}`;
}

function countsOf(ledger: Ledger): RunRow['parts'] {
  const leaves = leavesOf(ledger);
  const count = (disposition: Disposition) => leaves.filter(({ part }) => part.disposition === disposition).length;
  return Object.fromEntries(DISPOSITIONS.map((name) => [name, count(name)])) as Record<Disposition, number>;
}

function factsOf(row: RunRow, ledger: Ledger): Fact[] {
  const senders = addressesIn(ledger.message?.untrustedFrom ?? '');
  const recipients = addressesIn(ledger.message?.untrustedTo ?? '');
  const addresses = [...senders, ...recipients];
  const values: Readonly<Record<FactKind, readonly string[]>> = {
    reference: [row.reference],
    state: [row.state],
    reason: row.reasons,
    sender: senders,
    recipient: recipients,
    address: addresses,
    domain: addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)),
    word: wordsIn(titleOf(ledger)).slice(0, MOST_WORDS),
    'message-id': messageIdIn(ledger.message?.untrustedMessageId ?? ''),
    hash: hashesOf(ledger),
    host: hostsOf(ledger),
  };
  return FACT_KINDS.flatMap((kind) => [...new Set(values[kind])].map((value) => ({ kind, value })));
}

function addressesIn(untrusted: string): string[] {
  const found = untrusted.slice(0, SEARCHED).match(/[^\s<>,;:"'()[\]@]{1,64}@[^\s<>,;:"'()[\]@]{1,180}/g) ?? [];
  return found.slice(0, MOST_ADDRESSES).map((address) => normalFact(address));
}

/** The words of a subject in the form that a search compares: any letters and digits, without case. */
export function wordsIn(untrusted: string): string[] {
  const words =
    untrusted
      .slice(0, SEARCHED)
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => normalFact(word));
}

function messageIdIn(untrusted: string): string[] {
  const id = untrusted.slice(0, SEARCHED).trim().replace(/^<|>$/g, '');
  return id === '' ? [] : [normalFact(id)];
}

/** A value as it is compared: without case, and cut. */
export function normalFact(value: string): string {
  return value.slice(0, LONGEST_FACT).normalize('NFKC').toLowerCase().slice(0, LONGEST_FACT);
}

/** Of what came in, of every file in it, and of what was delivered of each. */
function hashesOf({ sha256, parts }: Ledger): string[] {
  const all = [sha256, ...parts.flatMap((part) => [part.sha256, part.delivered?.sha256 ?? null])];
  return all.filter((hash) => hash !== null);
}

function hostsOf({ urls }: Ledger): string[] {
  return urls
    .flatMap(({ normalised, unwrapped }) => [normalised, ...unwrapped])
    .flatMap((url) => parseUrl(url)?.hostname || [])
    .map((host) => normalFact(host));
}
