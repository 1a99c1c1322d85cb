/**
 * One round of rechecks, as long as its time lasts: the files of delivered mail are asked about again, several at once, each once a day. Who delivered
 * one that is worse now is told of.
 */

import type { FileArtifact } from './artifact.ts';
import { hashOf } from './artifact-id.ts';
import { mapBounded } from './bounded.ts';
import type { AnalysisContext } from './context.ts';
import { isLostRecord, NotFoundError } from './errors.ts';
import { keys } from './keys.ts';
import { readLedger } from './ledger-store.ts';
import type { RunPage, Runs } from './ports.ts';
import { type DeliveredRun, deliveredRuns, wayOut } from './recall.ts';
import { type RecallEvent, recallEvent } from './recall-event.ts';
import { isForRecipients, type Mailed, mailRecipients, type RecallMails } from './recall-mail.ts';
import { type Pause, type Rechecked, recheckedFiles, recheckFile } from './recheck.ts';
import { placeOfRow, placeText } from './run-place.ts';
import type { SendingParts } from './send-once.ts';
import type { Worse } from './worse.ts';

export interface RoundContext extends AnalysisContext {
  readonly runs: Pick<Runs, 'list'>;
  /** Tells whoever listens. */
  readonly tellRecalled: (event: RecallEvent) => Promise<void>;
  readonly pause: Pause;
  /** Seconds after which nobody waits for an answer about one file any more. */
  readonly patienceSeconds: number;
  /** The way to recipients; null when they are not told. */
  readonly sending: SendingParts | null;
  /** True when the time of this round is up. */
  readonly isOver: () => boolean;
}

/** Where a round begins, and how much of it is left. */
export interface RoundRequest {
  /** Such as `2026-11-23`, in UTC: what was asked on that day is not asked again. */
  readonly day: string;
  /** Mail that came in at this time or later, milliseconds since the epoch. */
  readonly since: number;
  /** Where the round before ended; null for the newest mail. */
  readonly after: string | null;
  /** Different files to ask about at most. */
  readonly budget: number;
  /** Mails to recipients at most. */
  readonly mails: number;
}

export interface Round {
  readonly counts: Readonly<Record<Rechecked['outcome'] | 'recalled' | 'mailed' | 'unmailed', number>>;
  readonly worse: readonly Worse[];
  /** The round behind this one; null when nothing is left. */
  readonly next: RoundRequest | null;
}

/** Files that are asked about at the same time. */
const AT_ONCE = 16;
const PAGE = 50;

interface Open {
  readonly runId: string;
  readonly file: FileArtifact;
}

/** Asks about delivered files, the newest first. Throws TransientError when a store does not answer. */
export async function recheckRound(ctx: RoundContext, request: RoundRequest): Promise<Round> {
  const counts = { same: 0, worse: 0, unanswered: 0, unreadable: 0, recalled: 0, mailed: 0, unmailed: 0 };
  const mails = ctx.sending && { sending: ctx.sending, left: request.mails };
  const worse: Worse[] = [];
  const known = new Set<string>();
  let [open, left]: [Open[], number] = [[], request.budget];
  const askAll = async () => {
    const asked = await mapBounded(open, AT_ONCE, (one) => askAbout(ctx, request.day, one, mails));
    for (const { checked, told } of asked) {
      counts[checked.outcome] += 1;
      for (const name of TOLD) counts[name] += told[name];
      if (checked.worse !== null) worse.push(checked.worse);
    }
    open = [];
  };
  const range = { since: request.since, most: Number.POSITIVE_INFINITY, after: request.after };
  for await (const delivered of deliveredRuns(ctx, ctx.runs, range)) {
    if (delivered.ledger === null) counts.unreadable += 1;
    const found = (await openFiles(ctx, request.day, delivered, known)).slice(0, left);
    open.push(...found);
    left -= found.length;
    if (open.length < AT_ONCE && left > 0) continue;
    await askAll();
    if (left === 0) break;
    if (ctx.isOver()) {
      const rest = { after: placeText(placeOfRow(delivered.row)), budget: left, mails: mails?.left ?? 0 };
      return { counts, worse, next: { ...request, ...rest } };
    }
  }
  await askAll();
  return { counts, worse, next: null };
}

