/** The work behind a submission: its reports, one after the other, each from accepted to completed or error. */
import { rm } from 'node:fs/promises';
import { SCRIPT_FILE_BYTES } from '../../../engines/script/limits.ts';
import type { StoredFileReport, StoredFileTask } from '../../../engines/threads/stored-file.ts';
import type { EngineReport, EngineTask } from '../../../engines/threads/task.ts';
import type { EngineVersions } from '../../../engines/threads/versions.ts';
import type { ReportType } from '../../contract/common.ts';
import { sanitizedFilename } from '../filename.ts';
import type { ServiceLimits } from '../limits.ts';
import type { BlobStore } from '../store/blobs.ts';
import { storeDynamic } from '../store/dynamic-record.ts';
import { storeContents, withContents } from '../store/static-contents.ts';
import type { PendingSubmission, SubmissionStore } from '../store/submission-store.ts';
import { isFinished, isTerminal, type SanitizedFile, type StoredSubmission, withReport } from '../store/submissions.ts';
import { storeContent } from '../store/uploads.ts';
import { storeVisit } from '../store/visit-record.ts';
import { failedOutcome, type Outcome, outcomeOf, type Plan, planOf, storedOutcomeOf } from './report-outcome.ts';
import { type Persistence, persist } from './storage.ts';

/** The port of the engines. The worker pool of lib/engines implements it. */
export interface EngineRunner {
  /** Tasks of one group share a budget of processor time. */
  run(task: EngineTask, group?: string): Promise<EngineReport>;
  /** For large files that are stored in a directory. @default `run` gets their bytes */
  runStored?(task: StoredFileTask, group?: string): Promise<StoredFileReport>;
  /** Returns the versions of the engines and their rules. Never rejects. @default the service does not tell them */
  versions?(): Promise<EngineVersions>;
}

export interface JobContext extends Persistence {
  readonly store: SubmissionStore;
  readonly blobs: BlobStore;
  readonly runner: EngineRunner;
  readonly limits: Pick<ServiceLimits, 'jobTimeoutMs' | 'jobAttempts' | 'largeFileBytes' | 'reportEntries'>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Called for each submission when all its reports have ended. */
  readonly onFinished?: (submission: StoredSubmission) => void;
}

const ENGINE_FAILED = { code: 'engine_failed', message: 'the engine failed' } as const;

/**
 * Runs every unfinished report of a stored submission, on the budget of its group. Never rejects: a failure becomes an `error` report.
 * While the storage accepts no report, the job waits for it, or starts again with the next service.
 */
export async function runReports(ctx: JobContext, uuid: string, group: string): Promise<void> {
  const ofJob = { submissionUuid: uuid, reportType: null };
  const start = await persist(ctx, { ...ofJob, code: 'JOB_NOT_STARTED' }, { untilBack: true }, () => begun(ctx, uuid));
  if (!start.ended || !start.value) return;
  const pending = start.value;
  for (const { type } of pending.submission.reports.filter((report) => !isTerminal(report))) {
    const startedMs = ctx.now();
    const outcome = await outcomeWithin(ctx, type, pending, group).catch(() =>
      failedOutcome(type, ENGINE_FAILED, null),
    );
    if (ctx.stopped.aborted) return;
    await recordOrFail(ctx, pending.submission, type, outcome, (ctx.now() - startedMs) / 1_000);
  }
  const { onFinished } = ctx;
  if (!onFinished) return;
  await persist(ctx, { ...ofJob, code: 'JOB_END_NOT_TOLD' }, { untilBack: true }, async () => {
    const ended = await ctx.store.get(uuid);
    if (ended && isFinished(ended)) onFinished(ended);
  });
}

/** Stores the outcome. When that is not possible, stores an `error` report instead. */
async function recordOrFail(
  ctx: JobContext,
  submission: StoredSubmission,
  reportType: ReportType,
  outcome: Outcome,
  durationSeconds: number,
): Promise<void> {
  const what = { submissionUuid: submission.uuid, reportType };
  const kept = await persist(ctx, { ...what, code: 'RESULT_NOT_KEPT' }, { untilBack: false }, () =>
    record(ctx, submission, outcome, durationSeconds),
  );
  const content = outcome.disarmed?.content;
  if (content && 'path' in content) await rm(content.path, { force: true });
  if (kept.ended) return;
  await persist(ctx, { ...what, code: 'REPORT_NOT_RECORDED' }, { untilBack: true }, () =>
    fail(ctx, submission.uuid, reportType),
  );
}

/** Counts the attempt and marks the report as in progress. Returns null when there is nothing to do. */
async function begun(ctx: JobContext, uuid: string): Promise<PendingSubmission | null> {
  const pending = await ctx.store.pending(uuid);
  if (!pending || ctx.stopped.aborted) return null;
  const submission = await ctx.store.update(uuid, (stored) => {
    const planned = stored.reports.filter((report) => !isTerminal(report) && 'engine' in planOf(report.type, stored));
    const counted = { ...stored, attempts: stored.attempts + 1 };
    return planned.reduce((next, report) => withReport(next, { ...report, status: 'in_progress' }, ctx.now()), counted);
  });
  return submission && { ...pending, submission };
}

