/** Stores the submission of an accepted request and queues its job. Every interface creates its submissions here. */
import type { ReportType, UploadedFile } from '../../contract/common.ts';
import type { Call } from '../call.ts';
import { shownName } from '../filename.ts';
import {
  type CdrRequest,
  SCHEDULED_REPORTS,
  type StoredReport,
  type StoredSubmission,
  type Subject,
  type SubmissionKind,
  scheduledReport,
} from '../store/submissions.ts';
import { type JobContext, runReports } from './jobs.ts';
import { planOf } from './report-outcome.ts';

/** The submission that an interface asks for. */
export interface SubmissionRequest {
  readonly kind: SubmissionKind;
  readonly subject: Subject;
  readonly private: boolean;
  /** An empty text means no password: clients send empty fields when they have no value. */
  readonly password?: string | null | undefined;
  readonly cdr?: CdrRequest;
  /** Reports in addition to those of the kind: v1 asks for a disarm as a module of a sandbox scan. */
  readonly alsoReports?: readonly ReportType[];
}

/** Stores a submission with its scheduled reports, and starts its job in the place of this call in the queue. */
export async function accept(ctx: JobContext, call: Call, request: SubmissionRequest): Promise<StoredSubmission> {
  const nowMs = ctx.now();
  const { kind, subject, password, cdr = null, alsoReports = [] } = request;
  const accepted: StoredSubmission = {
    kind,
    subject,
    private: request.private,
    uuid: ctx.newId(),
    workspace: call.caller.workspace,
    keyId: call.caller.keyId,
    reports: [...SCHEDULED_REPORTS[kind], ...alsoReports].map(scheduledReport),
    sanitizedFile: null,
    cdr,
    attempts: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  const submission = { ...accepted, reports: accepted.reports.map((report) => orSkipped(report, accepted)) };
  await ctx.store.add(submission, password || null, call.slot.group);
  call.slot.start((group) => runReports(ctx, submission.uuid, group));
  return submission;
}

/** A report that no environment can make, for any subject, is never shown as scheduled. */
function orSkipped(report: StoredReport, submission: StoredSubmission): StoredReport {
  const plan = planOf(report.type, submission);
  if (!('code' in plan) || plan.code !== 'no_environment') return report;
  return { ...report, status: 'error', error: plan };
}

interface FileOptions {
  readonly entrypoint?: string | null | undefined;
  readonly showsDetectedType?: boolean | undefined;
  readonly keepsMetadata?: boolean | undefined;
}

/** Returns the facts of the submitted file. */
export function fileSubject({ untrustedName, size, hashes }: UploadedFile, options: FileOptions = {}): Subject {
  return {
    type: 'file',
    untrustedName: shownName(untrustedName),
    size,
    hashes,
    detectedType: null,
    entrypoint: options.entrypoint || null,
    showsDetectedType: options.showsDetectedType ?? true,
    ...(options.keepsMetadata === true && { keepsMetadata: true }),
  };
}