/** The files of a run that nobody asked about on this day. */
async function openFiles(
  { blobs }: RoundContext,
  day: string,
  { row, ledger }: DeliveredRun,
  known: Set<string>,
): Promise<Open[]> {
  const found: Open[] = [];
  for (const file of ledger === null ? [] : recheckedFiles(ledger)) {
    const sha256 = hashOf(file.id);
    if (known.has(sha256)) continue;
    known.add(sha256);
    if (!(await blobs.has('work', keys.rechecked(day, sha256)))) found.push({ runId: row.runId, file });
  }
  return found;
}

const TOLD = ['recalled', 'mailed', 'unmailed'] as const;
/** Runs that an event told of, and recipients who have their mail or are still to get it. */
type Told = Readonly<Record<(typeof TOLD)[number], number>>;
const NOBODY: Told = { recalled: 0, mailed: 0, unmailed: 0 };

/** That it was asked is noted last, so a round that is repeated asks again about whatever it had not done. */
async function askAbout(ctx: RoundContext, day: string, { runId, file }: Open, mails: RecallMails | null) {
  const checked = await recheckFile(ctx, runId, file, ctx.pause, ctx.patienceSeconds);
  const told = checked.worse === null ? NOBODY : await tellOf(ctx, checked.worse, mails);
  await ctx.blobs.put('work', keys.rechecked(day, hashOf(file.id)), new Uint8Array());
  return { checked, told };
}

/** Tells of each run that delivered the file. */
async function tellOf(ctx: RoundContext, worse: Worse, mails: RecallMails | null): Promise<Told> {
  const facts = [
    { kind: 'hash', value: worse.sha256 },
    { kind: 'state', value: 'delivered' },
  ] as const;
  const sum = { ...NOBODY };
  let after: string | null = null;
  do {
    const page: RunPage = await ctx.runs.list({ facts, since: null, until: null, after, most: PAGE });
    for (const { runId } of page.rows) {
      const told = await tell(ctx, runId, worse, mails);
      for (const name of TOLD) sum[name] += told[name];
    }
    after = page.next;
  } while (after !== null);
  return sum;
}

/** Emits an event, once for a run and a file, and tells the recipients of whom the way out takes a mail. */
async function tell(ctx: RoundContext, runId: string, worse: Worse, mails: RecallMails | null): Promise<Told> {
  const key = keys.recalledFile(runId, worse.sha256);
  const isTold = await ctx.blobs.has('work', key);
  const isMailed = mails === null || (isTold && (mails.left === 0 || worse.after !== 'malicious'));
  if (isTold && isMailed) return NOBODY;
  const ledger = await readLedger(ctx, runId).catch((error: unknown) => {
    if (isLostRecord(error) || error instanceof NotFoundError) return null;
    throw error;
  });
  const file = ledger?.artifacts.find(({ type, id }) => type === 'file' && hashOf(id) === worse.sha256);
  const delivered = ledger && file && ledger.terminal?.state === 'delivered' ? wayOut(ledger, file) : null;
  if (ledger === null || delivered === null) return NOBODY;
  if (!isTold) {
    await ctx.tellRecalled(recallEvent(ledger, worse, delivered));
    await ctx.blobs.put('work', key, new TextEncoder().encode(worse.at));
  }
  const isHarmful = isForRecipients({ delivered, after: worse.after });
  const { sent, unsent } = mails !== null && isHarmful ? await mailRecipients(ctx, mails, ledger) : NO_MAIL;
  return { recalled: isTold ? 0 : 1, mailed: sent, unmailed: unsent };
}

const NO_MAIL: Mailed = { sent: 0, unsent: 0 };
