/** The digests of a day: the recipients of ours with held mail on that day, and the mail that tells each of them. */

import { mapBounded } from '../../pipeline/bounded.ts';
import { isLostRecord } from '../../pipeline/errors.ts';
import { sha256Hex } from '../../pipeline/keys.ts';
import { type TellableLedger, tellable } from '../../pipeline/ledger/dropped.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Policy } from '../../pipeline/policy/policy.ts';
import type { Runs } from '../../pipeline/ports.ts';
import { ownRecipients } from '../../pipeline/rebuilding/notice.ts';
import { helpOf, languageOfAddress, whyHeld } from '../../pipeline/rebuilding/recipient-texts.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';
import { inertText } from '../../pipeline/safe-text.ts';
import { type DigestItem, digestEmail } from '../../words/digest.ts';
import { cameInAt } from '../arrival-time.ts';
import type { LinkSigner } from './links.ts';

/** The parts that are needed to write digests. */
export interface DigestParts {
  readonly runs: Pick<Runs, 'list'>;
  /** Returns the ledger of a run, or null when there is no such run. Throws CorruptDataError when its chain was changed. */
  readonly ledgerOf: (runId: string) => Promise<Ledger | null>;
  readonly policy: Policy;
  readonly links: Pick<LinkSigner, 'sign'>;
  /** The address of the pages of recipients: `https://airlock.example`. */
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
  /** The place among the digests of its day. */
  readonly place: string;
  /** Written on request, because a day may have many thousands. */
  readonly email: string;
}

/** The digests of a day, in an order that changes every day, so that nobody can make himself always the first. */
export interface Digests {
  readonly digests: readonly Digest[];
  /** Runs that are held and in no digest, because their record is damaged or gone. */
  readonly unreadable: readonly string[];
}

const DAY_MS = 86_400_000;
/** A run that takes longer has a deadline and ended, so earlier mail was in an earlier digest. */
const MAX_RUN_MS = 2 * DAY_MS;
const PAGE = 200;
const READ_AT_ONCE = 20;
const MAX_ITEMS = 100;
const SHOWN_LENGTH = 200;
/** Recipients of one message who are informed: as many as its envelope may name. */
const MAX_RECIPIENTS = 1_000;

/** Held messages to one recipient: the first ones with their words, and how many there are. */
interface Held {
  readonly items: DigestItem[];
  count: number;
}

/** Returns the digests of a day, such as `2026-11-23` (UTC): mail that was held on it and still is. */
export async function digestsOf(parts: DigestParts, day: string): Promise<Digests> {
  const start = Date.parse(`${day}T00:00:00Z`);
  const byRecipient = new Map<string, Held>();
  const unreadable: string[] = [];
  for await (const rows of heldOn(parts, start)) {
    const ledgers = await mapBounded(rows, READ_AT_ONCE, (row) => ledgerOrNull(parts, row));
    for (const [at, row] of rows.entries()) {
      const ledger = ledgers[at] ?? null;
      if (ledger === null) unreadable.push(row.runId);
      else if (ledger.terminal?.state === 'quarantined') addTo(byRecipient, parts, tellable(ledger));
    }
  }
  const digests = [...byRecipient].map(([recipient, held]) => digestFor(parts, day, recipient, held));
  return { digests: digests.sort((one, other) => (one.place < other.place ? -1 : 1)), unreadable };
}

/** Reads a ledger, and keeps only the facts for a digest, because ledgers are large and a day may have many. */
function addTo(byRecipient: Map<string, Held>, parts: DigestParts, ledger: TellableLedger | null): void {
  if (ledger === null) return;
  for (const recipient of ownRecipients(parts.policy, ledger, MAX_RECIPIENTS)) {
    const held = byRecipient.get(recipient) ?? { items: [], count: 0 };
    held.count += 1;
    if (held.items.length < MAX_ITEMS) held.items.push(itemOf(parts, recipient, ledger));
    byRecipient.set(recipient, held);
  }
}

/** Returns the facts of a chain, or null when it was changed, or lost the entry of its end. Then it says nothing about its recipients. */
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

/** Returns runs that were put into quarantine on this day and are in the index, by pages. */
async function* heldOn({ runs }: DigestParts, start: number): AsyncGenerator<RunRow[]> {
  const facts = [{ kind: 'state', value: 'quarantined' }] as const;
  const [since, until] = [start - MAX_RUN_MS, start + DAY_MS];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Runs['list']>> = await runs.list({ facts, since, until, after, most: PAGE });
    yield page.rows.filter(({ endedAt }) => endedAt !== null && endedAt >= start && endedAt < until);
    after = page.next;
  } while (after !== null);
}

function digestFor(parts: DigestParts, day: string, recipient: string, { items, count }: Held): Digest {
  const { policy, now } = parts;
  const place = sha256Hex(`${day} ${recipient}`);
  return {
    ...{ recipient, recipientHash: sha256Hex(recipient), held: count, place },
    get email() {
      return digestEmail({
        language: languageOfAddress(policy, recipient),
        from: policy.notices.from,
        to: recipient,
        day,
        until: new Date(expiryOf(parts) * 1000).toISOString().slice(0, 10),
        items,
        unlisted: count - items.length,
        help: helpOf(policy),
        id: place.slice(0, 32),
        at: new Date(now),
      });
    },
  };
}

/** Returns seconds since the epoch. */
const expiryOf = ({ now, linkDays }: DigestParts) => Math.floor(now / 1000) + linkDays * (DAY_MS / 1000);

function itemOf(parts: DigestParts, recipient: string, ledger: Ledger): DigestItem {
  const { policy, links, origin } = parts;
  const shown = (untrusted: string | undefined) => inertText(untrusted ?? '', SHOWN_LENGTH);
  const { message, runId } = ledger;
  return {
    from: shown(message?.untrustedFrom),
    subject: shown(message?.untrustedSubject),
    date: cameInAt(ledger),
    why: whyHeld(languageOfAddress(policy, recipient), ledger),
    link: `${origin}/r/${links.sign({ runId, recipient, expiresAtSeconds: expiryOf(parts) })}`,
  };
}
