/** The handlers of the v3 routes that send files. v1 sends the same files under other paths. */
import type { ReportType } from '../../contract/common.ts';
import type { V3_DOWNLOAD_ROUTES } from '../../contract/v3-submission-routes.ts';
import { reportUnavailable } from '../call.ts';
import type { HandlerContext } from '../context.ts';
import { type FileAnswer, PendingAnswer } from '../http/answers.ts';
import { htmlReport } from '../report-page/report-page.tsx';
import { SCREENSHOT_BYTES } from '../report-page/url.tsx';
import type { Handlers } from '../routing.ts';
import { ServiceError } from '../service-error.ts';
import type { BlobContent } from '../store/blobs.ts';
import { readDynamic } from '../store/dynamic-record.ts';
import { isTerminal, type StoredSubmission } from '../store/submissions.ts';
import { readVisit } from '../store/visit-record.ts';
import { artifactsOf } from '../views/report.ts';
import { urlAnalysisOf } from '../views/url.ts';
import { sampleZip } from './sample-zip.ts';
import { yaraRuleOf } from './yara-rule.ts';

/** The seconds after which a caller should ask again for a rule whose report is not completed. */
const RULE_RETRY_SECONDS = 5;

/** Returns the handlers of the download routes. */
export function v3DownloadHandlers(ctx: HandlerContext): Handlers<typeof V3_DOWNLOAD_ROUTES> {
  return {
    downloadSample: (_, { submission }) => sampleAnswer(ctx, submission),
    downloadHtmlReport: (_, { submission }) => htmlReportAnswer(ctx, submission),
    downloadPcap: async (_, { submission }) => noCapture(submission),
    downloadYaraRule: async (_, { submission }) => yaraRuleAnswer(submission),
    downloadArtifact: ({ params }, { submission }) => artifactAnswer(ctx, submission, params.artifactId),
    downloadCdrSanitized: (_, { submission }) => sanitizedAnswer(ctx, submission),
  };
}

/**
 * Answers without a capture. The emulation answers requests itself. An empty file would look like a capture of a program that sent nothing.
 */
function noCapture({ uuid }: StoredSubmission): never {
  const message = 'there is no capture: the environment sent nothing. The network lists have what was asked for';
  throw new ServiceError('ARTIFACT_NOT_FOUND', { message, details: { submissionUuid: uuid, artifactId: 'pcap' } });
}

/** Returns the sample in an encrypted ZIP. Throws ServiceError SAMPLE_NOT_AVAILABLE. */
export async function sampleAnswer({ blobs }: HandlerContext, submission: StoredSubmission): Promise<FileAnswer> {
  const { subject, uuid } = submission;
  const sha256 = subject.type === 'file' ? subject.hashes.sha256 : null;
  const sample = sha256 === null ? null : await blobs.open(sha256);
  if (!sample) throw new ServiceError('SAMPLE_NOT_AVAILABLE', { details: { submissionUuid: uuid } });
  const content = { size: null, stream: () => sampleZip(`${sha256}.bin`, sample) };
  return { content, filename: `${sha256}.zip` };
}

/** Returns the reports as a page. It exists even while some reports have not ended or have failed, and says so. */
export async function htmlReportAnswer(
  { blobs }: HandlerContext,
  submission: StoredSubmission,
): Promise<FileAnswer & { readonly content: Uint8Array }> {
  const isCompleted = (type: ReportType) =>
    submission.reports.some((report) => report.type === type && report.status === 'completed');
  const picture = submission.visit?.screenshot;
  const page = htmlReport({
    submission,
    dynamic: isCompleted('dynamic') ? await readDynamic(blobs, submission) : null,
    url: isCompleted('url_analysis') ? urlAnalysisOf(submission, await readVisit(blobs, submission)) : null,
    screenshot: picture && picture.size <= SCREENSHOT_BYTES ? await blobs.read(picture.sha256) : null,
  });
  return { content: new TextEncoder().encode(page), filename: `${submission.uuid}.html` };
}

/** Returns the rule, or an answer that it is not ready. Throws ServiceError STATIC_REPORT_UNAVAILABLE when there will be none. */
export function yaraRuleAnswer(submission: StoredSubmission): FileAnswer | PendingAnswer {
  const report = submission.reports.find(({ type }) => type === 'static');
  if (submission.subject.type === 'file' && report?.status === 'completed') {
    return { content: new TextEncoder().encode(yaraRuleOf(submission)), filename: `${submission.uuid}.yar` };
  }
  if (!report || isTerminal(report)) throw reportUnavailable(submission, 'static');
  const body = { message: 'The rule is made when the static report is completed', retryAfter: RULE_RETRY_SECONDS };
  return new PendingAnswer(body, RULE_RETRY_SECONDS);
}

/** Returns one artifact of the submission. Throws ServiceError ARTIFACT_NOT_FOUND. */
export async function artifactAnswer(
  { blobs }: HandlerContext,
  submission: StoredSubmission,
  artifactId: string,
): Promise<FileAnswer> {
  const artifact = artifactsOf(submission).find(({ id }) => id === artifactId.toLowerCase());
  const content = artifact && (await blobs.open(artifact.hashes.sha256));
  if (!content) {
    throw new ServiceError('ARTIFACT_NOT_FOUND', { details: { submissionUuid: submission.uuid, artifactId } });
  }
  return { content, filename: `${artifact.hashes.sha256}.bin` };
}

/** Returns the sanitized file of a submission whose cdr report is completed. Throws ServiceError STORAGE_UNAVAILABLE. */
export async function sanitizedAnswer(
  { blobs }: HandlerContext,
  submission: StoredSubmission,
): Promise<FileAnswer & { readonly content: BlobContent }> {
  const { sanitizedFile } = submission;
  const content = sanitizedFile && (await blobs.open(sanitizedFile.sha256));
  if (!content) throw new ServiceError('STORAGE_UNAVAILABLE');
  return { content, filename: sanitizedFile.filename };
}
