/**
 * One round of rechecks, as long as its time lasts: the files of delivered mail are asked about again, several at once, each once a day. A run that delivered
 * one that is worse now is told of. The first round of a day begins with what people have blocked, and with recipients who are still to be told.
 */

import { mapBounded } from '../bounded.ts';
import type { AnalysisContext } from '../context.ts';
import { keys } from '../keys.ts';
import type { FileArtifact } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import { placeOfRow, placeText } from '../runs/run-place.ts';
import { type DeliveredRun, deliveredRuns } from './recall.ts';
import {
  type BadFiles,
  NOBODY,
  sumOf,
  type TellContext,
  type Telling,
  type Told,
  tellOf,
  tellOfAll,
} from './recall-told.ts';
import { type Pause, type Rechecked, recheckedFiles, recheckFile } from './recheck.ts';
import type { SendingParts } from './send-once.ts';
import type { Worse } from './worse.ts';

export interface RoundContext extends AnalysisContext, TellContext, BadFiles {
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
  /** Different files to ask about at most; with 0, people are only told of what is known. */
  readonly budget: number;
  /** Mails to recipients at most. */
  readonly mails: number;
}

export interface Round {
  readonly counts: Readonly<Record<Rechecked['outcome'], number>> & Told;
  readonly worse: readonly Worse[];
  /** The round behind this one; null when nothing is left. */
  readonly next: RoundRequest | null;
}

/** Files that are asked about at the same time. */
const AT_ONCE = 16;

interface Open {
  readonly runId: string;
  readonly file: FileArtifact;
}

/** Asks about delivered files, the newest first. Throws TransientError when a store does not answer. */
export async function recheckRound(ctx: RoundContext, request: RoundRequest): Promise<Round> {
  const counts = { same: 0, worse: 0, unanswered: 0, unreadable: 0 };
  const mails = ctx.sending && { sending: ctx.sending, left: request.mails, met: new Set<string>() };
  const telling: Telling = { since: null, mails };
  const worse: Worse[] = [];
  const known = new Set<string>();
  let [open, left]: [Open[], number] = [[], request.budget];
  let told =
    request.after === null ? await tellOfAll(ctx, ctx, telling, { seed: request.day, isOver: ctx.isOver }) : NOBODY;
  const askAll = async () => {
    for (const each of await mapBounded(open, AT_ONCE, (one) => askAbout(ctx, request.day, one, telling))) {
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

/** That it was asked is noted last, so a round that is repeated asks again about whatever it had not done. */
async function askAbout(ctx: RoundContext, day: string, { runId, file }: Open, telling: Telling) {
  const checked = await recheckFile(ctx, runId, file, ctx.pause, ctx.patienceSeconds);
  const { worse } = checked;
  const told = worse === null ? NOBODY : await tellOf(ctx, { cause: 'worse', ...worse }, telling);
  await ctx.blobs.put('work', keys.rechecked(day, hashOf(file.id)), new Uint8Array());
  return { checked, told };
}
