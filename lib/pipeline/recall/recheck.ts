/** Analyses delivered files again, because engines and rules have changed, or a service has changed its mind. */

import { requestFor } from '../analysis/submission-of.ts';
import { timestamp } from '../chain/ledger-store.ts';
import type { AnalysisContext } from '../context.ts';
import { AnalyzerRefusal, TransientError } from '../errors.ts';
import { worseOf } from '../judging/judge.ts';
import { keys } from '../keys.ts';
import { type FileArtifact, submittedIdOf } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Kind, Report } from '../model.ts';
import { type DeliveredRun, wayOut } from './recall.ts';
import { noteWorse, type Worse } from './worse.ts';

/**
 * The result for one file. `unanswered`: nobody gave an answer, and nothing new is known. `unreadable`: the record of a run is damaged or
 * missing, so nobody knows its files.
 */
export interface Rechecked {
  /** Null when the files are not known. */
  readonly sha256: string | null;
  readonly runId: string;
  readonly outcome: 'same' | 'worse' | 'unanswered' | 'unreadable';
  readonly worse: Worse | null;
}

/** Waits for a number of seconds. */
export type Pause = (seconds: number) => Promise<void>;

/** The time after which a file is given up. Its service may be slow. */
const MAX_SECONDS = 900;

/** Checks each different delivered file once, the newest first, at most `budget` of them. */
export async function* recheck(
  ctx: AnalysisContext,
  delivered: AsyncIterable<DeliveredRun>,
  budget: number,
  pause: Pause,
): AsyncGenerator<Rechecked> {
  const asked = new Set<string>();
  for await (const { row, ledger } of delivered) {
    if (ledger === null) yield { sha256: null, runId: row.runId, outcome: 'unreadable', worse: null };
    for (const file of ledger === null ? [] : recheckedFiles(ledger)) {
      const sha256 = hashOf(file.id);
      if (asked.has(sha256)) continue;
      if (asked.size >= budget) return;
      asked.add(sha256);
      yield await recheckFile(ctx, row.runId, file, pause);
    }
  }
}

/** Returns the files that were judged and that the recipient got. */
export const recheckedFiles = (ledger: Ledger): FileArtifact[] =>
  ledger.artifacts.filter(
    (artifact): artifact is FileArtifact =>
      artifact.type === 'file' && kindsOf(artifact).length > 0 && wayOut(ledger, artifact) !== null,
  );

const kindsOf = ({ submissions }: FileArtifact): Kind[] =>
  submissions.map(({ kind }) => kind).filter((kind) => kind !== 'cdr');

/** Checks one file, and notes when it is worse. Waits for an answer no longer than `patienceSeconds`. */
export async function recheckFile(
  ctx: AnalysisContext,
  runId: string,
  file: FileArtifact,
  pause: Pause,
  patienceSeconds = MAX_SECONDS,
): Promise<Rechecked> {
  const about = { sha256: hashOf(file.id), runId };
  const reports: { readonly kind: Kind; readonly report: Report }[] = [];
  for (const kind of new Set(kindsOf(file))) {
    const report = await ask(ctx, { runId, file, kind }, pause, patienceSeconds);
    if (report !== null && report.failure === null) reports.push({ kind, report });
  }
  if (reports.length === 0) return { ...about, outcome: 'unanswered', worse: null };
  const after = reports.map(({ report }) => report.verdict).reduce(worseOf);
  const isWorse = after !== file.verdict && worseOf(file.verdict, after) === after && after !== 'unknown';
  if (!isWorse) return { ...about, outcome: 'same', worse: null };
  const untrustedReasons = reports.flatMap(({ report }) => report.reasons).slice(0, 20);
  const engines = await ctx.analyzer.scope(reports[0]?.kind ?? 'static');
  const worse: Worse = {
    schema: 'mail-airlock/worse/1',
    sha256: about.sha256,
    before: file.verdict,
    ...{ after, untrustedReasons, engines },
    at: timestamp(ctx),
  };
  await noteWorse(ctx, worse);
  return { ...about, outcome: 'worse', worse };
}

/** Returns the report; null when the file is not stored any more, or when nobody answers. */
async function ask(
  ctx: AnalysisContext,
  { runId, file, kind }: { readonly runId: string; readonly file: FileArtifact; readonly kind: Kind },
  pause: Pause,
  patienceSeconds: number,
): Promise<Report | null> {
  try {
    const isStored = await ctx.blobs.has('work', keys.artifact(hashOf(submittedIdOf(file, kind))));
    if (!isStored) return null;
    const submissionId = await ctx.analyzer.submit(requestFor(ctx, runId, file, kind));
    const until = ctx.clock.now() + patienceSeconds * 1000;
    while (ctx.clock.now() < until) {
      const progress = await ctx.analyzer.progress(kind, submissionId);
      if (progress.state === 'finished') return progress.report ?? (await ctx.analyzer.report(kind, submissionId));
      await pause(progress.retryAfterSeconds ?? 1);
    }
    return null;
  } catch (error) {
    const { name } = error as Error;
    if (error instanceof TransientError || error instanceof AnalyzerRefusal || name === 'NotFoundError') return null;
    throw error;
  }
}
