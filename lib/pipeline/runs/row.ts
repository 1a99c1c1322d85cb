/** The entry of a run in the index: a row to show, and the facts for searches. Pure: the same ledger always gives the same row. */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { earlierReferenceOf, referenceOf } from '../../words/reference.ts';
import { isNotAsked } from '../analysis/not-asked.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import { leavesOf, linksOf } from '../ledger/artifacts-of.ts';
import { FIRST_ATTEMPT } from '../ledger/attempt.ts';
import { recipientsText } from '../ledger/correspondents.ts';
import { addressesIn, normalFact } from '../ledger/header-addresses.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { DISPOSITIONS, type Disposition, type Writer } from '../model.ts';
import { runCostUsd } from '../results/run-cost.ts';
import { inertText } from '../safe-text.ts';
import { type Hold, holdsOf } from './hold.ts';

/** The kinds of facts for searches. `address` and `domain` belong to senders and recipients. */
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
  /** The hash of a whole link. */
  'url',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export interface Fact {
  readonly kind: FactKind;
  readonly value: string;
}

/** `running` also for a run whose process was killed. */
export type RunState = 'running' | 'delivered' | 'quarantined' | 'deleted';
export const RUN_STATES: readonly RunState[] = ['running', 'delivered', 'quarantined', 'deleted'];

/** One run in the index. Every text of a sender was cut, and no text in it acts or becomes a link. */
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
  /** Bytes of the incoming object; null when they were not counted. */
  readonly size: number | null;
  /** How many parts of the message were kept, disarmed and removed. */
  readonly parts: Readonly<Record<Disposition, number>>;
  /** Milliseconds of each stage of the newest attempt, all its calls together. Missing in rows of an earlier version. */
  readonly stages?: Readonly<Partial<Record<Writer, number>>>;
  /** The analyses and the money that all attempts used. Missing in rows of an earlier version. */
  readonly spent?: Spent;
  /** Each hold, the first in front, even if the mail was released or deleted since. Missing in rows of an earlier version. */
  readonly holds?: readonly Hold[];
}

export interface Spent {
  /** Analyses that it sent, analyses that another run had sent or known, and analyses without room in the budget. */
  readonly sent: number;
  readonly shared: number;
  readonly notAsked: number;
  /** Dollars for Step Functions and the functions of the stages, by list price. On one machine, the cost that they would have on AWS. */
  readonly usd: number;
}

/** Adds up two uses. */
export const spentTogether = (one: Spent, other: Spent): Spent => ({
  sent: one.sent + other.sent,
  shared: one.shared + other.shared,
  notAsked: one.notAsked + other.notAsked,
  usd: Number((one.usd + other.usd).toFixed(9)),
});

/** Returns true when the first row is of a later attempt than the second, or of the end of the same attempt. */
export function isLater(one: RunRow, other: RunRow): boolean {
  if (one.attempt !== other.attempt) return one.attempt > other.attempt;
  return one.endedAt !== null && other.endedAt === null;
}

/** A row with its facts for searches. */
export interface IndexedRun {
  readonly row: RunRow;
  readonly facts: readonly Fact[];
}

const SHOWN = 200;
/** A subject of a megabyte is not searched for words. */
const SEARCHED = 10_000;
/** A message may have a thousand recipients. */
const MAX_RECIPIENTS = 200;
const MAX_WORDS = 50;
/** The most links. A newsletter has hundreds of its own links. */
const MAX_URLS = 50;

/** Returns the entry of this ledger in the index; `earlier` are the entries of the attempts before it. */
export function indexedRun(ledger: Ledger, earlier: readonly Ledger[] = []): IndexedRun {
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
    to: inertText(recipientsText(ledger) ?? '', SHOWN),
    subject: inertText(titleOf(ledger), SHOWN),
    messageId: inertText(message?.untrustedMessageId ?? '', SHOWN),
    size: ledger.intake.size,
    parts: countsOf(ledger),
    stages: stagesOf(ledger),
    spent: [ledger, ...earlier].map(spentOf).reduce(spentTogether),
    holds: holdsOf([...earlier, ledger]),
  };
  return { row, facts: factsOf(row, ledger) };
}

/** Returns the subject. For a file without a mail, returns its name. */
function titleOf({ kind, message, parts }: Ledger): string {
  return (kind === 'file' ? parts[0]?.untrustedNames[0] : message?.untrustedSubject) ?? '';
}

function countsOf(ledger: Ledger): RunRow['parts'] {
  const leaves = leavesOf(ledger);
  const count = (disposition: Disposition) => leaves.filter(({ part }) => part.disposition === disposition).length;
  return Object.fromEntries(DISPOSITIONS.map((name) => [name, count(name)])) as Record<Disposition, number>;
}

function stagesOf({ stages }: Ledger): NonNullable<RunRow['stages']> {
  const took: Partial<Record<Writer, number>> = {};
  for (const { stage, durationMs } of stages) took[stage] = (took[stage] ?? 0) + Math.round(durationMs);
  return took;
}

function spentOf(ledger: Ledger): Spent {
  const all = ledger.artifacts.flatMap(({ submissions }) => submissions);
  const notAsked = all.filter(isNotAsked).length;
  const shared = all.filter(({ source }) => source !== 'submitted').length;
  // A later attempt may begin with the reading of an earlier one. A delete runs no stage.
  const begun = Date.parse(ledger.attempt.begunAt);
  const isFirst = ledger.attempt.number === FIRST_ATTEMPT;
  const stages = ledger.stages.filter(({ startedAt }) => isFirst || Date.parse(startedAt) >= begun);
  const usd = stages.some(({ stage }) => stage !== 'review') ? runCostUsd({ stages, polls: ledger.polls }) : 0;
  return { sent: all.length - notAsked - shared, shared, notAsked, usd: Number(usd.toFixed(9)) };
}

function factsOf(row: RunRow, ledger: Ledger): Fact[] {
  const { envelope } = ledger.intake;
  const senders = [...addressesIn(ledger.message?.untrustedFrom ?? ''), ...addressesIn(envelope?.sender ?? '')];
  const named = (envelope?.recipients ?? []).slice(0, MAX_RECIPIENTS).map(normalFact);
  const recipients = [...named, ...addressesIn(ledger.message?.untrustedTo ?? '')];
  const addresses = [...senders, ...recipients];
  const values: Readonly<Record<FactKind, readonly string[]>> = {
    reference: [row.reference, earlierReferenceOf(row.runId)],
    state: [row.state],
    reason: row.reasons,
    sender: senders,
    recipient: recipients,
    address: addresses,
    domain: addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)),
    word: wordsIn(titleOf(ledger)).slice(0, MAX_WORDS),
    'message-id': messageIdIn(ledger.message?.untrustedMessageId ?? ''),
    hash: hashesOf(ledger),
    host: hostsOf(ledger),
    url: linksOf(ledger)
      .slice(0, MAX_URLS)
      .map(({ id }) => hashOf(id)),
  };
  return FACT_KINDS.flatMap((kind) => [...new Set(values[kind])].map((value) => ({ kind, value })));
}

/** Returns the words of a subject in the form that a search compares: any letters and digits, without case. */
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

/** Returns the hashes of the incoming object, of every file in it, and of the delivered form of each. */
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
