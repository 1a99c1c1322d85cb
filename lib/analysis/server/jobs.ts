/** The work behind a submission: its reports, one after the other, each from accepted to completed or error. */
import type { ReportType } from '../contract/common.ts';
import type { EngineReport, EngineTask } from '../engines/task.ts';
import { sanitizedFilename } from './filename.ts';
import type { ServiceLimits } from './limits.ts';
import { failedOutcome, type JobSecrets, type Outcome, outcomeOf, taskOf } from './report-outcome.ts';
import {
  type SanitizedFile,
  SCHEDULED_REPORTS,
  type StoredSubmission,
  type SubmissionStore,
  scheduledReport,
  withReport,
} from './submissions.ts';

/** The engines as this service sees them; the worker pool of lib/analysis/engines is one. */
export interface EngineRunner {
  run(task: EngineTask): Promise<EngineReport>;
}

export interface JobContext {
  readonly store: SubmissionStore;
  readonly runner: EngineRunner;
  readonly limits: Pick<ServiceLimits, 'jobTimeoutMs' | 'reportEntries'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** Runs every scheduled report of a stored submission. Never rejects: what goes wrong ends as an `error` report. */
export async function runReports(ctx: JobContext, submission: StoredSubmission, secrets: JobSecrets): Promise<void> {
  for (const type of SCHEDULED_REPORTS[submission.kind]) {
    const startedMs = ctx.now();
    try {
      await moveTo(ctx, submission.uuid, type, 'in_progress');
      const outcome = await outcomeWithin(ctx, type, submission, secrets);
      await record(ctx, submission, outcome, (ctx.now() - startedMs) / 1_000);
    } catch {
      await fail(ctx, submission.uuid, type).catch(() => undefined);
    }
  }
}

async function moveTo(ctx: JobContext, uuid: string, type: ReportType, status: 'in_progress'): Promise<void> {
  await ctx.store.update(uuid, (stored) => withReport(stored, { ...scheduledReport(type), status }, ctx.now()));
}

async function fail(ctx: JobContext, uuid: string, type: ReportType): Promise<void> {
  const { report } = failedOutcome(
    type,
    { code: 'engine_failed', message: 'the service could not keep the result' },
    null,
  );
  await ctx.store.update(uuid, (stored) => withReport(stored, report, ctx.now()));
}

async function outcomeWithin(
  ctx: JobContext,
  type: ReportType,
  { subject }: StoredSubmission,
  secrets: JobSecrets,
): Promise<Outcome> {
  const task = taskOf(type, subject, secrets);
  if ('code' in task) return failedOutcome(type, task, null);
  let timer: NodeJS.Timeout | undefined;
  const lateOutcome = new Promise<Outcome>((resolve) => {
    const message = `no engine answered within ${ctx.limits.jobTimeoutMs} ms`;
    timer = setTimeout(() => resolve(failedOutcome(type, { code: 'timeout', message }, null)), ctx.limits.jobTimeoutMs);
  });
  const engineOutcome = ctx.runner.run(task).then(
    (report) => outcomeOf(type, report, ctx.limits.reportEntries),
    () => failedOutcome(type, { code: 'engine_failed', message: 'the engine failed' }, null),
  );
  return await Promise.race([engineOutcome, lateOutcome]).finally(() => clearTimeout(timer));
}

async function record(
  ctx: JobContext,
  { uuid, subject }: StoredSubmission,
  { report, detectedType, disarmed }: Outcome,
  durationSeconds: number,
): Promise<void> {
  let sanitizedFile: SanitizedFile | null = null;
  if (disarmed && subject.type === 'file') {
    const { extension } = disarmed.type;
    const filename = sanitizedFilename(subject.untrustedName, extension);
    sanitizedFile = { fileId: ctx.newId(), filename, extension };
    // The file first: a report that says completed has its file.
    await ctx.store.putFile(uuid, sanitizedFile.fileId, disarmed.bytes);
  }
  await ctx.store.update(uuid, (stored) => {
    const next = withReport(stored, { ...report, durationSeconds }, ctx.now());
    const known = stored.subject.type === 'file' && detectedType ? { ...stored.subject, detectedType } : stored.subject;
    return { ...next, subject: known, sanitizedFile: sanitizedFile ?? stored.sanitizedFile };
  });
}
