/** What each v3 route does. */
import { createHash } from 'node:crypto';
import type { ReportType } from '../contract/common.ts';
import type { ErrorCode, ReportUnavailableDetails } from '../contract/errors.ts';
import type { SubmissionCreated, V3_ROUTES } from '../contract/v3.ts';
import type { Hashes } from '../engines/engine.ts';
import { shownName } from './filename.ts';
import type { JobQueue, Slot } from './job-queue.ts';
import { type JobContext, runReports } from './jobs.ts';
import type { ServiceLimits } from './limits.ts';
import { meView, type Usage } from './me.ts';
import type { JobSecrets } from './report-outcome.ts';
import type { FileAnswer, Handlers } from './routing.ts';
import { ServiceError } from './service-error.ts';
import { availableReports, submissionView } from './submission-view.ts';
import {
  SCHEDULED_REPORTS,
  type StoredSubmission,
  type Subject,
  type SubmissionKind,
  scheduledReport,
} from './submissions.ts';

export interface HandlerContext extends Omit<JobContext, 'limits'> {
  readonly queue: JobQueue;
  readonly limits: ServiceLimits;
  readonly usage: Usage;
}

/** The form fields that every file submission has. */
interface FileFields {
  readonly file: { readonly untrustedName: string; readonly bytes: Uint8Array };
  readonly private: boolean;
  readonly entrypoint: string | null;
  readonly password: string | null;
}

/** The handlers of the v3 table. */
export function v3Handlers(ctx: HandlerContext): Handlers<typeof V3_ROUTES> {
  const createFile = async (kind: SubmissionKind, form: FileFields, slot: Slot): Promise<SubmissionCreated> => {
    ctx.usage.countSubmission();
    const subject = fileSubject(form.file.untrustedName, form.file.bytes, form.entrypoint || null);
    // An empty password is no password: clients send empty fields for unset ones.
    const secrets = { bytes: form.file.bytes, password: form.password || null };
    const { uuid } = await accept(ctx, { kind, subject, private: form.private }, secrets, slot);
    return { uuid, message: 'Submission created', sha256: subject.hashes.sha256 };
  };
  return {
    createSandboxSubmission: ({ multipart }, slot) => createFile('sandbox', multipart, slot),
    createStaticSubmission: ({ multipart }, slot) => createFile('static', multipart, slot),
    createCdrSubmission: ({ multipart }, slot) => createFile('cdr', multipart, slot),
    async createUrlSubmission({ json }, slot) {
      ctx.usage.countSubmission();
      const request = { kind: 'url', subject: { type: 'url', url: json.url }, private: json.private } as const;
      const { uuid } = await accept(ctx, request, { bytes: new Uint8Array(), password: null }, slot);
      return { uuid, message: 'Submission created', sha256: null };
    },
    async searchBySha256({ params }) {
      return (await ctx.store.findBySha256(params.sha256.toLowerCase())).map(submissionView);
    },
    async getSubmission({ params }) {
      return submissionView(await found(ctx, params.uuid));
    },
    async downloadCdrSanitized({ params }) {
      return await sanitizedFile(ctx, await found(ctx, params.uuid));
    },
    async me() {
      return meView(ctx.usage, ctx.queue.pending, ctx.limits);
    },
  };
}

/** The submitted file, described. */
export function fileSubject(untrustedName: string, bytes: Uint8Array, entrypoint: string | null) {
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  const hashes: Hashes = { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
  const size = bytes.byteLength;
  return {
    type: 'file',
    untrustedName: shownName(untrustedName),
    size,
    hashes,
    detectedType: null,
    entrypoint,
  } as const;
}

/** Stores a submission with its scheduled reports and starts its job. */
export async function accept(
  ctx: HandlerContext,
  request: { readonly kind: SubmissionKind; readonly subject: Subject; readonly private: boolean },
  secrets: JobSecrets,
  slot: Slot,
): Promise<StoredSubmission> {
  const nowMs = ctx.now();
  const submission: StoredSubmission = {
    ...request,
    uuid: ctx.newId(),
    reports: SCHEDULED_REPORTS[request.kind].map(scheduledReport),
    sanitizedFile: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  await ctx.store.add(submission);
  slot.start(() => runReports(ctx, submission, secrets));
  return submission;
}

async function found(ctx: HandlerContext, uuid: string): Promise<StoredSubmission> {
  const submission = await ctx.store.get(uuid.toLowerCase());
  if (!submission) throw new ServiceError('SUBMISSION_NOT_FOUND', { details: { submissionUuid: uuid } });
  return submission;
}

const UNAVAILABLE: Readonly<Record<ReportType, ErrorCode>> = {
  dynamic: 'DYNAMIC_REPORT_UNAVAILABLE',
  static: 'STATIC_REPORT_UNAVAILABLE',
  cdr: 'CDR_REPORT_UNAVAILABLE',
  url_analysis: 'URL_ANALYSIS_REPORT_UNAVAILABLE',
};

/** Throws ServiceError …_REPORT_UNAVAILABLE unless the report of this type is completed. */
function requireReport(submission: StoredSubmission, requiredReport: ReportType): void {
  const report = submission.reports.find(({ type }) => type === requiredReport);
  if (report?.status === 'completed') return;
  const details: ReportUnavailableDetails = {
    submissionUuid: submission.uuid,
    requiredReport,
    currentStatus: report?.status ?? null,
    availableReports: availableReports(submission),
  };
  throw new ServiceError(UNAVAILABLE[requiredReport], { details: { ...details } });
}

async function sanitizedFile(ctx: HandlerContext, submission: StoredSubmission): Promise<FileAnswer> {
  requireReport(submission, 'cdr');
  const file = submission.sanitizedFile && (await ctx.store.getFile(submission.sanitizedFile.fileId));
  if (!file || !submission.sanitizedFile) throw new ServiceError('STORAGE_UNAVAILABLE');
  return { bytes: file.bytes, filename: submission.sanitizedFile.filename };
}
