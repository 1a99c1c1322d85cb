/**
 * Reports delivered mail with a file that nobody should have, by an event, and by mail to its recipients. A file is bad when it is known to
 * be worse now, or when people have blocked it since. A recipient who could not be told is told when the file is met again.
 */

import { mapBounded } from '../bounded.ts';
import { readLedger } from '../chain/ledger-store.ts';
import type { StoreContext } from '../context.ts';
import { isLostRecord, NotFoundError } from '../errors.ts';
import { keys, sha256Hex } from '../keys.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import { tellable } from '../ledger/dropped.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import type { RunPage, Runs } from '../ports.ts';
import type { Blocking } from '../review/block-list.ts';
import { type BadFile, type RecallEvent, recallEvent } from './event.ts';
import { isForRecipients, mailRecipients, type RecallMails } from './mail.ts';
import { wayOut } from './recall.ts';
import { worseOfFile } from './worse.ts';

export interface NotifyContext extends StoreContext {
  readonly policy: Policy;
  readonly runs: Pick<Runs, 'list'>;
  /** Emits the event; null when there is no listener. */
  readonly emitRecalled: ((event: RecallEvent) => Promise<void>) | null;
}

/** The number of runs that an event reported, of told recipients, and of recipients who must still be told. */
export interface Notified {
  readonly recalled: number;
  readonly mailed: number;
  readonly unmailed: number;
}

/** The selection of mail to report, and its limits. */
export interface NotifyScope {
  /** Mail that came in at this time or later, in milliseconds since the epoch; null for all. */
  readonly since: number | null;
  /** The way to recipients; null when they are not told. */
  readonly mails: RecallMails | null;
}

/** The sources of bad files. */
export interface BadFiles {
  /** Returns the files that people have blocked. Throws CorruptDataError when the trail was changed. */
  readonly blocks: () => Promise<readonly Blocking[]>;
  /** Returns the hashes of files that were noted to be worse. */
  readonly worseFiles: () => Promise<readonly string[]>;
}

const [PAGE, AT_ONCE] = [50, 16];

/**
 * Reports each file that people have blocked. Also reports malicious files once more, because somebody may not have been told yet. Nobody
 * is told the same twice. The order changes with `seed`, so that no file is always the last when `isOver` ends the work.
 */
export async function notifyAboutAll(
  ctx: NotifyContext,
  { blocks, worseFiles }: BadFiles,
  scope: NotifyScope,
  { seed, isOver }: { readonly seed: string; readonly isOver: () => boolean },
): Promise<Notified> {
  const blocked = (await blocks()).filter(({ block }) => block.kind === 'file').map(blockedFile);
  const noted = scope.mails === null ? [] : await worseFiles();
  const all: { readonly sha256: string; readonly blocked: BadFile | null }[] = [
    ...blocked.map((file) => ({ sha256: file.sha256, blocked: file })),
    ...noted.map((sha256) => ({ sha256, blocked: null })),
  ];
  const placeOf = ({ sha256 }: { readonly sha256: string }) => sha256Hex(`${seed} ${sha256}`);
  all.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  const told = await mapBounded(all, AT_ONCE, async (each) => {
    if (isOver()) return NOBODY;
    const bad = each.blocked ?? (await malicious(ctx, each.sha256));
    return bad === null ? NOBODY : notifyAbout(ctx, bad, scope);
  });
  return told.reduce(sumOf, NOBODY);
}

function blockedFile({ block, record }: Blocking): BadFile {
  const at = record.people[0]?.at ?? new Date(0).toISOString();
  return { cause: 'blocked', sha256: block.value, before: null, after: null, untrustedReasons: [], at };
}

async function malicious(ctx: NotifyContext, sha256: string): Promise<BadFile | null> {
  const worse = await worseOfFile(ctx, sha256);
  return worse?.after === 'malicious' ? { cause: 'worse', ...worse } : null;
}

/** Reports each run that delivered the file. Throws TransientError when a store does not answer. */
export async function notifyAbout(ctx: NotifyContext, bad: BadFile, scope: NotifyScope): Promise<Notified> {
  const facts = [
    { kind: 'hash', value: bad.sha256 },
    { kind: 'state', value: 'delivered' },
  ] as const;
  let [sum, after]: [Notified, string | null] = [NOBODY, null];
  do {
    const page: RunPage = await ctx.runs.list({ facts, since: scope.since, until: null, after, most: PAGE });
    for (const { runId } of page.rows) sum = sumOf(sum, await notify(ctx, runId, bad, scope.mails));
    after = page.next;
  } while (after !== null);
  return sum;
}

/** Emits an event, once for a run and a file, and sends mail to the recipients whom the way out still allows. */
async function notify(ctx: NotifyContext, runId: string, bad: BadFile, mails: RecallMails | null): Promise<Notified> {
  const { blobs, emitRecalled } = ctx;
  const key = keys.recalledFile(runId, bad.sha256);
  const isNotified = emitRecalled === null || (await blobs.has('work', key));
  const isMailed = mails === null || !isForRecipients({ ...bad, delivered: 'keep' });
  if (isNotified && (isMailed || (await blobs.has('work', keys.recallMailed(runId))))) return NOBODY;
  const found = await ledgerOrNull(ctx, runId);
  const ledger = found && tellable(found);
  const file = ledger?.artifacts.find(({ type, id }) => type === 'file' && hashOf(id) === bad.sha256);
  const isOut = ledger?.terminal?.state === 'delivered';
  const delivered = ledger && file && isOut ? wayOut(ledger, file) : null;
  if (ledger === null || !file || delivered === null || isReleasedSince(ledger, bad)) return NOBODY;
  if (!isNotified) {
    await emitRecalled(recallEvent(ledger, { ...bad, judged: file.verdict, delivered }));
    await blobs.put('work', key, new TextEncoder().encode(bad.at));
  }
  const isForMail = mails !== null && isForRecipients({ ...bad, delivered });
  const { sent, unsent } = isForMail ? await mailRecipients(ctx, mails, ledger) : { sent: 0, unsent: 0 };
  return { recalled: isNotified ? 0 : 1, mailed: sent, unmailed: unsent };
}

/** Returns true when the person who released the message knew of the file, and wanted its recipient to have it. */
const isReleasedSince = ({ attempt }: Ledger, { at }: BadFile): boolean =>
  attempt.release !== undefined && Date.parse(attempt.begunAt) >= Date.parse(at);

async function ledgerOrNull(ctx: NotifyContext, runId: string): Promise<Ledger | null> {
  try {
    return await readLedger(ctx, runId);
  } catch (error) {
    if (isLostRecord(error) || error instanceof NotFoundError) return null;
    throw error;
  }
}

/** The result when nobody was told. */
export const NOBODY: Notified = { recalled: 0, mailed: 0, unmailed: 0 };

/** Adds up the numbers of two calls. */
export const sumOf = (one: Notified, other: Notified): Notified => ({
  recalled: one.recalled + other.recalled,
  mailed: one.mailed + other.mailed,
  unmailed: one.unmailed + other.unmailed,
});
