/** One request as a handler sees it, and the checks before the handler: the identity of the caller, and his rights. */
import type { GatedReport, RouteDefinition } from '../contract/common.ts';
import type { ErrorCode, ReportUnavailableDetails } from '../contract/errors.ts';
import { presentedKey } from './http/credentials.ts';
import type { Slot } from './jobs/queue.ts';
import { ServiceError } from './service-error.ts';
import type { Caller, KeyRing } from './store/api-keys.ts';
import { availableReports, isVisibleTo } from './store/submission-facts.ts';
import type { SubmissionStore } from './store/submission-store.ts';
import { type StoredSubmission, scheduledReports } from './store/submissions.ts';

/** The surroundings of a handler, besides its input. */
export interface Call {
  readonly caller: Caller;
  /** The User-Agent as sent. It distinguishes two generations of public clients. */
  readonly untrustedUserAgent: string;
  /** The place in the queue that POST routes hold. */
  readonly slot: Slot;
}

/** A call of a route below one submission. It exists, the caller may see it, and the required report is completed. */
export interface SubmissionCall extends Call {
  readonly submission: StoredSubmission;
}

/** Checks the key. Throws ServiceError UNAUTHORIZED unless the request has a valid key in the place that `auth` names. */
export async function authenticated(headers: Headers, auth: RouteDefinition['auth'], keys: KeyRing): Promise<Caller> {
  const presented = presentedKey(headers, auth);
  const caller = presented === '' ? null : await keys.find(presented);
  if (!caller) throw new ServiceError('UNAUTHORIZED');
  return caller;
}

/** Finds the submission. Throws ServiceError SUBMISSION_NOT_FOUND and SUBMISSION_PRIVATE, in this order. */
export async function visibleSubmission(
  store: Pick<SubmissionStore, 'get'>,
  uuid: string,
  { workspace }: Caller,
): Promise<StoredSubmission> {
  const submission = await store.get(uuid.toLowerCase());
  if (!submission) throw new ServiceError('SUBMISSION_NOT_FOUND', { details: { submissionUuid: uuid } });
  if (!isVisibleTo(submission, workspace)) {
    throw new ServiceError('SUBMISSION_PRIVATE', { details: { submissionUuid: uuid } });
  }
  return submission;
}

const UNAVAILABLE: Readonly<Record<GatedReport, ErrorCode>> = {
  dynamic: 'DYNAMIC_REPORT_UNAVAILABLE',
  static: 'STATIC_REPORT_UNAVAILABLE',
  cdr: 'CDR_REPORT_UNAVAILABLE',
  url_analysis: 'URL_ANALYSIS_REPORT_UNAVAILABLE',
};

/** Checks the report. Throws ServiceError …_REPORT_UNAVAILABLE unless the report of this type is completed. */
export function requireReport(submission: StoredSubmission, requiredReport: GatedReport): void {
  const report = scheduledReports(submission).find(({ type }) => type === requiredReport);
  if (report?.status !== 'completed') throw reportUnavailable(submission, requiredReport);
}

/** Returns the refusal of a route whose report is not completed. `currentStatus` is null when it was never scheduled. */
export function reportUnavailable(
  submission: StoredSubmission,
  requiredReport: GatedReport,
  message?: string,
): ServiceError {
  const report = scheduledReports(submission).find(({ type }) => type === requiredReport);
  const details: ReportUnavailableDetails = {
    submissionUuid: submission.uuid,
    requiredReport,
    currentStatus: report?.status ?? null,
    availableReports: availableReports(submission),
  };
  return new ServiceError(UNAVAILABLE[requiredReport], { details: { ...details }, ...(message && { message }) });
}
