/** The digests of a day: which recipients of ours had mail held on it, and the mail that tells each of them. */

import { isLostRecord } from '../pipeline/errors.ts';
import { sha256Hex } from '../pipeline/keys.ts';
import type { Ledger } from '../pipeline/ledger.ts';
import { ownRecipients } from '../pipeline/notice.ts';
import type { Policy } from '../pipeline/policy.ts';
import type { Runs } from '../pipeline/ports.ts';
import type { RunRow } from '../pipeline/run-row.ts';
import { inertText } from '../pipeline/safe-text.ts';
import { helpOf, languageOfAddress, whyHeld } from '../pipeline/told.ts';
import { type DigestItem, digestEmail } from '../words/digest.ts';
import { cameInAt } from './came-in.ts';
import type { Links } from './links.ts';

/** The parts that are needed to write digests. */
export interface DigestParts {
  readonly runs: Pick<Runs, 'list'>;
  /** Null when there is no such run; throws CorruptDataError when its chain was changed. */
  readonly ledgerOf: (runId: string) => Promise<Ledger | null>;
  readonly policy: Policy;
  readonly links: Links;
  /** Where the pages of recipients are: `https://airlock.example`. */
  readonly origin: string;
  readonly linkDays: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One mail to one recipient. */
export interface Digest {
  readonly recipient: string;
  readonly recipientHash: string;
  readonly held: number;
  readonly email: string;
}

/** The digests of a day, sorted by recipient. */
export interface Digests {
  readonly digests: readonly Digest[];
  /** Runs that are held and in no digest, because their record is damaged or gone. */
  readonly unreadable: readonly string[];
}

const DAY_MS = 86_400_000;
/** A run that takes longer has a deadline behind it and ended, so what came in earlier was in an earlier digest. */
const LONGEST_RUN_MS = 2 * DAY_MS;
const PAGE = 200;
const MOST_ITEMS = 100;
const SHOWN_LENGTH = 200;

/** The digests of a day, such as `2026-11-23` (UTC): mail that was held on it and still is. */
export async function digestsOf(parts: DigestParts, day: string): Promise<Digests> {
  const start = Date.parse(`${day}T00:00:00Z`);
  const byRecipient = new Map<string, Ledger[]>();
  const unreadable: string[] = [];
  for await (const row of heldOn(parts, start)) {
    const ledger = await ledgerOrNull(parts, row);
    if (ledger === null) unreadable.push(row.runId);
    else if (ledger.terminal?.state === 'quarantined')
      for (const recipient of ownRecipients(parts.policy, ledger))
        byRecipient.set(recipient, [...(byRecipient.get(recipient) ?? []), ledger]);
  }
  const digests = [...byRecipient]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([recipient, ledgers]) => digestFor(parts, day, recipient, ledgers));
  return { digests, unreadable };
}

/** Null for a chain that was changed, or that lost the entry of its end. It says nothing about its recipients. */
async function ledgerOrNull({ ledgerOf }: DigestParts, { runId, attempt }: RunRow): Promise<Ledger | null> {
  try {
    const ledger = await ledgerOf(runId);
    const isCut = ledger?.terminal === null && ledger.attempt.number <= attempt;
    return isCut ? null : ledger;
  } catch (error) {
    if (isLostRecord(error)) return null;
    throw error;
  }
}

/** Runs that were put into quarantine on this day and are there in the index. */
async function* heldOn({ runs }: DigestParts, start: number): AsyncGenerator<RunRow> {
  const facts = [{ kind: 'state', value: 'quarantined' }] as const;
  const [since, until] = [start - LONGEST_RUN_MS, start + DAY_MS];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Runs['list']>> = await runs.list({ facts, since, until, after, most: PAGE });
    for (const row of page.rows) if (row.endedAt !== null && row.endedAt >= start && row.endedAt < until) yield row;
    after = page.next;
  } while (after !== null);
}

function digestFor(parts: DigestParts, day: string, recipient: string, ledgers: readonly Ledger[]): Digest {
  const { policy, linkDays, now } = parts;
  const expiresAtSeconds = Math.floor(now / 1000) + linkDays * (DAY_MS / 1000);
  const recipientHash = sha256Hex(recipient);
  const email = digestEmail({
    language: languageOfAddress(policy, recipient),
    from: policy.notices.from,
    to: recipient,
    day,
    until: new Date(expiresAtSeconds * 1000).toISOString().slice(0, 10),
    items: ledgers.slice(0, MOST_ITEMS).map((ledger) => itemOf(parts, recipient, expiresAtSeconds, ledger)),
    unlisted: Math.max(0, ledgers.length - MOST_ITEMS),
    help: helpOf(policy),
    id: sha256Hex(`${day} ${recipient}`).slice(0, 32),
    at: new Date(now),
  });
  return { recipient, recipientHash, held: ledgers.length, email };
}

function itemOf(
  { policy, links, origin }: DigestParts,
  recipient: string,
  expiresAtSeconds: number,
  ledger: Ledger,
): DigestItem {
  const shown = (untrusted: string | undefined) => inertText(untrusted ?? '', SHOWN_LENGTH);
  const { message, runId } = ledger;
  return {
    from: shown(message?.untrustedFrom),
    subject: shown(message?.untrustedSubject),
    date: cameInAt(ledger),
    why: whyHeld(languageOfAddress(policy, recipient), ledger),
    link: `${origin}/r/${links.sign({ runId, recipient, expiresAtSeconds })}`,
  };
}