async function fail(ctx: JobContext, uuid: string, type: ReportType): Promise<void> {
  const message = 'the service could not keep the result';
  const { report } = failedOutcome(type, { code: 'engine_failed', message }, null);
  await ctx.store.update(uuid, (stored) => withReport(stored, report, ctx.now()));
}

async function outcomeWithin(
  ctx: JobContext,
  type: ReportType,
  pending: PendingSubmission,
  group: string,
): Promise<Outcome> {
  const { submission, password } = pending;
  if (submission.attempts > ctx.limits.jobAttempts) {
    const message = `the service ended ${ctx.limits.jobAttempts} times while it analysed this`;
    return failedOutcome(type, { code: 'engine_failed', message }, null);
  }
  const plan = planOf(type, submission);
  if ('code' in plan) return failedOutcome(type, plan, null);
  let timer: NodeJS.Timeout | undefined;
  const lateOutcome = new Promise<Outcome>((resolve) => {
    const message = `no engine answered within ${ctx.limits.jobTimeoutMs} ms`;
    timer = setTimeout(() => resolve(failedOutcome(type, { code: 'timeout', message }, null)), ctx.limits.jobTimeoutMs);
  });
  const engineOutcome = outcomeOfPlan(ctx, { type, plan, password, group }).catch(() =>
    failedOutcome(type, ENGINE_FAILED, null),
  );
  return await Promise.race([engineOutcome, lateOutcome]).finally(() => clearTimeout(timer));
}

interface Order {
  readonly type: ReportType;
  readonly plan: Plan;
  readonly password: string | null;
  readonly group: string;
}

async function outcomeOfPlan(ctx: JobContext, { type, plan, password, group }: Order): Promise<Outcome> {
  const { blobs, runner, limits } = ctx;
  if (plan.engine === 'url') return outcomeOf(type, await runner.run(plan, group), limits.reportEntries);
  const { engine, keepMetadata } = plan;
  // A script is small. The sandbox refuses larger ones, because its record cannot be passed between processes.
  if (engine === 'sandbox' && plan.size > SCRIPT_FILE_BYTES) {
    const message = `the file has ${plan.size} bytes, at most ${SCRIPT_FILE_BYTES} are run`;
    return failedOutcome(type, { code: 'oversize', message }, null);
  }
  if (engine !== 'sandbox' && plan.size >= limits.largeFileBytes && blobs.files && runner.runStored) {
    const { size, untrustedName } = plan;
    const [path, outputPath] = [blobs.files.pathOf(plan.sha256), blobs.files.newPath()];
    const report = await runner.runStored(
      { engine, path, size, untrustedName, password, keepMetadata, outputPath },
      group,
    );
    return storedOutcomeOf(type, report, outputPath, limits.reportEntries);
  }
  const bytes = await blobs.read(plan.sha256);
  if (!bytes) return failedOutcome(type, { code: 'engine_failed', message: 'the file is not in the storage' }, null);
  const input = { bytes, untrustedName: plan.untrustedName, password, keepMetadata };
  return outcomeOf(type, await runner.run({ engine, input }, group), limits.reportEntries);
}

async function record(
  ctx: JobContext,
  { uuid, subject }: StoredSubmission,
  { report, detectedType, disarmed, detonation, visit, contents }: Outcome,
  durationSeconds: number,
): Promise<void> {
  let sanitizedFile: SanitizedFile | null = null;
  if (disarmed && subject.type === 'file') {
    const { type, extension } = disarmed.type;
    const filename = sanitizedFilename(subject.untrustedName, extension);
    // The file is stored first: a completed report must have its file.
    const { sha256, hashes, size } = await storeContent(ctx.blobs, disarmed.content);
    sanitizedFile = { fileId: ctx.newId(), filename, extension, type, sha256, hashes, size };
  }
  const ofVisit = visit ? await storeVisit(ctx.blobs, visit) : {};
  const produced = detonation ? await storeDynamic(ctx.blobs, detonation) : ofVisit;
  const inside = contents ? await storeContents(ctx.blobs, contents) : null;
  await ctx.store.update(uuid, (stored) => {
    const next = withReport(stored, { ...report, durationSeconds }, ctx.now());
    // Another worker took the job over and stored its report first. Its report has its own file.
    if (next === stored) return stored;
    const known = stored.subject.type === 'file' && detectedType ? { ...stored.subject, detectedType } : stored.subject;
    const merged = withContents({ ...next, ...produced }, stored, inside);
    return { ...merged, subject: known, sanitizedFile: sanitizedFile ?? stored.sanitizedFile };
  });
}
