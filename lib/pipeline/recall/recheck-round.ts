/**
 * One round of rechecks, which ends with its time. The files of delivered mail are analysed again, several at once, each once a day. Runs
 * that delivered a file that is worse now are reported. The first round of a day begins with blocked files, and with recipients who must
 * still be told.
 */

import { mapBounded } from '../bounded.ts';
import type { AnalysisContext } from '../context.ts';
import { keys } from '../keys.ts';
import type { FileArtifact } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import { placeOfRow, placeText } from '../runs/place.ts';
import {
  type BadFiles,
  NOBODY,
  type Notified,
  type NotifyContext,
  type NotifyScope,
  notifyAbout,
  notifyAboutAll,
  sumOf,
} from './notify.ts';
import { type DeliveredRun, deliveredRuns } from './recall.ts';
import { type Pause, type Rechecked, recheckedFiles, recheckFile } from './recheck.ts';
import type { SendingParts } from './send-once.ts';
import type { Worse } from './worse.ts';

export interface RoundContext extends AnalysisContext, NotifyContext, BadFiles {
  readonly pause: Pause;
  /** Seconds after which the round stops waiting for an answer about one file. */
  readonly patienceSeconds: number;
  /** The way to recipients; null when they are not told. */
  readonly sending: SendingParts | null;
  /** Returns true when the time of this round is up. */
  readonly isOver: () => boolean;
}

/** The beginning of a round, and its remaining work. */
export interface RoundRequest {
  /** The day, such as `2026-11-23`, in UTC. A file that was checked on that day is not checked again. */
  readonly day: string;
  /** Mail that came in at this time or later, in milliseconds since the epoch. */
  readonly since: number;
  /** The end of the earlier round; null for the newest mail. */
  readonly after: string | null;
  /** The most files to check. With 0, people are only told of known results. */
  readonly budget: number;
  /** The most mails to recipients. */
  readonly mails: number;
}

export interface Round {
  readonly counts: Readonly<Record<Rechecked['outcome'], number>> & Notified;
  readonly worse: readonly Worse[];
  /** The next round; null when nothing is left. */
  readonly next: RoundRequest | null;
}

/** The number of files that are checked at the same time. */
const AT_ONCE = 16;

interface Open {
  readonly runId: string;
  readonly file: FileArtifact;
}

/** Checks delivered files again, the newest first. Throws TransientError when a store does not answer. */
export async function recheckRound(ctx: RoundContext, request: RoundRequest): Promise<Round> {
  const counts = { same: 0, worse: 0, unanswered: 0, unreadable: 0 };
  const mails = ctx.sending && { sending: ctx.sending, left: request.mails, met: new Set<string>() };
  const scope: NotifyScope = { since: null, mails };
  const worse: Worse[] = [];
  const known = new Set<string>();
  let [open, left]: [Open[], number] = [[], request.budget];
  let told =
    request.after === null ? await notifyAboutAll(ctx, ctx, scope, { seed: request.day, isOver: ctx.isOver }) : NOBODY;
  const askAll = async () => {
    for (const each of await mapBounded(open, AT_ONCE, (one) => askAbout(ctx, request.day, one, scope))) {
      counts[each.checked.outcome] += 1;
      told = sumOf(told, each.told);
      if (each.checked.worse !== null) worse.push(each.checked.worse);
    }
    open = [];
  };
  const range = { since: request.since, most: Number.POSITIVE_INFINITY, after: request.after };
  for await (const delivered of left === 0 ? [] : deliveredRuns(ctx, ctx.runs, range)) {
    if (delivered.ledger === null) counts.unreadable += 1;
    const found = (await openFiles(ctx, request.day, delivered, known)).slice(0, left);
    open.push(...found);
    left -= found.length;
    if (open.length < AT_ONCE && left > 0) continue;
    await askAll();
    if (left === 0) break;
    if (ctx.isOver()) {
      const rest = { after: placeText(placeOfRow(delivered.row)), budget: left, mails: mails?.left ?? 0 };
      return { counts: { ...counts, ...told }, worse, next: { ...request, ...rest } };
    }
  }
  await askAll();
  return { counts: { ...counts, ...told }, worse, next: null };
}

/** Returns the files of a run that were not checked on this day. */
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

/** Checks a file. The note about it is written last, so a repeated round checks the unfinished files again. */
async function askAbout(ctx: RoundContext, day: string, { runId, file }: Open, scope: NotifyScope) {
  const checked = await recheckFile(ctx, runId, file, ctx.pause, ctx.patienceSeconds);
  const { worse } = checked;
  const told = worse === null ? NOBODY : await notifyAbout(ctx, { cause: 'worse', ...worse }, scope);
  await ctx.blobs.put('work', keys.rechecked(day, hashOf(file.id)), new Uint8Array());
  return { checked, told };
}
