/** The entry of a run in the index: a row to show, and the facts by which it is found. Pure: the same ledger always gives the same row. */
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

/** The kinds of facts by which a run can be searched. `address` and `domain` are of senders and recipients. */
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
  /** Milliseconds of each stage of the newest attempt, all its calls together. Missing in rows of an earlier version. */
  readonly stages?: Readonly<Partial<Record<Writer, number>>>;
  /** The use that all attempts made of the services that analyse. Missing in rows of an earlier version. */
  readonly spent?: Spent;
  /** Each time that it was held, the first in front, also when it was released or deleted since. Missing in rows of an earlier version. */
  readonly holds?: readonly Hold[];
}

export interface Spent {
  /** Analyses that it sent, those that another run had sent or had the report of, and those that the budget had no room for. */
  readonly sent: number;
  readonly shared: number;
  readonly notAsked: number;
  /** Dollars for Step Functions and the functions of the stages, by list price; on one machine, what they would cost on AWS. */
  readonly usd: number;
}

/** The use of two together. */
export const spentTogether = (one: Spent, other: Spent): Spent => ({
  sent: one.sent + other.sent,
  shared: one.shared + other.shared,
  notAsked: one.notAsked + other.notAsked,
  usd: Number((one.usd + other.usd).toFixed(9)),
});

/** True when the first row tells of a later attempt than the second, or of the end of the same. */
export function isLater(one: RunRow, other: RunRow): boolean {
  if (one.attempt !== other.attempt) return one.attempt > other.attempt;
  return one.endedAt !== null && other.endedAt === null;
}

/** A row with the facts by which it is found. */
export interface IndexedRun {
  readonly row: RunRow;
  readonly facts: readonly Fact[];
}

const SHOWN = 200;
/** A subject of a megabyte is not searched for words. */
const SEARCHED = 10_000;
/** A message may have a thousand recipients. */
const MOST_RECIPIENTS = 200;
const MOST_WORDS = 50;
/** A newsletter has hundreds of links, each of them its own. */
const MOST_URLS = 50;

/** The entry of this ledger in the index; `earlier` are those of the attempts before it. */
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

/** The subject; of a file that came without a mail, its name. */
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
  // A later attempt may begin with what `parse` read for an earlier one. A delete runs no stage.
  const begun = Date.parse(ledger.attempt.begunAt);
  const isFirst = ledger.attempt.number === FIRST_ATTEMPT;
  const stages = ledger.stages.filter(({ startedAt }) => isFirst || Date.parse(startedAt) >= begun);
  const usd = stages.some(({ stage }) => stage !== 'review') ? runCostUsd({ stages, polls: ledger.polls }) : 0;
  return { sent: all.length - notAsked - shared, shared, notAsked, usd: Number(usd.toFixed(9)) };
}

function factsOf(row: RunRow, ledger: Ledger): Fact[] {
  const { envelope } = ledger.intake;
  const senders = [...addressesIn(ledger.message?.untrustedFrom ?? ''), ...addressesIn(envelope?.sender ?? '')];
  const named = (envelope?.recipients ?? []).slice(0, MOST_RECIPIENTS).map(normalFact);
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
    word: wordsIn(titleOf(ledger)).slice(0, MOST_WORDS),
    'message-id': messageIdIn(ledger.message?.untrustedMessageId ?? ''),
    hash: hashesOf(ledger),
    host: hostsOf(ledger),
    url: linksOf(ledger)
      .slice(0, MOST_URLS)
      .map(({ id }) => hashOf(id)),
  };
  return FACT_KINDS.flatMap((kind) => [...new Set(values[kind])].map((value) => ({ kind, value })));
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

/** The hashes of the object that came in, of every file in it, and of the delivered form of each. */
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
